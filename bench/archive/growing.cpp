// SPDX-License-Identifier: Apache-2.0

// What updates cost in archives of different sizes: copies of debweb with other hosts are built,
// and then updated with one capture, with 1,600 captures, and with a hundred daily crawls of a
// thousandth of their pages. Costs are means over successive updates, so that the merges of strata
// are paid for (docs/decisions/023-strata.md); the worst single one is shown, too.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/archive/crawl_files.h"
#include "bench/archive/growth.h"
#include "bench/archive/program.h"
#include "bench/archive/sections.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/base/time.h"

namespace webstrata {
namespace {

constexpr Time kFirstDay = 1'735'689'600;  // 2025-01-01, later than all captures of debweb
constexpr Time kDay = 86'400;
constexpr int kRepeated = 10;  // updates of a fixed size, one after the other
constexpr int kDays = 100;
constexpr std::size_t kDailyShare = 1000;
constexpr std::size_t kNewNames = 10;  // every tenth capture of an update is of a new page

// A capture of debweb as one of another day, of the same page or of a new one.
std::string recaptured(std::string line, Time time, bool is_new) {
  const auto replace = [&](std::string_view before, const std::string& text) {
    const auto start = line.find(before);
    if (start == std::string::npos) throw Error(ErrorKind::BadInput, "not a line of debweb");
    const auto first = start + before.size();
    line.replace(first, line.find('"', first) - first, text);
  };
  replace(R"("ts":")", to_timestamp14(time));
  if (!is_new) return line;
  constexpr std::string_view kUrl = R"("url":")";
  const auto end = line.find('"', line.find(kUrl) + kUrl.size());
  line.insert(end, fmt::format("?at={}", time));
  return line;
}

// Copies of debweb, and crawls of their pages on later days.
class Copies {
 public:
  Copies(const BenchOptions& options, const Program& program) : program_(program) {
    for (const char* release : {"bullseye", "bookworm"}) {
      const auto name = fmt::format("captures.{}.jsonl.zst", release);
      const auto lines = lines_of(options.shared / "data" / "debweb" / name);
      lines_.insert(lines_.end(), lines.begin(), lines.end());
    }
  }

  [[nodiscard]] std::size_t capture_count() const { return lines_.size(); }

  // The files of the first `count` copies.
  Words files(int count) {
    while (static_cast<int>(files_.size()) < count) {
      const int copy = static_cast<int>(files_.size());
      const auto path = program_.folder() / fmt::format("copy{}.jsonl", copy);
      files_.push_back(write_lines(path, renamed(lines_, copy)));
    }
    return {files_.begin(), files_.begin() + count};
  }

  // `captures` random pages of `copies` copies, on a day that no other crawl has.
  std::string crawl(int copies, std::size_t captures) {
    const Time time = kFirstDay + kDay * day_++;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < captures; ++i) {
      const std::string& line = lines_[random_.below(lines_.size())];
      const int copy = static_cast<int>(random_.below(static_cast<std::uint64_t>(copies)));
      // Pages of one crawl differ in their seconds, or two captures of a page might be one.
      lines.push_back(
          renamed(recaptured(line, time + static_cast<Time>(i), i % kNewNames == 0), copy));
    }
    return write_lines(program_.folder() / fmt::format("day{}.jsonl", day_), lines);
  }

 private:
  const Program& program_;
  std::vector<std::string> lines_;
  Words files_;
  Random random_ = Random(1);
  Time day_ = 0;
};

struct Costs {
  double mean = 0;
  double worst = 0;
  double total = 0;
};

// CPU seconds of successive updates.
Costs updated(const Program& program, const std::string& archive, Copies& copies, int copy_count,
              std::size_t captures, int updates) {
  Costs costs;
  for (int i = 0; i < updates; ++i) {
    const std::string crawl = copies.crawl(copy_count, captures);
    const double seconds = program.update(archive, {crawl}).cpu_seconds;
    std::filesystem::remove(crawl);
    costs.total += seconds;
    costs.worst = std::max(costs.worst, seconds);
  }
  costs.mean = costs.total / updates;
  return costs;
}

double bytes_of(const std::filesystem::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return static_cast<double>(bytes);
}

// Bytes on disk and CPU seconds, after the daily crawls.
void bench_compacting(const Program& program, double built, int count, Figures& figures) {
  const double bytes = bytes_of(program.folder() / "all.ws");
  const double seconds = program.compact("all.ws").cpu_seconds;
  figures.add(fmt::format("update_daily_disk_copies_{}", count),
              bytes / bytes_of(program.folder() / "all.ws"),
              "bytes of the stack after 100 days / compacted; target 1.15");
  figures.add(fmt::format("update_compact_copies_{}", count), seconds / built,
              "compacting it / building all");
}

// Costs by the size of the archive.
struct Growth {
  std::vector<GrowthPoint> one;
  std::vector<GrowthPoint> many;
  std::vector<GrowthPoint> daily;  // per capture
};

void bench_size(const Program& program, Copies& copies, int count, Growth& growth,
                Figures& figures) {
  const double built = program.build("all.ws", copies.files(count)).cpu_seconds;
  const double facts = number_in(program.info("all.ws"), "link_facts");
  const auto name = [&](const char* what) {
    return fmt::format("update_{}_copies_{}", what, count);
  };
  figures.add(name("build"), built,
              fmt::format("CPU seconds to build {:.1f} M link facts", facts * 1e-6));

  const auto measure = [&](const char* what, std::size_t captures, const std::string& meaning) {
    program.copy("all.ws", "copy.ws");
    const Costs costs = updated(program, "copy.ws", copies, count, captures, kRepeated);
    figures.add(name(what), costs.mean, meaning);
    figures.add(name(what) + "_worst", costs.worst, "the worst of them");
    return costs.mean;
  };
  growth.one.push_back({facts, measure("one", 1,
                                       "CPU seconds: a capture with a new URL, mean of "
                                       "ten updates; target 0.5 at 48 M")});
  growth.many.push_back({facts, measure("1600", 1600, "1,600 captures, mean of ten updates")});

  const std::size_t captures =
      copies.capture_count() * static_cast<std::size_t>(count) / kDailyShare;
  const Costs daily = updated(program, "all.ws", copies, count, captures, kDays);
  growth.daily.push_back({facts, daily.total / kDays / static_cast<double>(captures)});
  figures.add(name("daily"), daily.total / built,
              fmt::format("100 daily crawls of {} captures / building all; target 1.0", captures));
  figures.add(name("daily_worst"), daily.worst / built, "the worst of them / building all");
  figures.add(name("daily_strata"), number_in(program.info("all.ws"), "strata"),
              "strata after 100 days");
  bench_compacting(program, built, count, figures);
}

}  // namespace

void bench_growing(const BenchOptions& options, Figures& figures) {
  const Program program(options, "growing");
  Copies copies(options, program);
  Growth growth;
  for (const int count : options.copies) bench_size(program, copies, count, growth, figures);
  if (options.copies.size() < 2) return;
  figures.add("update_one_exponent", growth_exponent(growth.one),
              "of the cost of one capture in the archive's size; target 0.15");
  figures.add("update_1600_exponent", growth_exponent(growth.many), "of 1,600; target 0.15");
  figures.add("update_daily_exponent", growth_exponent(growth.daily),
              "of the cost of a capture in daily crawls; target 0.15");
}

}  // namespace webstrata
