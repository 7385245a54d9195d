// webstrata probe: what became of these pages?
// Tested by tests/cli/probe_test.py, tests/fetch/hostile_server_test.py.

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/probe_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/show/probe_forms.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

struct ProbeCommandFlags {
  ProbeFlags probe;
  std::vector<std::string> words;
  std::string archive;
  bool json = false;
  bool quiet = false;
};

std::shared_ptr<const Archive> archive_of(const std::string& path) {
  return path.empty() ? nullptr : std::make_shared<const Archive>(Archive::open(path));
}

ExitCode run(const ProbeCommandFlags& flags) {
  const ProbeJobOptions options = probe_options_of(flags.probe);
  const std::vector<std::string> urls = expand_urls(flags.words);
  if (urls.empty()) {
    complain("no url to probe");
    return ExitCode::FoundNothing;
  }
  ProbeJob probes(options, archive_of(flags.archive));
  ProgressLine progress(!flags.quiet);
  Lines lines;
  ProbeSummary summary;
  std::uint64_t done = 0;
  probes.probe(urls, [&](const Probed& probed) {
    summary.add(probed);
    progress.clear();
    lines.add(flags.json ? as_json(probed) : as_text(probed));
    lines.put();
    progress.show({"probing", ++done, urls.size(), "pages"});
  });
  progress.clear();
  lines.commit();
  for (const auto& file : probes.finish()) {
    if (!flags.quiet) say(fmt::format("for update: {}", file.string()));
  }
  probes.forget_files();
  if (flags.probe.rule == "paper") {
    say_lines(summary.status_table());
  } else if (!flags.quiet) {
    say(fmt::format("{}; {} requests", summary.sums(), probes.requests()));
  }
  return ExitCode::Done;
}

std::function<ExitCode()> declare(FlagSet& app) {
  const auto flags = std::make_shared<ProbeCommandFlags>();
  app.add_option("URL", flags->words, "Urls; @file or - for one a line")->required();
  app.add_flag("--json", flags->json, "One JSON object a line");
  declare_probe(app, flags->probe);
  app.add_option("--archive", flags->archive,
                 "Pages whose bytes this archive has are alive without further questions")
      ->type_name("ARCHIVE");
  app.add_option("--seed", flags->probe.seed, "Of the names of twins (default 1)")->type_name("S");
  app.add_flag("--quiet", flags->quiet, "No progress, no sums");
  return [flags] { return run(*flags); };
}

}  // namespace

Command probe_command() {
  return {
      "probe", "Ask the web what became of pages: alive, moved, gone, …",
      "Sends real requests, politely: robots.txt, one connection and a delay per host. Nothing is\n"
      "asked unless --agent (or WEBSTRATA_AGENT, or agent = … in ~/.config/webstrata/config)\n"
      "names somebody to write to.\n\n"
      "Outcomes: alive, moved, blocked, unreachable, gone, soft-gone. Exit: 0 done, 2 failed.\n\n"
      "Examples:\n"
      "  webstrata probe http://www.example.org/ --agent \"my-archive (me@archive.example)\"\n"
      "  webstrata probe @urls.txt --json --job week --confirm 3x3d\n"
      "  webstrata probe @urls.txt --archive lib.ws --out found && webstrata update lib.ws found/*",
      declare};
}

}  // namespace webstrata
