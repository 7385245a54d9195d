// SPDX-License-Identifier: Apache-2.0

// The runs that are served, by name, and what was last seen of each.
//
//   Runs runs({"week=jobs/7", "campaigns"});
//   const auto seen = runs.look(*runs.find("week"));  // read now if it changed
//   const auto same = runs.last_seen("week");         // no reading: what look() or refresh() saw
//
// A folder of runs is listed again for every question. A summary is read again only if the files of
// the run changed, and refresh(), which is called about once per second, reads only runs that were
// asked about in the last seconds; a run that takes long to read is read less often.

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/serve/runs/run.h"

namespace webstrata::serve {

struct RunPlace {
  std::string name;
  std::filesystem::path path;
};

// What was seen of a run; `version` grows with every change.
struct SeenRun {
  std::string name;
  RunSummary summary;
  std::uint64_t version = 0;
};

class Runs {
 public:
  // Words of users: a run, a folder of runs, or NAME=RUN. Throws Error(NotFound), Error(BadInput).
  explicit Runs(const std::vector<std::string>& words = {});

  // All of the moment, by name.
  [[nodiscard]] std::vector<RunPlace> places() const;
  [[nodiscard]] std::optional<RunPlace> find(std::string_view name) const;

  // Throws what open_run() throws.
  std::shared_ptr<const SeenRun> look(const RunPlace& place);
  // Null if it was never looked at.
  std::shared_ptr<const SeenRun> last_seen(const std::string& name);
  void refresh() noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    RunPlace place;
    std::string stamp = {};
    std::shared_ptr<const SeenRun> seen = {};
    Clock::time_point asked = Clock::now();
    Clock::time_point not_before = {};  // of the next reading by refresh()
  };

  std::shared_ptr<const SeenRun> current(const RunPlace& place);
  std::vector<RunPlace> watched();

  std::vector<RunPlace> named_;                 // runs
  std::vector<std::filesystem::path> folders_;  // of runs
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

}  // namespace webstrata::serve
