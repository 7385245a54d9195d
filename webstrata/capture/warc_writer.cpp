// SPDX-License-Identifier: Apache-2.0

// A record is built in memory, compressed as one gzip member and appended with one write; if that
// fails, for instance on a full disk, the file is cut back to its last complete record. The order
// in close() matters: data are synced, the file is renamed while it is still locked, then the
// folder is synced.
// Tested by tests/capture/warc_writer_test.cpp, and with warcio and fastwarc by
// tests/capture/warc_writer_peers_test.py.

#include "webstrata/capture/warc_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/limit_error.h"
#include "webstrata/base/version.h"
#include "webstrata/capture/gzip_member.h"
#include "webstrata/capture/http/http_message.h"
#include "webstrata/capture/record/digest.h"

namespace webstrata {
namespace {

constexpr std::string_view kRevisitProfiles = "http://netpreserve.org/warc/1.1/revisit/";

std::uint64_t seed_or_random(std::uint64_t seed) {
  if (seed != 0) return seed;
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view doing) {
  throw Error(ErrorKind::Io,
              fmt::format("{}: cannot {}: {}", path.string(), doing, reason_of(errno)));
}

}  // namespace

// Named fields of a record, in the order in which they are written. A value may not break the line.
struct WarcWriter::Fields {
  std::string text;

  void add(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    text.append(name).append(": ");
    for (const char c : value) text.push_back(c == '\r' || c == '\n' ? ' ' : c);
    text.append("\r\n");
  }
};

WarcWriter::WarcWriter(WarcWriterOptions options)
    : options_(std::move(options)),
      random_(seed_or_random(options_.seed)),
      serial_(options_.first_serial) {}

WarcWriter::~WarcWriter() {
  try {
    close();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): close() reports it
  }
}

// A random UUID (version 4, RFC 9562).
std::string WarcWriter::new_record_id() {
  const std::uint64_t a = random_.next();
  const std::uint64_t b = random_.next();
  return fmt::format("<urn:uuid:{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}>", a >> 32, a >> 16 & 0xffff,
                     a & 0xfff, (b >> 48 & 0x3fff) | 0x8000, b & 0xffffffffffff);
}

void WarcWriter::open_file() {
  const std::string time = to_timestamp14(options_.clock());
  std::filesystem::path path;
  // If another run took this serial in the same second, try the next.
  do {
    name_ = fmt::format("{}-{}-{:05}-{}.warc{}", options_.prefix, time, serial_++, options_.host,
                        options_.compress ? ".gz" : "");
    path = options_.folder / (name_ + ".open");
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0 && errno != EEXIST) fail(path, "create");
    if (descriptor_ >= 0 && std::filesystem::exists(options_.folder / name_)) {
      ::close(std::exchange(descriptor_, -1));
      ::unlink(path.c_str());
    }
  } while (descriptor_ < 0);
  // No other process must treat it as the remains of a killed run.
  ::flock(descriptor_, LOCK_EX | LOCK_NB);
  sync_folder(options_.folder);  // so that sync() makes all of it durable, the name too
  size_ = 0;

  std::string block = fmt::format(
      "software: {}\r\nformat: WARC File Format 1.1\r\n"
      "conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
      "\r\n",
      options_.software.empty() ? software() : std::string_view(options_.software));
  for (const auto& [name, value] : options_.info) block += fmt::format("{}: {}\r\n", name, value);
  Fields fields;
  fields.add("WARC-Type", "warcinfo");
  fields.add("WARC-Date", to_rfc3339(options_.clock()));
  fields.add("WARC-Filename", name_);
  fields.add("Content-Type", "application/warc-fields");
  warcinfo_id_.clear();
  warcinfo_id_ = write_record(fields, block).record_id;
}

WarcPlace WarcWriter::write_record(Fields& fields, std::string_view block) {
  WarcPlace place;
  place.record_id = new_record_id();
  fields.add("WARC-Record-ID", place.record_id);
  fields.add("WARC-Warcinfo-ID", warcinfo_id_);
  fields.add("WARC-Block-Digest", sha1_base32(block));
  fields.add("Content-Length", std::to_string(block.size()));
  std::string record = fmt::format("WARC/1.1\r\n{}\r\n", fields.text);
  record.append(block).append("\r\n\r\n");
  if (options_.compress) record = gzip_member(record);

  place.file = name_;
  place.offset = size_;
  place.length = record.size();
  try {
    write_all(descriptor_, record, (options_.folder / name_).string());
  } catch (const Error&) {  // a full disk: what was written before stays complete
    if (::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0)
      fail(options_.folder / name_, "cut");
    throw;
  }
  size_ += record.size();
  return place;
}

WarcPlace WarcWriter::write_response(const WarcMessage& message) {
  if (descriptor_ >= 0 && size_ >= options_.file_bytes_max) close();
  if (descriptor_ < 0) open_file();
  const std::string digest = sha1_base32(message.http.substr(http_head_size(message.http)));
  Fields fields;
  fields.add("WARC-Type", "response");
  fields.add("WARC-Target-URI", message.url);
  fields.add("WARC-Date", to_rfc3339(message.time));
  fields.add("WARC-IP-Address", message.ip);
  fields.add("WARC-Payload-Digest", digest);
  fields.add("WARC-Truncated", message.truncated);
  fields.add("Content-Type", "application/http; msgtype=response");
  WarcPlace place = write_record(fields, message.http);
  place.payload_digest = digest;
  return place;
}

WarcPlace WarcWriter::write_request(const WarcMessage& message, std::string_view concurrent_to) {
  if (descriptor_ < 0) open_file();
  Fields fields;
  fields.add("WARC-Type", "request");
  fields.add("WARC-Target-URI", message.url);
  fields.add("WARC-Date", to_rfc3339(message.time));
  fields.add("WARC-IP-Address", message.ip);
  fields.add("WARC-Concurrent-To", concurrent_to);
  fields.add("Content-Type", "application/http; msgtype=request");
  return write_record(fields, message.http);
}

WarcPlace WarcWriter::write_revisit(const WarcMessage& message, const WarcRevisit& revisit) {
  const bool is_not_modified = revisit.profile == RevisitProfile::NotModified;
  if (!is_not_modified && revisit.payload_digest.empty()) {
    throw Error(ErrorKind::BadInput, "a revisit with an identical payload needs its digest");
  }
  if (descriptor_ >= 0 && size_ >= options_.file_bytes_max) close();
  if (descriptor_ < 0) open_file();
  Fields fields;
  fields.add("WARC-Type", "revisit");
  fields.add("WARC-Target-URI", message.url);
  fields.add("WARC-Date", to_rfc3339(message.time));
  fields.add("WARC-IP-Address", message.ip);
  fields.add("WARC-Profile",
             fmt::format("{}{}", kRevisitProfiles,
                         is_not_modified ? "server-not-modified" : "identical-payload-digest"));
  fields.add("WARC-Payload-Digest", revisit.payload_digest);
  fields.add("WARC-Refers-To-Target-URI", revisit.refers_to_url);
  if (revisit.refers_to_time) {
    fields.add("WARC-Refers-To-Date", to_rfc3339(*revisit.refers_to_time));
  }
  fields.add("Content-Type", "application/http; msgtype=response");
  WarcPlace place = write_record(fields, message.http.substr(0, http_head_size(message.http)));
  place.payload_digest = revisit.payload_digest;
  return place;
}

WarcPlace WarcWriter::write_metadata(
    std::string_view url, Time time, std::string_view concurrent_to,
    const std::vector<std::pair<std::string, std::string>>& about) {
  if (descriptor_ < 0) open_file();
  Fields block;
  for (const auto& [name, value] : about) block.add(name, value);
  Fields fields;
  fields.add("WARC-Type", "metadata");
  fields.add("WARC-Target-URI", url);
  fields.add("WARC-Date", to_rfc3339(time));
  fields.add("WARC-Concurrent-To", concurrent_to);
  fields.add("Content-Type", "application/warc-fields");
  return write_record(fields, block.text);
}

void WarcWriter::sync() {
  if (descriptor_ >= 0 && ::fdatasync(descriptor_) != 0) fail(options_.folder / name_, "fsync");
}

void WarcWriter::close() {
  if (descriptor_ < 0) return;
  sync();
  const auto path = options_.folder / name_;
  const auto open_path = options_.folder / (name_ + ".open");
  const bool is_named = ::rename(open_path.c_str(), path.c_str()) == 0;  // while it is locked
  const int error = errno;
  ::close(std::exchange(descriptor_, -1));
  errno = error;
  if (!is_named) fail(path, "rename");
  sync_folder(options_.folder);
}

}  // namespace webstrata
