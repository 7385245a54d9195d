// SPDX-License-Identifier: Apache-2.0

// What probes found, in a folder, for `webstrata update`: answers as WARC (PROBE-….warc.gz) and
// outcomes as JSON lines (probes-….jsonl).
//
//   ProbeFiles files("found", clock);
//   files.write(response);
//   files.write(probed);
//   files.sync();    // then the ledger may know of them
//   files.close();   // the files get their names
//
// A file that is being written ends in ".open" and is locked. One that is not locked was left by a
// killed run: the next run cuts off what is incomplete and renames it. No file replaces another.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "webstrata/capture/warc_writer.h"
#include "webstrata/fetch/probe/prober.h"
#include "webstrata/fetch/wire/clock.h"
#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

class ProbeFiles {
 public:
  // Creates the folder, and completes files that killed runs left in it. `clock` must outlive the
  // files.
  ProbeFiles(std::filesystem::path folder, const Clock& clock);
  ~ProbeFiles();
  ProbeFiles(const ProbeFiles&) = delete;
  ProbeFiles& operator=(const ProbeFiles&) = delete;

  void write(const Response& response);
  // The outcome, dated one second after it was decided, because within one second an archive
  // prefers the answer. The same whenever it is written. Writes nothing if there is none.
  void write(const Probed& probed);
  // Everything written so far survives a crash of the machine.
  void sync();
  void close();
  // The base names of the files after close(), beginning with those that were completed.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  void open_lines();
  void add_name(const std::string& name);

  std::filesystem::path folder_;
  WarcWriter warc_;
  const Clock& clock_;
  std::vector<std::string> names_;
  std::string lines_name_;  // without ".open"
  int lines_ = -1;
  std::string unwritten_;  // lines
  bool is_changed_ = false;
};

// Completes files that killed runs left open in a folder; returns their base names. Files without a
// complete record are removed.
std::vector<std::string> complete_left(const std::filesystem::path& folder);

// The size and number of the complete gzip members at the beginning of a file.
struct WholeMembers {
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
};
WholeMembers whole_members(const std::filesystem::path& path);

}  // namespace webstrata
