// SPDX-License-Identifier: Apache-2.0

// The ledger keeps the length of the log that counts, as a setting: it is committed together with
// what the lines report. A log that is missing or shorter, because it was moved away, is continued
// where it is: it is a report, and the ledger the authoritative record.
//
// The columns are those of Heritrix 3. Tested by tests/fetch/crawl_log_test.cpp, and with kills by
// tests/fetch/crawl_kill_test.py.

#include "webstrata/fetch/crawl/crawl_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/limit_error.h"

namespace webstrata {
namespace {

constexpr std::string_view kLogBytes = "crawl-log-bytes";
constexpr std::size_t kHopsShown = 50;  // as Heritrix does; the rest is a number

std::string_view or_dash(std::string_view text) {
  return text.empty() ? std::string_view("-") : text;
}

// "2026-01-01T12:00:00.123Z"
std::string written_at(Moment moment) {
  const std::string seconds = to_rfc3339(seconds_of(moment));
  return fmt::format("{}.{:03}Z", seconds.substr(0, seconds.size() - 1),
                     moment - seconds_of(moment) * 1000);
}

// "20260101120000123+45"
std::string begun_at(Moment started, Moment finished) {
  return fmt::format("{}{:03}+{}", to_timestamp14(seconds_of(started)),
                     started - seconds_of(started) * 1000, std::max<Moment>(0, finished - started));
}

[[noreturn]] void fail_log(const std::filesystem::path& path, std::string_view doing) {
  throw Error(ErrorKind::Io,
              fmt::format("{}: cannot {}: {}", path.string(), doing, reason_of(errno)));
}

std::uint64_t counted_bytes(const Ledger& ledger) {
  const std::string text = ledger.setting(kLogBytes).value_or("0");
  std::uint64_t bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes);
  return bytes;
}

}  // namespace

FetchCode fetch_code_of(Failure failure) noexcept {
  switch (failure) {
    case Failure::NameNotFound:
    case Failure::NameServerFailed:
      return FetchCode::DnsFailed;
    case Failure::ConnectionRefused:
    case Failure::ConnectTimeout:
    case Failure::Tls:
      return FetchCode::ConnectFailed;
    case Failure::Reset:
    case Failure::BadProtocol:
    case Failure::HeadTooLarge:
      return FetchCode::ConnectBroken;
    case Failure::Timeout:
    case Failure::TooSlow:
      return FetchCode::Timeout;
    case Failure::AddressRefused:
      return FetchCode::BlockedByUser;
    case Failure::BadUrl:
      return FetchCode::Unfetchable;
    case Failure::None:
    case Failure::Cancelled:
      break;
  }
  return FetchCode::RuntimeError;
}

char hop_of(LinkKinds kinds) noexcept {
  if (kinds.has(LinkKind::Redirect) || kinds.has(LinkKind::Refresh)) return 'R';
  if (kinds.has(LinkKind::Navigation)) return 'L';
  if (kinds.has(LinkKind::Embed)) return 'E';
  if (kinds.has(LinkKind::Form)) return 'S';
  return kinds.has(LinkKind::Sitemap) ? 'M' : 'L';
}

Discovery discovery_of(const Ledger& ledger, const LedgerUrl& url) {
  Discovery discovery;
  LedgerUrl at = url;
  while (at.from != kNoUrl && discovery.path.size() < kHopsShown) {
    discovery.path.push_back(at.hop);
    at = ledger.url(at.from);
    if (discovery.path.size() == 1) discovery.via = at.url;
  }
  if (at.from == kNoUrl) discovery.source = at.url;
  std::ranges::reverse(discovery.path);
  const bool is_cut = at.from != kNoUrl && url.depth > kHopsShown;
  if (is_cut) discovery.path = fmt::format("{}+{}", url.depth - kHopsShown, discovery.path);
  return discovery;
}

std::string to_text(const CrawlLogLine& line) {
  const bool is_fetched = line.size.has_value();
  const std::string_view no_type = is_fetched ? "no-type" : "unknown";
  return fmt::format("{} {:>5} {:>10} {} {} {} {} #000 {} {} {} {}\n", written_at(line.written),
                     line.status, is_fetched ? std::to_string(*line.size) : "-", line.url,
                     or_dash(line.discovery.path), or_dash(line.discovery.via),
                     line.mime.empty() ? no_type : line.mime,
                     is_fetched ? begun_at(line.started, line.finished) : "-", or_dash(line.digest),
                     or_dash(line.discovery.source), or_dash(line.annotations));
}

CrawlLog::CrawlLog(std::filesystem::path path, Ledger& ledger)
    : path_(std::move(path)), ledger_(ledger) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0) fail_log(path_, "open");
  const auto there = ::lseek(descriptor_, 0, SEEK_END);
  if (there < 0) fail_log(path_, "seek in");
  size_ = std::min(static_cast<std::uint64_t>(there), counted_bytes(ledger_));
  const bool is_cut = ::ftruncate(descriptor_, static_cast<off_t>(size_)) == 0 &&
                      ::lseek(descriptor_, static_cast<off_t>(size_), SEEK_SET) >= 0;
  if (!is_cut) {
    const int error = errno;
    ::close(std::exchange(descriptor_, -1));
    errno = error;
    fail_log(path_, "cut");
  }
  sync_folder(path_.parent_path());
}

CrawlLog::~CrawlLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void CrawlLog::sync() {
  if (waiting_.empty()) return;
  try {
    write_all(descriptor_, waiting_, path_.string());
  } catch (const Error&) {  // a full disk: what was written before stays complete
    if (::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) fail_log(path_, "cut");
    throw;
  }
  if (::fdatasync(descriptor_) != 0) fail_log(path_, "fsync");
  size_ += waiting_.size();
  waiting_.clear();
  ledger_.set_setting(kLogBytes, std::to_string(size_));
}

}  // namespace webstrata
