// SPDX-License-Identifier: Apache-2.0

// Importing crawl files into an archive: the speed on one and two threads, compared with a careful
// Python pipeline for the same links, and whether time grows in proportion to the links.

#include <cstdlib>

#include <fmt/format.h>

#include "bench/archive/crawl_files.h"
#include "bench/archive/growth.h"
#include "bench/archive/program.h"
#include "bench/archive/sections.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// 200 MB of real HTML in a WARC with a gzip member per record; bench/prepare.sh makes it.
std::filesystem::path prepare_warc(const BenchOptions& options) {
  const std::filesystem::path script = WEBSTRATA_SOURCE_DIR "/bench/prepare.sh";
  timed_command({script, options.folder, options.python, options.shared});
  return options.folder / "miniweb.warc.gz";
}

void bench_warc(const BenchOptions& options, const Program& program, Figures& figures) {
  const std::filesystem::path warc = prepare_warc(options);
  const double megabytes =
      static_cast<double>(std::filesystem::file_size(options.folder / "pages.bin")) * 1e-6;
  const Words peer_words = {options.python, options.shared / "peers" / "warc2edges.py", warc,
                            program.folder() / "peer.tsv", "fast"};
  Run one;
  Run two;
  Run python;
  for (int i = 0; i < options.repetitions; ++i) {
    const Run ours_one = program.build("one.ws", {warc}, {"--threads", "1"});
    const Run ours_two = program.build("two.ws", {warc}, {"--threads", "2"});
    const Run theirs = timed_command(peer_words);
    one = i == 0 ? ours_one : better(one, ours_one);
    two = i == 0 ? ours_two : better(two, ours_two);
    python = i == 0 ? theirs : better(python, theirs);
  }
  const double links = number_in(program.info("one.ws"), "link_facts");
  figures.add("build_warc_links", links, "200 MB of HTML in a WARC: link facts");
  figures.add("build_warc_mb_per_s", megabytes / one.cpu_seconds, "MB of HTML, one thread");
  figures.add("build_warc_klinks_per_s", links / one.cpu_seconds / 1e3, "one thread");
  figures.add("build_warc_mb_per_s_two", megabytes / two.wall_seconds, "two threads, wall time");
  figures.add("build_over_python", python.cpu_seconds / one.cpu_seconds,
              "Python's CPU time / ours, one thread; target 5");
  figures.add("build_over_python_two", python.wall_seconds / two.wall_seconds,
              "wall times, ours with two threads; target 8");
  figures.add("build_two_threads", one.wall_seconds / two.wall_seconds,
              "wall time of one thread / of two; target 1.7");
}

void bench_growth(const BenchOptions& options, const Program& program, Figures& figures) {
  const auto lines = lines_of(options.shared / "data" / "debweb" / "captures.bullseye.jsonl.zst");
  constexpr int kCopies = 8;
  Words files;
  std::vector<GrowthPoint> sizes;
  for (int copy = 0; copy < kCopies; ++copy) {
    const auto path = program.folder() / fmt::format("copy{}.jsonl", copy);
    files.push_back(write_lines(path, renamed(lines, copy)));
    const int count = copy + 1;
    if ((count & (count - 1)) != 0) continue;  // 1, 2, 4, 8
    Run best;
    for (int i = 0; i < std::min(2, options.repetitions); ++i) {
      const Run now = program.build("grown.ws", files, {"--memory", "512M"});
      best = i == 0 ? now : better(best, now);
    }
    sizes.push_back({number_in(program.info("grown.ws"), "link_facts"), best.cpu_seconds});
    figures.add(fmt::format("build_klinks_per_s_{}", count),
                sizes.back().size / sizes.back().cost / 1e3,
                fmt::format("debweb {} times over: {:.1f} M links, CPU time, 512 MB", count,
                            sizes.back().size * 1e-6));
  }
  figures.add("build_growth_exponent", growth_exponent(sizes), "of time in links; target 1.05");
}

}  // namespace

void bench_building(const BenchOptions& options, Figures& figures) {
  const Program program(options, "building");
  bench_warc(options, program, figures);
  bench_growth(options, program, figures);
}

}  // namespace webstrata
