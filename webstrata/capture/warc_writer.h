// SPDX-License-Identifier: Apache-2.0

// Writes WARC 1.1 (ISO 28500:2017) that other tools read: one gzip member per record, block and
// payload digests, files named Prefix-Timestamp-Serial-Host.warc.gz and cut at about a gigabyte.
//
//   WarcWriter writer({.folder = "crawl", .prefix = "NEWS", .host = "crawler1"});
//   const auto answer = writer.write_response({.url = url, .time = time, .http = answer_bytes});
//   writer.write_request({.url = url, .time = time, .http = request_bytes}, answer.record_id);
//   writer.close();
//
// The file that is being written ends in ".open" and is locked (flock) as long as its writer lives;
// close(), or the change to the next file, makes it durable and removes that ending. No file is
// ever replaced: if a name is taken, the next serial is used.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webstrata/base/random.h"
#include "webstrata/base/time.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {

struct WarcWriterOptions {
  std::filesystem::path folder;
  std::string prefix = "WEBSTRATA";
  std::string host = "localhost";
  std::string software = {};  // empty: this program and its version
  std::vector<std::pair<std::string, std::string>> info = {};  // more fields of warcinfo
  std::uint64_t file_bytes_max = 1'000'000'000;                // a new file begins after this
  unsigned first_serial = 0;                                   // in the names of files
  bool compress = true;
  std::uint64_t seed = 0;             // for record ids; 0: random
  std::function<Time()> clock = now;  // for file names and warcinfo
};

// Where a record went.
struct WarcPlace {
  std::string file;  // base name, without ".open"
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string record_id;       // "<urn:uuid:...>"
  std::string payload_digest;  // "sha1:..."; empty where the record has none
};

// A message of an HTTP exchange as it went over the wire.
struct WarcMessage {
  std::string_view url = {};
  Time time = 0;
  std::string_view http = {};       // first line, headers, empty line, body
  std::string_view ip = {};         // of the server, if known
  std::string_view truncated = {};  // length, time, disconnect or unspecified; empty if whole
};

struct WarcRevisit {
  RevisitProfile profile = RevisitProfile::IdenticalDigest;
  std::string_view payload_digest = {};  // required by IdenticalDigest
  std::string_view refers_to_url = {};
  std::optional<Time> refers_to_time = {};
};

class WarcWriter {
 public:
  explicit WarcWriter(WarcWriterOptions options);
  // Closes, but cannot report errors: call close().
  ~WarcWriter();
  WarcWriter(const WarcWriter&) = delete;
  WarcWriter& operator=(const WarcWriter&) = delete;

  WarcPlace write_response(const WarcMessage& message);
  // `concurrent_to` is the record id of the response.
  WarcPlace write_request(const WarcMessage& message, std::string_view concurrent_to);
  // Only the head of message.http is stored.
  WarcPlace write_revisit(const WarcMessage& message, const WarcRevisit& revisit);
  // Fields about another record, as application/warc-fields.
  WarcPlace write_metadata(std::string_view url, Time time, std::string_view concurrent_to,
                           const std::vector<std::pair<std::string, std::string>>& fields);

  // The number that the next file's name will have.
  [[nodiscard]] unsigned next_serial() const noexcept { return serial_; }

  // Everything written so far survives a crash of the machine.
  void sync();
  void close();

 private:
  struct Fields;
  void open_file();
  WarcPlace write_record(Fields& fields, std::string_view block);
  std::string new_record_id();

  WarcWriterOptions options_;
  Random random_;
  int descriptor_ = -1;
  std::string name_;
  std::uint64_t size_ = 0;
  unsigned serial_ = 0;
  std::string warcinfo_id_;
};

}  // namespace webstrata
