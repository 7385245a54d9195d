// SPDX-License-Identifier: Apache-2.0

// Tested by tests/report/verbs_test.py.

#include "webstrata/show/pages/diff_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/human.h"

namespace webstrata {
namespace {

using report::ColumnKind;
using report::KeyFigures;
using report::Plot;
using report::PlotKind;
using report::Table;

constexpr std::size_t kHostsDrawn = 25;  // more bars than this are hard to read; the table has all

// A count of a host, as `&HostDifference::pages_kept` names it.
using Count = std::uint64_t HostDifference::*;

KeyFigures key_figures(const HostDifference& total) {
  KeyFigures figures;
  const auto add = [&](const std::string& what, std::uint64_t kept, std::uint64_t appeared,
                       std::uint64_t vanished, std::uint64_t not_seen) {
    const std::string of = fmt::format("of {}", human_number(kept + vanished + not_seen));
    figures.figures.push_back({what + " kept", human_number(kept), of + ", seen again"});
    figures.figures.push_back({what + " appeared", human_number(appeared), ""});
    figures.figures.push_back(
        {what + " vanished", human_number(vanished), of + ", seen to be gone"});
    figures.figures.push_back({what + " not seen since", human_number(not_seen), of});
  };
  add("pages", total.pages_kept, total.pages_appeared, total.pages_vanished, total.pages_not_seen);
  add("links", total.links_kept, total.links_appeared, total.links_vanished, total.links_not_seen);
  return figures;
}

// "Of 533 pages there at the first time, 365 were seen again, 9 vanished and 159 were not seen
// since; 81 appeared."
std::string result_of(const HostDifference& total) {
  return fmt::format(
      "Of {} pages there at the first time, {} were seen again, {} vanished and {} were not seen "
      "since; {} appeared.",
      human_number(total.pages_kept + total.pages_vanished + total.pages_not_seen),
      human_number(total.pages_kept), human_number(total.pages_vanished),
      human_number(total.pages_not_seen), human_number(total.pages_appeared));
}

// Hosts with the largest sum of these counts, largest first; equal ones in order of key.
std::vector<HostDifference> largest_hosts(std::vector<HostDifference> hosts,
                                          const std::vector<Count>& counts) {
  const auto size = [&](const HostDifference& host) {
    std::uint64_t sum = 0;
    for (const Count count : counts) sum += host.*count;
    return sum;
  };
  std::ranges::stable_sort(hosts, std::greater<>(), size);
  if (hosts.size() > kHostsDrawn) hosts.resize(kHostsDrawn);
  return hosts;
}

Plot by_host(const DiffResult& result, const std::string& title, const std::string& unit,
             const std::vector<Count>& counts) {
  Plot plot{.title = title,
            .caption = result.hosts.size() > kHostsDrawn
                           ? fmt::format("The {} largest of {} hosts; the table has them all.",
                                         kHostsDrawn, result.hosts.size())
                           : "",
            .kind = PlotKind::Bar,
            .x = {.label = "host"},
            .y = {.label = unit},
            .series = {{.name = "kept"},
                       {.name = "appeared"},
                       {.name = "vanished"},
                       {.name = "not seen"}},
            .stacked = true};
  for (const HostDifference& host : largest_hosts(result.hosts, counts)) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      plot.series[i].x.push_back(static_cast<double>(plot.categories.size()));
      plot.series[i].y.push_back(static_cast<double>(host.*counts[i]));
    }
    plot.categories.push_back(host.host);
  }
  return plot;
}

Table host_table(const DiffResult& result) {
  Table table{.title = "Hosts", .columns = {{.name = "host"}}};
  for (const char* name : {"pages kept", "pages appeared", "pages vanished", "pages not seen",
                           "links kept", "links appeared", "links vanished", "links not seen"}) {
    table.columns.push_back({.name = name, .kind = ColumnKind::Number});
  }
  for (const HostDifference& host : result.hosts) {
    table.rows.push_back({host.host, host.pages_kept, host.pages_appeared, host.pages_vanished,
                          host.pages_not_seen, host.links_kept, host.links_appeared,
                          host.links_vanished, host.links_not_seen});
  }
  return table;
}

}  // namespace

report::HtmlReport diff_report(const DiffResult& result, const std::string& name, Time t0,
                               Time t1) {
  using Host = HostDifference;
  return {
      .title = fmt::format("Changes in {}", name),
      .result = result_of(result.total),
      .subtitle = fmt::format("Pages and links that were there at {} and at {}: kept (seen again), "
                              "appeared, vanished (seen to be gone), or not seen since the first "
                              "time, so that the archive cannot say.",
                              to_rfc3339(t0), to_rfc3339(t1)),
      .generated_by = fmt::format("webstrata diff {} {} {}", name, to_rfc3339(t0), to_rfc3339(t1)),
      .sections = {key_figures(result.total),
                   by_host(result, "Pages by host", "pages",
                           {&Host::pages_kept, &Host::pages_appeared, &Host::pages_vanished,
                            &Host::pages_not_seen}),
                   by_host(result, "Links by host", "links",
                           {&Host::links_kept, &Host::links_appeared, &Host::links_vanished,
                            &Host::links_not_seen}),
                   host_table(result)}};
}

}  // namespace webstrata
