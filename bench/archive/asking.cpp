// SPDX-License-Identifier: Apache-2.0

// Questions to a warm archive: the links of a page at a time, pages with very many captures, and
// exact in-links of a page with very many sources.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "bench/archive/crawl_files.h"
#include "bench/archive/program.h"
#include "bench/archive/sections.h"
#include "webstrata/archive/ask/archive.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/base/time.h"

namespace webstrata {
namespace {

constexpr Time kStart = 1'000'000'000;

struct Question {
  Uid page = 0;
  Time time = 0;
};

std::vector<Question> questions_about(const Archive& archive, const std::vector<Uid>& pages,
                                      std::size_t count) {
  std::vector<std::vector<Time>> times;
  for (const Uid page : pages) times.push_back(archive.capture_times(page));
  Random random(1);
  std::vector<Question> questions;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t page = random.below(pages.size());
    questions.push_back({pages[page], times[page][random.below(times[page].size())]});
  }
  return questions;
}

// Microseconds for links_at(), the best of some rounds; the first one warms the cache.
double links_at_us(const Archive& archive, const std::vector<Question>& questions, int rounds) {
  double best = std::numeric_limits<double>::max();
  std::uint64_t found = 0;
  for (int round = 0; round <= rounds; ++round) {
    const double start = cpu_seconds();
    for (const Question& question : questions) {
      found += archive.links_at(question.page, question.time).links.size();
    }
    best = std::min(best, cpu_seconds() - start);
  }
  if (found == 0) throw Error(ErrorKind::Corrupt, "no page has a link");
  return best * 1e6 / static_cast<double>(questions.size());
}

// Pages like the one of the target: about 70 links and 16 captures.
std::vector<Uid> middling_pages(const Archive& archive) {
  std::vector<Uid> pages;
  archive.pages([&](Uid page) {
    const std::uint64_t links = archive.link_count(page);
    const std::size_t captures = archive.capture_times(page).size();
    if (links >= 50 && links <= 90 && captures >= 12 && captures <= 20) pages.push_back(page);
    return true;
  });
  return pages;
}

void bench_site(const BenchOptions& options, const Program& program, Figures& figures) {
  const auto crawl = options.shared / "data" / "openbsd-www" / "links_all_versions.tsv.zst";
  program.build("site.ws", {crawl});
  const Archive archive = Archive::open(program.folder() / "site.ws");
  const auto pages = middling_pages(archive);
  figures.add("ask_links_at_us",
              links_at_us(archive, questions_about(archive, pages, 50'000), options.repetitions),
              "links of a page of 50-90 links and 12-20 captures at a time; target 5");
  const Uid page = archive.uid("https://www.openbsd.org/plus.html").value();
  figures.add("ask_plus_captures", static_cast<double>(archive.capture_times(page).size()),
              "captures of openbsd-www's plus.html");
  figures.add("ask_plus_at_us",
              links_at_us(archive, questions_about(archive, {page}, 20'000), options.repetitions),
              "its links at a time");
}

// A page of 70 links, one of which appears or vanishes in each of 100,000 captures.
std::vector<std::string> busy_page() {
  constexpr std::size_t kLinks = 70;
  Random random(2);
  std::vector<bool> is_there(kLinks, true);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < 100'000; ++i) {
    is_there[random.below(kLinks)].flip();
    std::string line = fmt::format("http://busy.example/\t{}",
                                   to_timestamp14(kStart + 3600 * static_cast<Time>(i)));
    for (std::size_t link = 0; link < kLinks; ++link) {
      if (is_there[link]) line += fmt::format("\thttp://busy.example/{}", link);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

void bench_busy_page(const BenchOptions& options, const Program& program, Figures& figures) {
  program.build("busy.ws", {write_lines(program.folder() / "busy.tsv", busy_page())});
  const Archive archive = Archive::open(program.folder() / "busy.ws");
  const Uid page = archive.uid("http://busy.example/").value();
  figures.add("ask_busy_at_us",
              links_at_us(archive, questions_about(archive, {page}, 20'000), options.repetitions),
              "links at a time of a made-up page of 100,000 captures");
}

// 100,000 pages with three captures each; half of them link to one page in the second alone.
std::vector<std::string> sources_of_one() {
  std::vector<std::string> lines;
  for (int page = 0; page < 100'000; ++page) {
    for (int capture = 0; capture < 3; ++capture) {
      std::string line = fmt::format("http://s{}.example/{}\t{}", page % 100, page,
                                     to_timestamp14(kStart + 86400 * Time{100} * capture));
      line += fmt::format("\thttp://s{}.example/{}", page % 100, page + capture);
      if (page % 2 == 0 || capture == 1) line += "\thttp://hub.example/";
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

void bench_in_links(const BenchOptions& options, const Program& program, Figures& figures) {
  program.build("hub.ws", {write_lines(program.folder() / "hub.tsv", sources_of_one())});
  const Archive archive = Archive::open(program.folder() / "hub.ws");
  const Uid hub = archive.uid("http://hub.example/").value();
  const Time last = kStart + 86400 * 200;
  const auto candidates = static_cast<double>(archive.link_count(hub, Direction::In));
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round <= options.repetitions; ++round) {
    const double start = cpu_seconds();
    const std::size_t found = archive.in_links_at(hub, last).size();
    best = std::min(best, cpu_seconds() - start);
    if (found != 50'000) throw Error(ErrorKind::Corrupt, "wrong number of in-links");
  }
  figures.add("ask_in_links_us_per_candidate", best * 1e6 / candidates,
              "exact in-links at a time of a page with 100,000 sources");
}

}  // namespace

void bench_asking(const BenchOptions& options, Figures& figures) {
  const Program program(options, "asking");
  bench_site(options, program, figures);
  bench_busy_page(options, program, figures);
  bench_in_links(options, program, figures);
}

}  // namespace webstrata
