// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/remote_trouble_test.cpp and remote_test.py.

#include "webstrata/capture/remote/remote_trouble.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "webstrata/base/printable.h"

namespace webstrata {
namespace {

constexpr unsigned kRetryAfterMsMax = 30'000;
constexpr unsigned kFewAttempts = 3;          // it is probably a wrong name
constexpr std::size_t kReasonBytesMax = 300;  // of what a server says

bool may_pass(long status) {
  return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 ||
         status == 504;
}

std::string status_words(long status) {
  switch (status) {
    case 400:
      return "400 Bad Request";
    case 401:
      return "401 Unauthorized";
    case 403:
      return "403 Forbidden";
    case 404:
      return "404 Not Found";
    case 410:
      return "410 Gone";
    case 500:
      return "500 Internal Server Error";
    case 503:
      return "503 Service Unavailable";
    default:
      return std::to_string(status);
  }
}

// "SignatureDoesNotMatch: The request signature ..."
std::string s3_words(std::string_view body) {
  const std::string code = element_of(body, "Code");
  const std::string message = element_of(body, "Message");
  const std::string words = message.empty() ? code : code + ": " + message;
  return printable(words.substr(0, kReasonBytesMax));
}

std::string s3_remedy(const std::string& code, const S3Settings& s3) {
  if (s3.is_anonymous()) {
    return "the request was anonymous; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and "
           "AWS_SESSION_TOKEN), or AWS_PROFILE";
  }
  if (code == "SignatureDoesNotMatch") {
    return "check AWS_SECRET_ACCESS_KEY, which does not belong to AWS_ACCESS_KEY_ID, and "
           "AWS_REGION";
  }
  if (code == "InvalidAccessKeyId") return "the server does not know the key in AWS_ACCESS_KEY_ID";
  if (code == "ExpiredToken" || code == "InvalidToken") return "renew AWS_SESSION_TOKEN";
  if (code == "RequestTimeTooSkewed") return "set the clock of this machine";
  return "the key in AWS_ACCESS_KEY_ID may not read it, or it does not exist; for a public bucket "
         "set AWS_NO_SIGN_REQUEST=yes";
}

Trouble s3_trouble(const WireHead& head, std::string_view body, const S3Settings& s3) {
  const std::string code = element_of(body, "Code");
  const std::string words = s3_words(body);
  const std::string said = words.empty() ? status_words(head.status) : words;
  const std::string region = head.field("x-amz-bucket-region");
  if (head.status == 404) {
    return {.reason = code == "NoSuchBucket" ? "no such bucket" : "no such object",
            .kind = ErrorKind::NotFound};
  }
  if (head.status == 301 || head.status == 307 || code == "AuthorizationHeaderMalformed") {
    return {.reason = fmt::format("the bucket is not in region {} ({}); set AWS_REGION{}",
                                  s3.region, said, region.empty() ? "" : "=" + region)};
  }
  if (head.status == 403 || head.status == 401) {
    return {.reason = fmt::format("access denied ({}): {}", said, s3_remedy(code, s3))};
  }
  return {.reason = fmt::format("the server answers {} ({})", head.status, said),
          .may_pass = may_pass(head.status)};
}

Trouble http_trouble(const WireHead& head) {
  const std::string words = status_words(head.status);
  if (head.status == 404 || head.status == 410) {
    return {.reason = fmt::format("no such file on the server ({})", words),
            .kind = ErrorKind::NotFound};
  }
  if (head.status == 401 || head.status == 403) {
    return {.reason = fmt::format("the server refuses access ({})", words)};
  }
  if (head.status == 0) return {.reason = "the server did not answer", .may_pass = true};
  return {.reason = fmt::format("the server answers {}", words), .may_pass = may_pass(head.status)};
}

}  // namespace

std::string element_of(std::string_view xml, std::string_view name) {
  const std::string opening = fmt::format("<{}>", name);
  const std::size_t start = xml.find(opening);
  if (start == std::string_view::npos) return {};
  xml.remove_prefix(start + opening.size());
  const std::size_t end = xml.find(fmt::format("</{}>", name));
  return end == std::string_view::npos ? "" : std::string(xml.substr(0, end));
}

Trouble trouble_of_answer(const WireHead& head, std::string_view body, const S3Settings* s3) {
  Trouble trouble =
      s3 != nullptr && head.status != 0 ? s3_trouble(head, body, *s3) : http_trouble(head);
  const long seconds = std::strtol(head.field("retry-after").c_str(), nullptr, 10);
  trouble.wait_ms =
      static_cast<unsigned>(std::clamp<long>(seconds, 0, kRetryAfterMsMax / 1000) * 1000);
  return trouble;
}

bool learn_region(const WireHead& head, std::string_view body, S3Settings& s3) {
  if (head.status != 301 && head.status != 400 && head.status != 403) return false;
  std::string region = head.field("x-amz-bucket-region");
  if (region.empty()) region = element_of(body, "Region");
  if (region.empty() || region == s3.region || s3.region_is_learned) return false;
  s3.region_is_learned = true;
  s3.region = region;
  return true;
}

std::string read_body(Transfer& answer, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const std::size_t count = answer.read(bytes.data() + done, size - done);
    if (count == 0) break;
    done += count;
  }
  bytes.resize(done);
  return bytes;
}

Trouble trouble_of_transfer(const WireEnd& end) {
  const std::string reason = printable(end.reason);
  switch (end.kind) {
    case WireEnd::Kind::Complete:
      return {.reason = "the server sent fewer bytes than it announced", .may_pass = true};
    case WireEnd::Kind::Broken:
      return {.reason = "the connection broke: " + reason, .may_pass = true};
    case WireEnd::Kind::Unreachable:
      return {.reason = "the server cannot be reached: " + reason,
              .may_pass = true,
              .attempts_max = kFewAttempts};
    case WireEnd::Kind::Refused:
      return {.reason = "the connection was refused: " + reason,
              .may_pass = true,
              .attempts_max = kFewAttempts};
    case WireEnd::Kind::Secure:
      return {.reason = "no secure connection: " + reason +
                        "; for a server with its own certificates set SSL_CERT_FILE"};
    case WireEnd::Kind::Hopeless:
      return {.reason = reason};
  }
  return {.reason = reason};
}

}  // namespace webstrata
