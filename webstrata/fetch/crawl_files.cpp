// Tested by tests/fetch/crawl_files_test.cpp, and with kills by tests/fetch/crawl_kill_test.py.

#include "webstrata/fetch/crawl_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

// Shortens a file, for good.
void cut(const fs::path& path, std::uint64_t size) {
  if (::truncate(path.c_str(), static_cast<off_t>(size)) != 0) {
    throw Error(ErrorKind::Io,
                fmt::format("{}: cannot cut: {}", path.string(), std::strerror(errno)));
  }
}

}  // namespace

CrawlFiles::CrawlFiles(CrawlFilesOptions options, const Clock& clock, Ledger& ledger)
    : options_(std::move(options)), ledger_(ledger) {
  fs::create_directories(options_.folder);
  recover();
  writer_ = std::make_unique<WarcWriter>(WarcWriterOptions{
      .folder = options_.folder,
      .prefix = options_.prefix,
      .info = {{"http-header-user-agent", options_.agent}, {"robots", "obey (RFC 9309)"}},
      .file_bytes_max = options_.file_bytes_max,
      .first_serial = ledger.totals().warc_serial,
      .clock = [&clock] { return seconds_of(clock.now()); }});
}

// The last file that the ledger knows ends where the ledger says; files that it does not know hold
// nothing that counts.
void CrawlFiles::recover() {
  const LedgerTotals& totals = ledger_.totals();
  if (!totals.warc_file.empty()) {
    const fs::path closed = options_.folder / totals.warc_file;
    const fs::path open = options_.folder / (totals.warc_file + ".open");
    const fs::path& there = fs::exists(open) ? open : closed;
    if (!fs::exists(there) || fs::file_size(there) < totals.warc_end) {
      throw Error(ErrorKind::Corrupt,
                  fmt::format("{}: shorter than the job's ledger says; restore it from a copy",
                              there.string()));
    }
    if (fs::file_size(there) > totals.warc_end) cut(there, totals.warc_end);
    if (there == open) fs::rename(open, closed);
  }
  for (const auto& entry : fs::directory_iterator(options_.folder)) {
    if (entry.path().extension() == ".open") fs::remove(entry.path());
  }
  // A serial is used once: files that never counted may have been closed before the kill.
  for (const auto& entry : fs::directory_iterator(options_.folder)) {
    const std::string name = entry.path().filename();
    const bool is_newer = !totals.warc_file.empty() && name > totals.warc_file;
    const bool never_counted = totals.warc_file.empty() || is_newer;
    if (never_counted && name.starts_with(options_.prefix + "-")) fs::remove(entry.path());
  }
  sync_folder(options_.folder);
}

WarcPlace CrawlFiles::write(const Response& response, const std::string& block,
                            const std::optional<Earlier>& earlier) {
  const WarcMessage message{.url = response.url,
                            .time = seconds_of(response.started),
                            .http = block,
                            .ip = response.address,
                            .truncated = to_string(response.truncated)};
  const WarcPlace place = earlier
                              ? writer_->write_revisit(message, {.payload_digest = earlier->digest,
                                                                 .refers_to_url = response.url,
                                                                 .refers_to_time = earlier->time})
                              : writer_->write_response(message);
  last_ = place;
  if (!response.request_head.empty()) {
    WarcMessage request = message;
    request.http = response.request_head;
    request.truncated = {};
    last_ = writer_->write_request(request, place.record_id);
  }
  is_changed_ = true;
  return place;
}

void CrawlFiles::sync() {
  if (!is_changed_) return;
  writer_->sync();
  ledger_.set_warc_mark(last_.file, last_.offset + last_.length, writer_->next_serial());
  is_changed_ = false;
}

void CrawlFiles::close() {
  sync();
  writer_->close();
}

std::optional<CrawlFiles::Earlier> earlier_capture(const Archive& archive, const std::string& url,
                                                   const std::string& digest) {
  const auto uid = archive.uid(url);
  if (!uid || digest.empty()) return std::nullopt;
  std::optional<CrawlFiles::Earlier> latest;
  for (const Sighting& sighting : archive.sightings(*uid)) {
    if (sighting.digest != digest || sighting.outcome != Outcome::Alive) continue;
    if (!latest || sighting.time > latest->time) latest = {sighting.time, digest};
  }
  return latest;
}

}  // namespace webstrata
