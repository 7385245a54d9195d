// What probes found, in a folder, for `webstrata update`: answers as WARC (PROBE-….warc.gz) and
// outcomes as JSON lines (probes-….jsonl).
//
//   ProbeFiles files("found", clock);
//   files.write(response);
//   files.write(probed);
//   files.sync();    // then the ledger may know of them
//   files.close();   // the files get their names
//
// A file that is being written ends in ".open" and is locked. One that nobody locks was left by a
// run that was killed: the next run cuts off what is not whole and gives it its name. No file
// replaces another.

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
  // Makes the folder, and completes what killed runs left in it. `clock` must outlive the files.
  ProbeFiles(std::filesystem::path folder, const Clock& clock);
  ~ProbeFiles();
  ProbeFiles(const ProbeFiles&) = delete;
  ProbeFiles& operator=(const ProbeFiles&) = delete;

  void write(const Response& response);
  // The outcome, at a second after it was decided: of one second an archive believes the answer.
  // The same whenever it is written. Nothing if there is none.
  void write(const Probed& probed);
  // Everything written so far survives a crash of the machine.
  void sync();
  void close();
  // The base names that the files have after close(); those that were completed first.
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

// Completes what killed runs left open in a folder; the base names that the files have now. What
// held nothing whole is removed.
std::vector<std::string> complete_left(const std::filesystem::path& folder);

// Bytes of the whole gzip members at the beginning of a file, and how many they are.
struct WholeMembers {
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
};
WholeMembers whole_members(const std::filesystem::path& path);

}  // namespace webstrata
