// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/liverank_test.py.

#include "webstrata/cli/verbs/liverank_campaign.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/frame/left_out.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/jobs/campaign.h"
#include "webstrata/jobs/live_field.h"
#include "webstrata/show/liverank_forms.h"

namespace webstrata {
namespace {

void tell(const CampaignPlan& plan) {
  say(fmt::format("{} pages to test; {} of {} known, {} live", plan.pages.size(), plan.decided,
                  plan.page_count, plan.live));
  report_left_out(plan.forgotten, "page", "pages");
  if (plan.known.settled > 0) {
    say(fmt::format("{} pages of dead hosts are left out", plan.known.settled));
  }
  if (plan.known.unknown_urls > 0) {
    say(fmt::format("{} answers are about URLs that are not in the graph",
                    plan.known.unknown_urls));
  }
}

}  // namespace

ExitCode run_plan(const LiveRankFlags& flags) {
  if (flags.state.empty()) refuse("plan and learn need --state FILE");
  if (flags.shards == 0) refuse("--shards 0: there must be one at least");
  LiveState state = begun_state(flags.state, flags);
  ProgressLine line(!flags.quiet);
  const WorkOptions work = work_on(line, flags.graph.threads);
  const HandOver hand_over = hand_over_of({flags.graph.word});
  const Snapshot graph = load_for_liverank(graph_of(flags.graph), work);
  const CampaignPlan plan = plan_campaign(state, graph, flags, flags.tests, hand_over, work);
  line.clear();
  write_live_state(flags.state, state);
  if (!flags.quiet) tell(plan);
  print_table(plan_table(plan.urls, flags.shards), flags.table);
  return plan.pages.empty() ? ExitCode::FoundNothing : ExitCode::Done;
}

ExitCode run_learn(const LiveRankFlags& flags) {
  if (flags.state.empty()) refuse("plan and learn need --state FILE");
  LiveState state = read_live_state(flags.state);
  const std::uint64_t taken = learn(state, flags.results);
  write_live_state(flags.state, state);
  if (!flags.quiet) {
    say(fmt::format("{} answers imported, {} in total", taken, state.answers.size()));
  }
  return taken == 0 ? ExitCode::FoundNothing : ExitCode::Done;
}

}  // namespace webstrata
