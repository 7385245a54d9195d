// SPDX-License-Identifier: Apache-2.0

// As "Authenticating Requests (AWS Signature Version 4)" of the S3 API reference has it: a
// canonical form of the request is hashed, the hash signed with a key that is derived from the
// secret, the day, the region and the service. Tested by tests/capture/aws_signature_test.cpp.

#include "webstrata/capture/remote/aws_signature.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kScopeEnd = "aws4_request";

[[noreturn]] void fail() { throw Error(ErrorKind::Io, "OpenSSL cannot compute SHA-256"); }

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    fail();
  }
  return {reinterpret_cast<const char*>(digest.data()), size};
}

std::string hmac(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> code;
  unsigned size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), code.data(),
           &size) == nullptr) {
    fail();
  }
  return {reinterpret_cast<const char*>(code.data()), size};
}

std::string hex(std::string_view bytes) {
  std::string digits;
  for (const char c : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return digits;
}

using Header = std::pair<std::string, std::string>;  // the name in lower case

// Sorted by name.
std::vector<Header> signed_headers(const AwsRequest& request, const AwsCredentials& credentials,
                                   const std::string& moment, const std::string& content_digest) {
  std::vector<Header> headers = {{"host", request.host}};
  if (request.signs_content) headers.emplace_back("x-amz-content-sha256", content_digest);
  headers.emplace_back("x-amz-date", moment);
  if (!credentials.session_token.empty()) {
    headers.emplace_back("x-amz-security-token", credentials.session_token);
  }
  return headers;
}

}  // namespace

std::vector<std::string> sign_request(const AwsRequest& request, const AwsCredentials& credentials,
                                      Time now) {
  const std::string digits = to_timestamp14(now);
  const std::string day = digits.substr(0, 8);
  const std::string moment = fmt::format("{}T{}Z", day, digits.substr(8));
  const std::string content_digest = hex(sha256(""));
  const auto headers = signed_headers(request, credentials, moment, content_digest);

  std::string canonical = fmt::format("GET\n{}\n{}\n", request.path, request.query);
  std::string names;
  for (const auto& [name, value] : headers) {
    canonical += fmt::format("{}:{}\n", name, value);
    names += (names.empty() ? "" : ";") + name;
  }
  canonical += fmt::format("\n{}\n{}", names, content_digest);

  const std::string scope =
      fmt::format("{}/{}/{}/{}", day, request.region, request.service, kScopeEnd);
  const std::string text =
      fmt::format("{}\n{}\n{}\n{}", kAlgorithm, moment, scope, hex(sha256(canonical)));
  std::string key = hmac("AWS4" + credentials.secret_key, day);
  for (const std::string_view step :
       {std::string_view(request.region), std::string_view(request.service), kScopeEnd}) {
    key = hmac(key, step);
  }

  std::vector<std::string> lines = {
      fmt::format("Authorization: {} Credential={}/{},SignedHeaders={},Signature={}", kAlgorithm,
                  credentials.access_key, scope, names, hex(hmac(key, text)))};
  for (const auto& [name, value] : headers) {
    if (name != "host") lines.push_back(fmt::format("{}: {}", name, value));
  }
  return lines;
}

}  // namespace webstrata
