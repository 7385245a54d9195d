// SPDX-License-Identifier: Apache-2.0

// Questions to a stack of eight strata, next to the same archive in one stratum: each is answered
// by both in turn, and the figure is the ratio of their CPU times.

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "bench/archive/crawl_files.h"
#include "bench/archive/program.h"
#include "bench/archive/sections.h"
#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/ask/comparison.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/graph/archive_snapshot.h"

namespace webstrata {
namespace {

constexpr std::size_t kStrata = 8;
constexpr std::size_t kQuestions = 20'000;

using Lines = std::span<const std::string>;

// A base of half of the lines, then half of the rest, and so on.
void build_strata(const Program& program, const std::string& suffix, Lines lines) {
  for (std::size_t i = 0; i < kStrata; ++i) {
    const std::size_t size = i + 1 < kStrata ? (lines.size() + 1) / 2 : lines.size();
    const auto file =
        write_lines(program.folder() / fmt::format("part{}{}", i, suffix), lines.first(size));
    lines = lines.subspan(size);
    if (i == 0) {
      program.build("stack.ws", {file});
    } else {
      program.update("stack.ws", {file}, {"--no-merge"});
    }
  }
}

struct Pair {
  const Archive& stack;
  const Archive& one;
};

// CPU seconds of the stack as a multiple of those of one stratum, the best of some rounds in turn;
// the first one warms the caches.
template <typename Ask>
double ratio_of(const Pair& pair, int rounds, Ask ask) {
  double best[2] = {std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  std::uint64_t found[2] = {0, 0};
  for (int round = 0; round <= rounds; ++round) {
    for (const std::size_t side : {0, 1}) {
      const double start = cpu_seconds();
      found[side] = ask(side == 0 ? pair.stack : pair.one);
      best[side] = std::min(best[side], cpu_seconds() - start);
    }
  }
  if (found[0] == 0 || found[0] != found[1]) {
    throw Error(ErrorKind::Corrupt, "the stack answers otherwise");
  }
  return best[0] / best[1];
}

std::vector<Uid> some_pages(const Archive& archive) {
  std::vector<Uid> pages;
  archive.pages([&](Uid page) {
    pages.push_back(page);
    return true;
  });
  Random random(1);
  std::vector<Uid> chosen;
  for (std::size_t i = 0; i < kQuestions; ++i) chosen.push_back(pages[random.below(pages.size())]);
  return chosen;
}

// Bytes of all files, each once.
double disk_bytes(const std::filesystem::path& archive) {
  double bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(archive)) {
    if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
  }
  return bytes;
}

void compare(const BenchOptions& options, const Program& program, const std::string& name,
             Figures& figures) {
  const Archive stack = Archive::open(program.folder() / "stack.ws");
  const Archive one = Archive::open(program.folder() / "one.ws");
  const Pair pair = {stack, one};
  const std::vector<Uid> pages = some_pages(one);
  const Time time = one.manifest().counts.span.value().last;
  const auto add = [&](const std::string& question, const std::string& meaning, auto ask) {
    figures.add(fmt::format("stack_{}_{}", name, question),
                ratio_of(pair, options.repetitions, ask), meaning + ", stack / one; target 1.5");
  };
  const auto each = [&](auto ask) {
    return [&pages, ask](const Archive& archive) {
      std::uint64_t found = 0;
      for (const Uid page : pages) found += ask(archive, page);
      return found;
    };
  };
  figures.add(fmt::format("stack_{}_strata", name),
              static_cast<double>(stack.manifest().strata.size()), "strata");
  add("links_at", "links of a page at a time", each([&](const Archive& archive, Uid page) {
        return archive.links_at(page, time).links.size();
      }));
  add("links", "all links of a page",
      each([](const Archive& archive, Uid page) { return archive.links(page).size(); }));
  add("in_links", "all links to a page", each([](const Archive& archive, Uid page) {
        return archive.links(page, Direction::In).size();
      }));
  add("captures", "times of captures of a page",
      each([](const Archive& archive, Uid page) { return archive.capture_times(page).size(); }));
  add("page", "all facts of a page", each([](const Archive& archive, Uid page) {
        PageFacts facts;
        archive.page(page, facts);
        return facts.sightings.size();
      }));
  add("uid", "the uid of a URL", [&](const Archive& archive) {
    std::uint64_t found = 0;
    for (const Uid page : pages) found += archive.uid(one.url(page)).value();
    return found;
  });
  add("snapshot", "loading a snapshot", [&](const Archive& archive) {
    SnapshotRequest request;
    request.work.threads = 1;
    request.time = GraphTime::at(time);
    return snapshot_of(archive, request).link_count();
  });
  add("stats", "statistics of all links", [&](const Archive& archive) {
    StatisticsOptions of;
    of.scan.work.threads = 1;
    return link_statistics(archive, of).link_facts;
  });
  figures.add(fmt::format("stack_{}_disk", name),
              disk_bytes(program.folder() / "stack.ws") / disk_bytes(program.folder() / "one.ws"),
              "bytes on disk, stack / one; target 1.15");
}

}  // namespace

void bench_stacking(const BenchOptions& options, Figures& figures) {
  const Program program(options, "stacking");
  const auto site = openbsd_by_time(options.shared);
  build_strata(program, ".tsv", site);
  program.build("one.ws", {write_lines(program.folder() / "all.tsv", site)});
  compare(options, program, "openbsd", figures);

  auto web = lines_of(options.shared / "data" / "debweb" / "captures.bullseye.jsonl.zst");
  const auto newer = lines_of(options.shared / "data" / "debweb" / "captures.bookworm.jsonl.zst");
  web.insert(web.end(), newer.begin(), newer.end());
  build_strata(program, ".jsonl", web);
  program.build("one.ws", {write_lines(program.folder() / "all.jsonl", web)});
  compare(options, program, "debweb", figures);
}

}  // namespace webstrata
