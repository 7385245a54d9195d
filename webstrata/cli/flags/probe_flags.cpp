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
  throw Error(
      ErrorKind::BadInput,
      fmt::format("--confirm {}: not a number of checks and a time, such as 3x3d", flags.confirm));
}

ProbeRule rule_of(const ProbeFlags& flags) {
  if (flags.rule == "evidence") return ProbeRule::Evidence;
  if (flags.rule == "paper") return ProbeRule::Paper;
  throw Error(ErrorKind::BadInput, fmt::format("--rule {}: not evidence or paper", flags.rule));
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
  app.group("Verdict");
  app.add_option("--confirm", flags.confirm,
                 "Number of checks, and the time over which they are spread, before an unreachable "
                 "page counts as gone (default 3x3d)")
      ->type_name("NxTIME");
  app.add_flag("--wait", flags.wait, "Wait for the checks that --confirm requires");
  app.add_option("--rule", flags.rule,
                 "How to judge an answer: evidence, or paper: alive is 200 without \"Page Not "
                 "Found\" or \"Error 404\" (default evidence)")
      ->suggests({"evidence", "paper"})
      ->type_name("RULE");
  app.group("Output");
  app.add_option("--job", flags.job, "Keep the ledger in this folder, to continue the job later")
      ->type_name("FOLDER");
  app.add_option("--out", flags.out, "Write WARC files and sightings for `update` into this folder")
      ->type_name("FOLDER");
  app.group("Budget");
  app.add_option("--timeout", flags.timeout, "Maximum time for one request (default 60s)")
      ->type_name("TIME");
  app.add_option("--body", flags.body, "Maximum number of bytes to read of a page (default 1M)")
      ->type_name("BYTES");
  app.add_option("--requests", flags.requests,
                 "Maximum number of requests, including those for robots.txt and for twins "
                 "(default: no limit)")
      ->positive()
      ->type_name("N");
  app.group(kPlainGroup);
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
