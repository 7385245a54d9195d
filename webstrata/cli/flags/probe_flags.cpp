// Tested by tests/cli/probe_test.py.

#include "webstrata/cli/flags/probe_flags.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/words/amounts.h"

namespace webstrata {
namespace {

Confirm confirm_of(const ProbeFlags& flags) {
  const auto confirm = parse_confirm(flags.confirm);
  if (confirm) return *confirm;
  throw Error(ErrorKind::BadInput,
              fmt::format("--confirm {}: say checks and time, such as 3x3d", flags.confirm));
}

ProbeRule rule_of(const ProbeFlags& flags) {
  if (flags.rule == "evidence") return ProbeRule::Evidence;
  if (flags.rule == "paper") return ProbeRule::Paper;
  throw Error(ErrorKind::BadInput, fmt::format("--rule {}: evidence or paper", flags.rule));
}

RequestLimits limits_of(const ProbeFlags& flags) {
  RequestLimits limits;
  limits.total_ms_max = parse_duration_word("--timeout", flags.timeout);
  limits.connect_ms_max = std::min(limits.connect_ms_max, limits.total_ms_max);
  limits.body_bytes_max = parse_bytes_word("--body", flags.body);
  return limits;
}

}  // namespace

void declare_probe(FlagSet& app, ProbeFlags& flags) {
  declare_fetch(app, flags.fetch);
  app.add_option("--confirm", flags.confirm,
                 "Checks, and over how long, until an unreachable page is gone (default 3x3d)")
      ->type_name("NxTIME");
  app.add_flag("--wait", flags.wait, "Stay for the checks that --confirm asks for");
  app.add_option("--rule", flags.rule,
                 "evidence (default), or paper: 200 without \"Page Not Found\", \"Error 404\"")
      ->type_name("RULE");
  app.add_option("--job", flags.job, "Keep the ledger in this folder, and go on with it later")
      ->type_name("FOLDER");
  app.add_option("--out", flags.out, "Write WARC and sightings for `update` into this folder")
      ->type_name("FOLDER");
  app.add_option("--timeout", flags.timeout, "For one request (default 60s)")->type_name("TIME");
  app.add_option("--body", flags.body, "Read no more of a page (default 1M)")->type_name("BYTES");
  app.add_option("--requests", flags.requests,
                 "At most so many requests, robots.txt and twins included")
      ->positive()
      ->type_name("N");
}

ProbeJobOptions probe_options_of(const ProbeFlags& flags) {
  ProbeJobOptions options;
  options.transport = transport_of(flags.fetch);
  options.rules = politeness_of(flags.fetch);
  options.confirm = confirm_of(flags);
  options.rule = rule_of(flags);
  options.limits = limits_of(flags);
  options.requests = flags.requests;
  options.waits = flags.wait;
  options.seed = flags.seed;
  options.job = flags.job;
  options.out = flags.out;
  options.cancel = &interruption();
  return options;
}

}  // namespace webstrata
