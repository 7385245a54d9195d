// SPDX-License-Identifier: Apache-2.0

// Importing facts into an existing archive, compared with building it from scratch: the papers'
// Figures 5 (two parts) and 6 (four parts, one after the other or at once), and small updates.
// growing.cpp then updates archives of several sizes.

#include <array>
#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "bench/archive/crawl_files.h"
#include "bench/archive/program.h"
#include "bench/archive/sections.h"

namespace webstrata {
namespace {

using Lines = std::span<const std::string>;

// Updates of one crawl, as shares of the time that a build from all of it takes.
class Updates {
 public:
  Updates(const BenchOptions& options, const Program& program, std::string name, Lines lines,
          std::string suffix)
      : options_(options),
        program_(program),
        name_(std::move(name)),
        suffix_(std::move(suffix)),
        lines_(lines) {
    const auto all = file("all", 0, 1);
    for (int i = 0; i < repetitions(); ++i) {
      const Run now = program_.build("all.ws", {all});
      whole_ = i == 0 ? now : better(whole_, now);
    }
  }

  [[nodiscard]] const Run& whole() const { return whole_; }

  // Lines of the crawl, from one share of it to another, as a file.
  std::string file(const std::string& part, double from, double to) const {
    const auto at = [&](double share) {
      return static_cast<std::size_t>(share * static_cast<double>(lines_.size()));
    };
    return write_lines(program_.folder() / (name_ + "-" + part + suffix_),
                       lines_.subspan(at(from), at(to) - at(from)));
  }

  // An archive of the first share, updated with the rest.
  void measure_split(const std::string& figure, double share, const std::string& meaning,
                     Figures& figures) const {
    program_.build("first.ws", {file("first", 0, share)});
    const Run run = program_.update_copy("first.ws", {file("rest", share, 1)}, repetitions());
    figures.add(name_ + "_" + figure, run.cpu_seconds / whole_.cpu_seconds, meaning);
  }

  // An archive of everything, updated with a file that brings no new key.
  void measure_more(const std::string& figure, const std::string& file, const std::string& meaning,
                    Figures& figures) const {
    const Run run = program_.update_copy("all.ws", {file}, repetitions());
    figures.add(name_ + "_" + figure, run.cpu_seconds / whole_.cpu_seconds, meaning);
  }

  // Figure 6: four parts. One by one three archives are made on the way.
  void measure_quarters(Figures& figures) const {
    std::array<std::string, 4> parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i] = file(fmt::format("quarter{}", i), 0.25 * static_cast<double>(i),
                      0.25 * static_cast<double>(i + 1));
    }
    double one_by_one = program_.build("quarters.ws", {parts[0]}).cpu_seconds;
    const double first = one_by_one;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const double seconds = program_.update("quarters.ws", {parts[i]}).cpu_seconds;
      figures.add(fmt::format("{}_quarter_{}", name_, i + 1), seconds / whole_.cpu_seconds,
                  "taking in that quarter / building all; never above 1");
      one_by_one += seconds;
    }
    program_.build("at-once.ws", {parts[0]});
    const double at_once =
        first + program_.update("at-once.ws", {parts[1], parts[2], parts[3]}).cpu_seconds;
    figures.add(name_ + "_one_by_one", one_by_one / whole_.cpu_seconds,
                "four quarters, one after the other / building all");
    figures.add(name_ + "_n_way", at_once / whole_.cpu_seconds,
                "the first quarter, then three at once / building all");
  }

 private:
  [[nodiscard]] int repetitions() const { return std::min(3, options_.repetitions); }

  const BenchOptions& options_;
  const Program& program_;
  std::string name_;
  std::string suffix_;
  Lines lines_;
  Run whole_;
};

// Probes of every hundredth page: a sighting each, later than all others.
std::vector<std::string> probes_of(Lines captures) {
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> probes;
  for (const std::string& line : captures) {
    const auto [page, is_new] = seen.insert(field(line, 0));
    if (!is_new || seen.size() % 100 != 1) continue;
    probes.push_back(fmt::format(
        R"({{"url":"{}","time":"20260901000000","kind":"probe","status":200}})", *page));
  }
  return probes;
}

// The last tenth again, four years later: as many captures, links and pages, and no new names.
std::vector<std::string> again_later(Lines captures) {
  std::vector<std::string> later;
  for (const std::string& line : captures.subspan(captures.size() / 10 * 9)) {
    const std::string_view page = field(line, 0);
    std::string time(field(line, 1));
    const int year = std::stoi(time.substr(0, 4)) + 4;  // leap days stay
    const auto rest = line.substr(page.size() + 1 + time.size());
    time.replace(0, 4, std::to_string(year));
    later.push_back(fmt::format("{}\t{}{}", page, time, rest));
  }
  return later;
}

}  // namespace

void bench_updating(const BenchOptions& options, Figures& figures) {
  const Program program(options, "updating");
  const auto site = openbsd_by_time(options.shared);
  const Updates updates(options, program, "update_openbsd", site, ".tsv");
  figures.add("build_openbsd_seconds", updates.whole().cpu_seconds,
              "CPU seconds for 30 years of openbsd-www; what follows is shares of it");
  updates.measure_split("tenth", 0.9, "the latest 10 % of captures; target 0.4", figures);
  updates.measure_split("third", 2.0 / 3, "the latest third, as in the papers' Figure 5", figures);
  updates.measure_quarters(figures);
  updates.measure_more("no_new_key", write_lines(program.folder() / "later.tsv", again_later(site)),
                       "10 % more captures that name nothing new", figures);
  updates.measure_more("probes", write_lines(program.folder() / "probes.jsonl", probes_of(site)),
                       "sightings of 1 % of the pages; target 0.05", figures);

  auto web = lines_of(options.shared / "data" / "debweb" / "captures.bullseye.jsonl.zst");
  const double share_of_first = static_cast<double>(web.size());
  const auto newer = lines_of(options.shared / "data" / "debweb" / "captures.bookworm.jsonl.zst");
  web.insert(web.end(), newer.begin(), newer.end());
  const Updates releases(options, program, "update_debweb", web, ".jsonl");
  figures.add("build_debweb_seconds", releases.whole().cpu_seconds,
              "CPU seconds for both releases of debweb");
  releases.measure_split("release", share_of_first / static_cast<double>(web.size()),
                         "bookworm onto bullseye; never above 1", figures);
  bench_growing(options, figures);
}

}  // namespace webstrata
