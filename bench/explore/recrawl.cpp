// SPDX-License-Identifier: Apache-2.0

// Replays the history of one site: how well recrawl policies would have done.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bench/explore/sections.h"
#include "bench/lines.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/explore/recrawl_replay.h"

namespace webstrata {
namespace {

// URL, time, 200 or 404 (deleted), digest, length: one line per version, separated by tabs.
std::vector<PageVersions> histories_of(const std::filesystem::path& path) {
  std::map<std::string, PageVersions, std::less<>> pages;
  for_each_line(path, [&](std::string_view line) {
    std::string_view fields[4];
    for (std::string_view& field : fields) {
      field = line.substr(0, line.find('\t'));
      line.remove_prefix(std::min(line.size(), field.size() + 1));
    }
    const auto time = parse_time(fields[1]);
    if (!time) return;
    const std::uint64_t content = fields[2] == "200" ? checksum64(fields[3]) | 1 : 0;
    pages[std::string(fields[0])].versions.push_back({*time, content});
  });
  std::vector<PageVersions> histories;
  for (auto& [url, page] : pages) {
    std::ranges::stable_sort(page.versions, {}, &PageVersion::time);
    histories.push_back(std::move(page));
  }
  return histories;
}

Time new_year(int year) { return *parse_time(fmt::format("{}-01-01T00:00:00Z", year)); }

}  // namespace

void measure_recrawl(const ExploreBench& bench) {
  const auto histories = histories_of(bench.shared / "data/openbsd-www/captures.tsv.gz");
  fmt::print("openbsd-www, {} pages; mean freshness over {} draws of visits (seeds {}..)\n",
             histories.size(), bench.sets, bench.seed);
  fmt::print("{:<24}{:>7}{:>11}{:>9}{:>7}", "learned, tested", "pages", "unchanged", "visits",
             "none");
  for (const RecrawlPolicyEntry& entry : recrawl_policies()) fmt::print("{:>14}", entry.name);
  fmt::print("\n");
  for (const int year : {2000, 2005, 2010, 2015}) {
    for (const double visits_a_year : {1.0, 4.0, 12.0}) {
      ReplayOptions options{
          .begin = new_year(year), .split = new_year(year + 3), .end = new_year(year + 5)};
      options.visits_per_day = 0;
      const auto pages = static_cast<double>(replay(histories, options).pages);
      options.visits_per_day = visits_a_year * pages / 365.25;
      std::vector<double> fresh(recrawl_policies().size());
      ReplayResult result;
      for (std::uint64_t draw = 0; draw < bench.sets; ++draw) {
        options.seed = bench.seed + draw;
        result = replay(histories, options);
        for (std::size_t i = 0; i < fresh.size(); ++i) {
          fresh[i] += result.policies[i].freshness / static_cast<double>(bench.sets);
        }
      }
      fmt::print("{}-{}, {}-{}    {:>7}{:>9.0f} %{:>9.0f}{:>7.3f}", year, year + 2, year + 3,
                 year + 4, result.pages,
                 100 * static_cast<double>(result.unchanged) / static_cast<double>(result.pages),
                 visits_a_year, result.without_visits);
      for (const double share : fresh) fmt::print("{:>14.3f}", share);
      fmt::print("\n");
      std::fflush(stdout);
    }
  }
}

}  // namespace webstrata
