// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/probe_test.py.

#include "webstrata/cli/flags/probe_flags.h"

#include "webstrata/cli/frame/command.h"
#include "webstrata/jobs/probe_settings.h"

namespace webstrata {

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
  app.add_flag("--head", flags.head,
               "Request pages with HEAD; with GET only where a server refuses HEAD (405, 501), or "
               "the text decides");
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
  ProbeSettings settings;
  settings.fetch = fetch_settings_of(flags.fetch);
  set_probe_setting(settings, "confirm", {"--confirm", {flags.confirm}});
  set_probe_setting(settings, "rule", {"--rule", {flags.rule}});
  set_probe_setting(settings, "timeout", {"--timeout", {flags.timeout}});
  set_probe_setting(settings, "body", {"--body", {flags.body}});
  settings.options.requests = flags.requests;
  settings.options.waits = flags.wait;
  settings.options.asks_head = flags.head;
  settings.options.seed = flags.seed;
  settings.options.job = flags.job;
  settings.options.out = flags.out;
  settings.options.cancel = &interruption();
  return probe_options_of(settings);
}

}  // namespace webstrata
