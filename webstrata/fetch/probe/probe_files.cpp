// SPDX-License-Identifier: Apache-2.0

// Lines are collected in memory and written at sync(), after the WARC file. The next run completes
// what a killed run left: a WARC file is cut after its last whole gzip member, lines after the last
// line break, and files with nothing worth keeping are removed. A file that a running process
// writes is locked, and is not touched.
// Tested by tests/fetch/probe_files_test.cpp, and with kills by tests/fetch/probe_kill_test.py.

#include "webstrata/fetch/probe/probe_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/json.h"
#include "webstrata/base/limit_error.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOpen = ".open";
constexpr std::string_view kWarcPrefix = "PROBE";
constexpr std::string_view kLinesPrefix = "probes-";

[[noreturn]] void fail(const fs::path& path, std::string_view doing) {
  throw Error(ErrorKind::Io,
              fmt::format("{}: cannot {}: {}", path.string(), doing, reason_of(errno)));
}

bool is_ours(const std::string& name) {
  return name.ends_with(kOpen) &&
         (name.starts_with(fmt::format("{}-", kWarcPrefix)) || name.starts_with(kLinesPrefix));
}

std::uint64_t whole_lines(const fs::path& path) {
  const std::string text = read_file(path);
  const std::size_t end = text.rfind('\n');
  return end == std::string::npos ? 0 : end + 1;
}

// Bytes worth keeping of a file that was left open. A WARC file needs more than its first record,
// which only describes the file.
std::uint64_t worth_keeping(const fs::path& path) {
  if (path.filename().string().starts_with(kLinesPrefix)) return whole_lines(path);
  const WholeMembers whole = whole_members(path);
  return whole.count > 1 ? whole.bytes : 0;
}

std::string json_line(const Probed& probed) {
  const Judgement& judgement = probed.judgement;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("url", probed.url);
  json.field("time", to_rfc3339(seconds_of(probed.decided + 1000)));
  json.field("kind", "probe").field("outcome", to_string(judgement.outcome));
  if (judgement.status != 0) json.field("status", judgement.status);
  if (judgement.outcome == Outcome::Moved) json.field("redirect", judgement.target);
  json.end_object();
  line += '\n';
  return line;
}

}  // namespace

WholeMembers whole_members(const fs::path& path) {
  FileReader file = FileReader::open(path);
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw Error(ErrorKind::Io, "zlib cannot begin");
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> ending(&stream, inflateEnd);
  std::vector<char> in(1 << 16);
  std::vector<char> out(1 << 18);
  WholeMembers whole;
  std::uint64_t at = 0;  // bytes of the file that were inflated
  while (const std::size_t size = file.read(in.data(), in.size())) {
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(size);
    while (stream.avail_in > 0) {
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      const uInt before = stream.avail_in;
      const int code = inflate(&stream, Z_NO_FLUSH);
      at += before - stream.avail_in;
      if (code == Z_STREAM_END) {
        whole = {at, whole.count + 1};
        inflateReset(&stream);
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        return whole;
      }
    }
  }
  return whole;
}

// Never over a file that is there: "X.warc.gz", else "X-1.warc.gz" and so on.
fs::path rename_beside(const fs::path& path, const fs::path& named) {
  const std::string name = named.filename();
  const std::size_t dot = std::min(name.find('.'), name.size());
  fs::path target = named;
  for (int number = 1; ::link(path.c_str(), target.c_str()) != 0; ++number) {
    if (errno != EEXIST) fail(target, "make");
    target = named.parent_path() /
             (name.substr(0, dot) + "-" + std::to_string(number) + name.substr(dot));
  }
  fs::remove(path);
  return target;
}

// What killed runs left becomes whole and gets its name. Files that another process has locked are
// being written.
std::vector<std::string> complete_left(const fs::path& folder) {
  std::vector<std::string> names;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && is_ours(entry.path().filename())) left.push_back(entry.path());
  }
  std::ranges::sort(left);
  for (const fs::path& path : left) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) fail(path, "open");
    const bool is_left = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    fs::path named = fs::path(path).replace_extension();
    if (is_left && fs::exists(path)) {  // it may have got its name just now
      const std::uint64_t size = worth_keeping(path);
      const bool is_cut = ::ftruncate(descriptor, static_cast<off_t>(size)) == 0;
      if (!is_cut || ::fsync(descriptor) != 0) fail(path, "cut");
      if (size == 0) {
        fs::remove(path);
      } else {
        named = rename_beside(path, named);
        names.push_back(named.filename());
      }
    }
    ::close(descriptor);
  }
  if (!left.empty()) sync_folder(folder);
  return names;
}

ProbeFiles::ProbeFiles(fs::path folder, const Clock& clock)
    : folder_(std::move(folder)),
      warc_({.folder = folder_,
             .prefix = std::string(kWarcPrefix),
             .clock = [&clock] { return seconds_of(clock.now()); }}),
      clock_(clock) {
  fs::create_directories(folder_);
  names_ = complete_left(folder_);
}

ProbeFiles::~ProbeFiles() {
  if (lines_ >= 0) ::close(lines_);
}

void ProbeFiles::add_name(const std::string& name) {
  if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
}

void ProbeFiles::write(const Response& response) {
  const Time time = seconds_of(response.finished);
  const WarcPlace place = warc_.write_response({.url = response.url,
                                                .time = time,
                                                .http = archived_answer(response),
                                                .ip = response.address,
                                                .truncated = to_string(response.truncated)});
  warc_.write_request({.url = response.url, .time = time, .http = response.request_head},
                      place.record_id);
  add_name(place.file);
  is_changed_ = true;
}

void ProbeFiles::open_lines() {
  const std::string time = to_timestamp14(seconds_of(clock_.now()));
  for (unsigned serial = 0; lines_ < 0; ++serial) {
    lines_name_ = serial == 0 ? fmt::format("{}{}.jsonl", kLinesPrefix, time)
                              : fmt::format("{}{}-{}.jsonl", kLinesPrefix, time, serial);
    const fs::path path = folder_ / (lines_name_ + std::string(kOpen));
    lines_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (lines_ < 0 && errno != EEXIST) fail(path, "create");
    if (lines_ >= 0 && fs::exists(folder_ / lines_name_)) {
      ::close(std::exchange(lines_, -1));
      fs::remove(path);
    }
  }
  ::flock(lines_, LOCK_EX | LOCK_NB);
  sync_folder(folder_);
  add_name(lines_name_);
}

void ProbeFiles::write(const Probed& probed) {
  if (probed.judgement.outcome == Outcome::Unknown) return;
  unwritten_ += json_line(probed);
  is_changed_ = true;
}

void ProbeFiles::sync() {
  if (!is_changed_) return;
  warc_.sync();
  if (!unwritten_.empty()) {
    if (lines_ < 0) open_lines();
    write_all(lines_, unwritten_, (folder_ / lines_name_).string());
    unwritten_.clear();
    if (::fdatasync(lines_) != 0) fail(folder_ / lines_name_, "fsync");
  }
  is_changed_ = false;
}

void ProbeFiles::close() {
  sync();
  warc_.close();
  if (lines_ < 0) return;
  // While it is locked, so that no other process treats it as left over.
  fs::rename(folder_ / (lines_name_ + std::string(kOpen)), folder_ / lines_name_);
  ::close(std::exchange(lines_, -1));
  sync_folder(folder_);
}

}  // namespace webstrata
