// Tested by tests/cli/probe_test.py.

#include "webstrata/cli/flags/probe_flags.h"

#include "webstrata/cli/frame/command.h"
#include "webstrata/jobs/probe_settings.h"

namespace webstrata {

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
  ProbeSettings settings;
  settings.fetch = fetch_settings_of(flags.fetch);
  set_probe_setting(settings, "confirm", {"--confirm", {flags.confirm}});
  set_probe_setting(settings, "rule", {"--rule", {flags.rule}});
  set_probe_setting(settings, "timeout", {"--timeout", {flags.timeout}});
  set_probe_setting(settings, "body", {"--body", {flags.body}});
  settings.options.requests = flags.requests;
  settings.options.waits = flags.wait;
  settings.options.seed = flags.seed;
  settings.options.job = flags.job;
  settings.options.out = flags.out;
  settings.options.cancel = &interruption();
  return probe_options_of(settings);
}

}  // namespace webstrata
