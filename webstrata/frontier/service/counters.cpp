// SPDX-License-Identifier: Apache-2.0

// Tested by tests/frontier/counters_test.cpp.

#include "webstrata/frontier/service/counters.h"

#include <algorithm>

#include <fmt/format.h>

namespace webstrata::frontier {
namespace {

void append(std::string& out, std::string_view name, std::string_view type, std::string_view help,
            std::uint64_t value) {
  out += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n{0} {3}\n", name, type, help, value);
}

}  // namespace

Counters::Call& Counters::of(std::string_view call) noexcept {
  const auto found = std::find(kCalls.begin(), kCalls.end(), call);
  return calls[static_cast<std::size_t>(found - kCalls.begin()) % kCalls.size()];
}

void Counters::count_put(const PutItem& item, Ack ack) noexcept {
  ++(item.is_known ? put_known : put_discovered);
  if (ack == Ack::Skipped) ++put_skipped;
  if (ack == Ack::Fail) ++put_failed;
  if (ack == Ack::Ok && item.is_known && item.refetchable_from == 0) ++completed;
}

std::string metrics_text(const Counters& counters, const FrontierStats& totals) {
  std::string out;
  const auto count_of = [&](std::string_view call) {
    const auto at = std::find(kCalls.begin(), kCalls.end(), call) - kCalls.begin();
    return counters.calls[static_cast<std::size_t>(at)].count.load();
  };
  append(out, "frontier_getURLs_calls_total", "counter", "Calls of GetURLs.", count_of("GetURLs"));
  append(out, "frontier_getURLs_total", "counter", "URLs handed out.", counters.taken);
  append(out, "frontier_putURLs_calls_total", "counter", "Streams of PutURLs.",
         count_of("PutURLs"));
  append(out, "frontier_putURLs_total", "counter", "URLs received.",
         counters.put_discovered + counters.put_known);
  out += fmt::format(
      "# HELP frontier_putURLs_discovered_total URLs received, by whether they were discovered.\n"
      "# TYPE frontier_putURLs_discovered_total counter\n"
      "frontier_putURLs_discovered_total{{discovered=\"true\"}} {}\n"
      "frontier_putURLs_discovered_total{{discovered=\"false\"}} {}\n",
      counters.put_discovered.load(), counters.put_known.load());
  append(out, "frontier_putURLs_ignored_total", "counter", "URLs skipped.", counters.put_skipped);
  append(out, "frontier_putURLs_completed_total", "counter", "URLs done for ever.",
         counters.completed);
  append(out, "webstrata_frontier_put_failed_total", "counter", "URLs that were not stored.",
         counters.put_failed);
  out +=
      "# HELP webstrata_frontier_call_seconds Calls by name.\n"
      "# TYPE webstrata_frontier_call_seconds summary\n";
  for (std::size_t i = 0; i < kCalls.size(); ++i) {
    const Counters::Call& call = counters.calls[i];
    out += fmt::format(
        "webstrata_frontier_call_seconds_sum{{call=\"{0}\"}} {1}\n"
        "webstrata_frontier_call_seconds_count{{call=\"{0}\"}} {2}\n",
        kCalls[i], static_cast<double>(call.microseconds.load()) / 1e6, call.count.load());
  }
  out +=
      "# HELP webstrata_frontier_calls_failed_total Calls that ended with a status other than OK.\n"
      "# TYPE webstrata_frontier_calls_failed_total counter\n";
  for (std::size_t i = 0; i < kCalls.size(); ++i) {
    out += fmt::format("webstrata_frontier_calls_failed_total{{call=\"{}\"}} {}\n", kCalls[i],
                       counters.calls[i].failed.load());
  }
  append(out, "webstrata_frontier_urls", "gauge", "URLs that are not done.", totals.size);
  append(out, "webstrata_frontier_in_process", "gauge", "URLs that are leased.", totals.in_process);
  append(out, "webstrata_frontier_completed", "gauge", "URLs that are done.", totals.completed);
  append(out, "webstrata_frontier_queues", "gauge", "Queues.", totals.queues);
  append(out, "webstrata_frontier_active_queues", "gauge", "Queues with URLs that are not done.",
         totals.active_queues);
  append(out, "webstrata_frontier_put_streams", "gauge", "Open streams of puts.",
         static_cast<std::uint64_t>(std::max<std::int64_t>(counters.streams, 0)));
  return out;
}

}  // namespace webstrata::frontier
