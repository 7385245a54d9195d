// SPDX-License-Identifier: Apache-2.0

// A run to look at: a crawl or probe job, a LiveRank campaign, a list of seeds. It is read from
// what the run writes, also while another process works on it.
//
//   const std::unique_ptr<const Run> run = open_run("job");
//   const RunSummary summary = run->summary();
//   run->each_page(0, [](std::uint64_t number, const RunPage& page) { …; return true; });

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webstrata/base/time.h"
#include "webstrata/fetch/wire/clock.h"

namespace webstrata::serve {

enum class RunKind : std::uint8_t { Crawl, Probe, Campaign, Seeds };
std::string_view to_string(RunKind kind) noexcept;

// What is known of one page.
struct RunPage {
  std::string url = {};
  std::string state = {};    // of a job: waiting, leased, done, dropped
  std::string outcome = {};  // empty: none yet
  int status = 0;
  std::string target = {};
  std::string evidence = {};
  std::optional<Moment> time = {};
  std::optional<Moment> not_before = {};  // of the next try
  std::uint64_t tries = 0;
  std::optional<std::uint64_t> depth = {};
  std::string from = {};
  std::optional<double> score = {};
  std::string why = {};
};

// One request for a page.
struct RunRequest {
  Moment time = 0;
  std::string kind = {};
  std::string why = {};
  double score = 0;
  std::string outcome = {};
  int status = 0;
  std::string evidence = {};
  std::string file = {};
  std::uint64_t offset = 0;
};

struct RunWhy {
  RunPage page;
  std::vector<std::string> path;  // the pages that lead to it, from a seed on
  std::vector<RunRequest> requests;
};

struct RunSummary {
  RunKind kind = RunKind::Crawl;
  bool is_running = false;
  std::optional<Moment> began = {};
  std::optional<Moment> changed = {};
  std::uint64_t tests = 0;  // pages with an outcome
  std::uint64_t found = 0;  // those that are looked for
  std::optional<std::uint64_t> waiting = {};
  std::optional<double> harvest = {};
  std::map<std::string, std::uint64_t> outcomes = {};
  std::map<std::string, std::uint64_t> states = {};
  // Further counts, and words: what a kind of run has besides.
  std::vector<std::pair<std::string, std::uint64_t>> counts = {};
  std::vector<std::pair<std::string, std::uint64_t>> budget = {};
  std::vector<std::pair<std::string, std::string>> words = {};
  std::vector<std::pair<std::string, std::string>> settings = {};
  // What was found against tests, all points.
  std::vector<std::string> columns = {};
  std::vector<double> points = {};  // row by row
};

class Run {
 public:
  virtual ~Run() = default;
  [[nodiscard]] virtual RunSummary summary() const = 0;
  // Pages by number, beginning with `from`, until `visit` returns false.
  using VisitPage = std::function<bool(std::uint64_t number, const RunPage& page)>;
  virtual void each_page(std::uint64_t from, const VisitPage& visit) const = 0;
  // Empty if the run does not know this URL, which is normalised.
  [[nodiscard]] virtual std::optional<RunWhy> why(const std::string& url) const = 0;
  // What is requested next, the first first.
  [[nodiscard]] virtual std::vector<std::string> plan() const = 0;
};

// Whether this is a run, without reading all of it.
bool is_run(const std::filesystem::path& path);
// Throws Error(NotFound) if it is not there, Error(BadInput) if it is not a run.
std::unique_ptr<const Run> open_run(const std::filesystem::path& path);

// Of the three kinds of places.
std::unique_ptr<const Run> open_job_run(const std::filesystem::path& folder);  // job_run.cpp
std::unique_ptr<const Run> open_campaign_run(
    const std::filesystem::path& file);                                        // campaign_run.cpp
std::unique_ptr<const Run> open_seeds_run(const std::filesystem::path& file);  // seeds_run.cpp

}  // namespace webstrata::serve
