// SPDX-License-Identifier: Apache-2.0

// The first request asks for the first bytes of the file: its answer says how large the file is,
// which version of it there is, and whether the server knows ranges.
//
//   206, Content-Range: bytes 0-262143/1000000   ranges, and the size
//   200                                          no ranges; the answer is dropped
//   416                                          an empty file: it has no first byte
//
// Later requests name the version they want: by If-Range, which gives 200 if there is another one,
// or by If-Match for S3, which gives 412 and is what its documents promise. Servers that ignore
// both are caught by comparing ETag, Last-Modified and the size of every answer.
// Tested by tests/capture/remote_stream_test.cpp and remote_test.py.

#include "webstrata/capture/remote/remote_file.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/interruption.h"
#include "webstrata/base/text.h"
#include "webstrata/capture/remote/remote_trouble.h"
#include "webstrata/capture/remote/s3_request.h"
#include "webstrata/url/percent.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr unsigned kPauseMsMax = 10'000;

std::optional<std::uint64_t> number_of(std::string_view text) {
  if (text.empty() || text.size() > 19 || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  return std::stoull(std::string(text));
}

// "bytes 0-99/1000"
struct ContentRange {
  std::optional<std::uint64_t> begin;  // empty in "bytes */1000"
  std::optional<std::uint64_t> size;
};

ContentRange parse_content_range(std::string_view text) {
  ContentRange range;
  const std::size_t space = text.find(' ');
  const std::size_t slash = text.find('/');
  if (space == std::string_view::npos || slash == std::string_view::npos || slash < space)
    return {};
  const std::string_view place = trim(text.substr(space, slash - space));
  range.begin = number_of(place.substr(0, place.find('-')));
  range.size = number_of(trim(text.substr(slash + 1)));
  return range;
}

// "user:password" of a URL, decoded.
std::string user_of(std::string_view url) {
  std::string_view rest = url.substr(url.find("://") + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t at = rest.rfind('@');
  std::string user;
  if (at != std::string_view::npos) append_percent_decoded(user, rest.substr(0, at));
  return user;
}

bool is_strong(std::string_view etag) { return etag.starts_with('"'); }

Trouble changed(std::string_view what) {
  return {.reason = fmt::format("changed on the server while it was read ({}); start again", what)};
}

}  // namespace

Attempts::Attempts(const RemoteOptions& options, std::string name)
    : options_(options), name_(std::move(name)) {}

void Attempts::failed(const Trouble& trouble) {
  ++failed_;
  const unsigned limit = trouble.attempts_max > 0
                             ? std::min(trouble.attempts_max, options_.attempts_max)
                             : options_.attempts_max;
  if (!trouble.may_pass || failed_ >= limit) {
    const std::string times =
        failed_ > 1 ? fmt::format(" ({} attempts in a row)", failed_) : std::string();
    throw Error(trouble.kind, fmt::format("{}: {}{}", name_, trouble.reason, times));
  }
  const unsigned pause =
      std::max(trouble.wait_ms, std::min(options_.first_pause_ms << (failed_ - 1), kPauseMsMax));
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(pause);
  while (std::chrono::steady_clock::now() < until) {
    check_file_interruption();
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(pause, 50U)));
  }
}

std::shared_ptr<RemoteFile> RemoteFile::open(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<RemoteFile>> known;
  {
    const std::lock_guard lock(mutex);
    if (auto file = known[name].lock()) return file;
  }
  auto file = open(name, RemoteOptions{});
  const std::lock_guard lock(mutex);
  if (auto other = known[name].lock()) return other;  // somebody was faster
  std::erase_if(known, [](const auto& one) { return one.second.expired(); });
  known[name] = file;
  return file;
}

std::shared_ptr<RemoteFile> RemoteFile::open(const std::string& name,
                                             const RemoteOptions& options) {
  return std::make_shared<RemoteFile>(name, options);
}

RemoteFile::RemoteFile(const std::string& name, const RemoteOptions& options)
    : name_(name), shown_(shown_name(name)), options_(options) {
  Url url;
  if (is_s3(name)) {
    s3_ = s3_settings();
    if (parse_object_name(name).key.empty()) {
      throw Error(ErrorKind::BadInput, shown_ + ": names no object; write s3://bucket/key");
    }
  } else if (!parse_url(name, url) || !url.is_web()) {
    throw Error(ErrorKind::BadInput, shown_ + ": not a valid URL");
  }
  wire_ = Wire::shared();
  find();
}

// ---- requests -----------------------------------------------------------------------------------

WireRequest RemoteFile::address() const {
  WireRequest request;
  if (s3_) {
    request = s3_request(*s3_, parse_object_name(name_));
  } else {
    Url url;
    parse_url(name_, url);
    request.url = url.href();
    request.user = user_of(name_);
    request.follows_redirects = true;
    request.ca_file = process_environment("SSL_CERT_FILE");
  }
  request.connect_seconds = options_.connect_seconds;
  request.stall_seconds = options_.stall_seconds;
  request.buffered_bytes_max = options_.block_bytes;
  return request;
}

std::unique_ptr<Transfer> RemoteFile::request(std::uint64_t begin, std::uint64_t end) const {
  WireRequest request = address();
  if (has_ranges_ || !is_found_) {
    request.headers.push_back(fmt::format("Range: bytes={}-{}", begin, end - 1));
  }
  if (is_found_ && has_ranges_ && is_strong(identity_.etag)) {
    request.headers.push_back(fmt::format("{}: {}", s3_ ? "If-Match" : "If-Range", identity_.etag));
  }
  return wire_->start(std::move(request));
}

// ---- answers ------------------------------------------------------------------------------------

std::optional<Trouble> RemoteFile::judge(Transfer& answer, std::uint64_t begin) const {
  const WireHead& head = answer.head();
  if (head.status == 0) return trouble_of_transfer(answer.end());
  if (!has_ranges_) {
    if (head.status == 200) return compare(head);
  } else if (head.status == 206) {
    const ContentRange range = parse_content_range(head.field("content-range"));
    if (range.size != size_) return changed("another size");
    if (range.begin != begin) {
      return Trouble{.reason = fmt::format("the server sends other bytes than those at {}", begin)};
    }
    return compare(head);
  } else if (head.status == 200 || head.status == 412 || head.status == 416) {
    if (const auto other = compare(head)) return other;
    return changed(fmt::format("status {}", head.status));
  }
  return trouble_of(answer, read_body(answer, kErrorBytesMax));
}

Trouble RemoteFile::trouble_of(Transfer& answer, const std::string& body) const {
  const bool is_ended = body.size() < kErrorBytesMax;
  if (is_ended && answer.end().kind == WireEnd::Kind::Hopeless) {  // too many redirects
    return trouble_of_transfer(answer.end());
  }
  return trouble_of_answer(answer.head(), body, s3_ ? &*s3_ : nullptr);
}

std::optional<Trouble> RemoteFile::compare(const WireHead& head) const {
  const std::string etag = head.field("etag");
  if (!etag.empty() && !identity_.etag.empty() && etag != identity_.etag) {
    return changed(fmt::format("ETag {} is now {}", identity_.etag, etag));
  }
  const std::string when = head.field("last-modified");
  if (!when.empty() && !identity_.changed.empty() && when != identity_.changed) {
    return changed(fmt::format("modified {}, now {}", identity_.changed, when));
  }
  const auto length = number_of(head.field("content-length"));
  if (!has_ranges_ && length && size_ && *length != *size_) return changed("another size");
  return std::nullopt;
}

Trouble RemoteFile::trouble_at_end(Transfer& answer) const {
  return trouble_of_transfer(answer.end());
}

// ---- the first answer ---------------------------------------------------------------------------

void RemoteFile::find() {
  Attempts attempts(options_, shown_);
  while (!is_found_) {
    const auto answer = request(0, options_.first_bytes);
    if (const auto trouble = take_first(*answer)) attempts.failed(*trouble);
  }
}

std::optional<Trouble> RemoteFile::take_first(Transfer& answer) {
  const WireHead& head = answer.head();
  if (head.status == 0) return trouble_of_transfer(answer.end());
  const ContentRange range = parse_content_range(head.field("content-range"));
  const bool is_empty = head.status == 416 && range.size.value_or(0) == 0;
  const bool is_part = head.status == 206 && range.begin == 0U && range.size;
  if (!is_empty && !is_part && head.status != 200) return take_error(answer);
  identity_ = {head.field("etag"), head.field("last-modified")};
  if (is_part) {
    size_ = range.size;
    return take_part(answer);
  }
  size_ = is_empty ? 0 : number_of(head.field("content-length"));
  has_ranges_ = is_empty;
  is_found_ = true;
  return std::nullopt;
}

std::optional<Trouble> RemoteFile::take_part(Transfer& answer) {
  const auto wanted = std::min<std::uint64_t>(options_.first_bytes, *size_);
  first_bytes_ = read_body(answer, wanted);
  // If the connection broke in between, streams continue there.
  if (first_bytes_.empty() && wanted > 0) return trouble_of_transfer(answer.end());
  has_ranges_ = true;
  is_found_ = true;
  return std::nullopt;
}

std::optional<Trouble> RemoteFile::take_error(Transfer& answer) {
  const WireHead& head = answer.head();
  const std::string body = read_body(answer, kErrorBytesMax);
  if (s3_ && learn_region(head, body, *s3_)) return std::nullopt;  // and ask again
  return trouble_of(answer, body);
}

}  // namespace webstrata
