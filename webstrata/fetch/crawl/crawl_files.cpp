// SPDX-License-Identifier: Apache-2.0

// The ledger's mark (file, offset, next serial) says what counts. recover_last() cuts the last file
// there and moves the rest aside; recover_others() looks at every file that was open or has a
// serial number the ledger never assigned, and keeps it only if a charge names it. sync() makes the
// files durable before the ledger's mark moves.
// Tested by tests/fetch/crawl_files_test.cpp, and with kills by tests/fetch/crawl_kill_test.py.

#include "webstrata/fetch/crawl/crawl_files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/fetch/crawl/crawl_index.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnfinished = ".open";
constexpr std::string_view kHost = "localhost";
constexpr std::size_t kPrefixMax = 100;  // a name has 255 bytes, and the rest of ours about 50

bool is_decimal(char c) noexcept { return c >= '0' && c <= '9'; }

bool may_begin_a_name(char c) noexcept {
  return is_decimal(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The serial number in "Prefix-20260101120000-00007-localhost.warc.gz"; empty if the name does not
// have that form: then the file is not ours.
std::optional<std::uint32_t> serial_of(std::string_view name) {
  const std::string ending = fmt::format("-{}.warc.gz", kHost);
  if (!name.ends_with(ending)) return std::nullopt;
  name.remove_suffix(ending.size());
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || dash < 16) return std::nullopt;
  const std::string_view digits = name.substr(dash + 1);
  const std::string_view time = name.substr(dash - 14, 14);
  std::uint32_t serial = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), serial);
  const bool is_ours = digits.size() >= 5 && error == std::errc() &&
                       end == digits.data() + digits.size() && name[dash - 15] == '-' &&
                       std::ranges::all_of(time, is_decimal);
  return is_ours ? std::optional(serial) : std::nullopt;
}

// Durable when it returns.
void copy_tail(const fs::path& from, std::uint64_t offset, const fs::path& to) {
  FileReader reader = FileReader::open(from);
  reader.seek(offset);
  FileWriter writer = FileWriter::create(to);
  std::string buffer(std::size_t{1} << 20, '\0');
  while (const std::size_t count = reader.read(buffer.data(), buffer.size())) {
    writer.write(std::string_view(buffer).substr(0, count));
  }
  writer.commit();
}

std::string without_open(std::string name) {
  if (name.ends_with(kUnfinished)) name.resize(name.size() - kUnfinished.size());
  return name;
}

// Those of `names` that hold the answer of a charge.
std::set<std::string> named_by_charges(const std::set<std::string>& names, const Ledger& ledger) {
  std::set<std::string> named;
  if (names.empty()) return named;
  ledger.each_charge_backwards([&](const Charge& charge) {
    if (names.contains(charge.file)) named.insert(charge.file);
    return named.size() < names.size();
  });
  return named;
}

}  // namespace

bool is_file_prefix(std::string_view prefix) {
  const auto may_be_inside = [](char c) {
    return may_begin_a_name(c) || c == '.' || c == '_' || c == '-';
  };
  return !prefix.empty() && prefix.size() <= kPrefixMax && may_begin_a_name(prefix.front()) &&
         std::ranges::all_of(prefix, may_be_inside);
}

CrawlFiles::CrawlFiles(CrawlFilesOptions options, const Clock& clock, Ledger& ledger)
    : options_(std::move(options)), ledger_(ledger) {
  if (!is_file_prefix(options_.prefix)) {
    throw Error(ErrorKind::BadInput, "the prefix of crawl files is not part of a file name");
  }
  if (options_.aside.empty()) options_.aside = options_.folder.parent_path() / "aside";
  fs::create_directories(options_.folder);
  if (!options_.indexes.empty()) {
    index_ = std::make_unique<CrawlIndex>(options_.folder, options_.indexes);
  }
  recover();
  writer_ = std::make_unique<WarcWriter>(WarcWriterOptions{
      .folder = options_.folder,
      .prefix = options_.prefix,
      .host = std::string(kHost),
      .info = {{"http-header-user-agent", options_.agent}, {"robots", "obey (RFC 9309)"}},
      .file_bytes_max = options_.file_bytes_max,
      .first_serial = first_serial_,
      .clock = [&clock] { return seconds_of(clock.now()); }});
}

CrawlFiles::~CrawlFiles() = default;

// ---- after a kill -------------------------------------------------------------------------------

// A name that is free among what was moved aside earlier.
fs::path CrawlFiles::free_place(const std::string& name) const {
  fs::path place = options_.aside / name;
  for (int number = 2; fs::exists(place); ++number) {
    place = options_.aside / fmt::format("{}.{}", name, number);
  }
  return place;
}

void CrawlFiles::move_aside(const fs::path& path) {
  fs::create_directories(options_.aside);
  if (index_) index_->drop(without_open(path.filename()));
  const fs::path place = free_place(path.filename());
  fs::rename(path, place);
  sync_folder(options_.aside);
  moved_aside_.push_back(place);
}

// Shortens a file. What is cut off is moved aside first; records are compressed one by one, so that
// it can be read as a separate file.
void CrawlFiles::cut(const fs::path& path, std::uint64_t size) {
  fs::create_directories(options_.aside);
  const std::string name = without_open(path.filename());
  if (index_) index_->drop(name);
  const fs::path place = free_place(fmt::format("after-{}-{}", size, name));
  copy_tail(path, size, place);
  moved_aside_.push_back(place);
  if (::truncate(path.c_str(), static_cast<off_t>(size)) != 0) {
    throw Error(ErrorKind::Io,
                fmt::format("{}: cannot cut: {}", path.string(), std::strerror(errno)));
  }
}

// The last file that the ledger knows ends where the ledger says.
void CrawlFiles::recover_last() {
  const LedgerTotals& totals = ledger_.totals();
  if (totals.warc_file.empty()) return;
  const fs::path closed = options_.folder / totals.warc_file;
  const fs::path open = options_.folder / fmt::format("{}{}", totals.warc_file, kUnfinished);
  const fs::path& there = fs::exists(open) ? open : closed;
  if (!fs::exists(there) || fs::file_size(there) < totals.warc_end) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: shorter than the job's ledger says; restore it from a copy",
                            there.string()));
  }
  if (fs::file_size(there) > totals.warc_end) cut(there, totals.warc_end);
  if (there == open) fs::rename(open, closed);
}

// Every other file that was still open, or whose serial number the ledger has not assigned yet,
// contains nothing that counts, unless a charge names it.
void CrawlFiles::recover_others() {
  const std::uint32_t next_serial = ledger_.totals().warc_serial;
  std::set<std::string> doubtful;
  for (const auto& entry : fs::directory_iterator(options_.folder)) {
    const std::string name = entry.path().filename();
    const auto serial = serial_of(without_open(name));
    if (!serial) continue;
    first_serial_ = std::max(first_serial_, *serial + 1);
    if (name.ends_with(kUnfinished) || *serial >= next_serial) doubtful.insert(name);
  }
  std::set<std::string> closed_names;
  for (const std::string& name : doubtful) closed_names.insert(without_open(name));
  const std::set<std::string> named = named_by_charges(closed_names, ledger_);
  for (const std::string& name : doubtful) {
    const std::string closed = without_open(name);
    if (!named.contains(closed)) {
      move_aside(options_.folder / name);
    } else if (name != closed && !fs::exists(options_.folder / closed)) {
      fs::rename(options_.folder / name, options_.folder / closed);
    } else if (name != closed) {
      move_aside(options_.folder / name);
    }
  }
}

// A serial number is used only once, so that no file that was moved aside has the same name as
// another.
void CrawlFiles::recover() {
  first_serial_ = ledger_.totals().warc_serial;
  recover_last();
  recover_others();
  sync_folder(options_.folder);
}

// ---- what is written ----------------------------------------------------------------------------

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
  const bool is_next_file = !last_.file.empty() && last_.file != place.file;
  if (index_ && is_next_file) index_->add(last_.file);
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
  if (index_) index_->finish();
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
