// SPDX-License-Identifier: Apache-2.0

// webstrata probe: what became of these pages?
// Tested by tests/cli/probe_test.py, tests/fetch/hostile_server_test.py.

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "webstrata/base/counted.h"
#include "webstrata/base/error.h"
#include "webstrata/cli/flags/probe_flags.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/show/probe_forms.h"
#include "webstrata/words/dated_archive.h"
#include "webstrata/words/find_url.h"
#include "webstrata/words/lists.h"
#include "webstrata/words/url_word.h"

namespace webstrata {
namespace {

struct ProbeCommandFlags {
  ProbeFlags probe;
  std::vector<std::string> words;
  std::string archive;
  TableFlags table;
  bool json = false;
  bool quiet = false;
};

std::shared_ptr<const Archive> archive_of(const std::string& path) {
  return path.empty() ? nullptr
                      : std::make_shared<const Archive>(Archive::open(
                            undated_archive(path, "probe compares with all that an archive has")));
}

// A wildcard stands for the pages that the archive has.
std::vector<std::string> urls_of(const ProbeCommandFlags& flags, const Archive* archive) {
  std::vector<std::string> words;
  for (const std::string& word : flags.words) {
    const auto url = parse_url_word(word);
    if (!url || !url->is_wildcard()) {
      words.push_back(word);
      continue;
    }
    if (archive == nullptr) {
      refuse(fmt::format("{} names many URLs: add --archive lib.ws, which knows them", word));
    }
    for (const Uid uid : find_urls(*archive, word, std::nullopt)) {
      if (!archive->capture_times(uid).empty()) words.push_back(archive->url(uid));
    }
  }
  return words.empty() ? words : expand_urls(words);
}

ExitCode run(const ProbeCommandFlags& flags) {
  const ProbeJobOptions options = probe_options_of(flags.probe);
  const auto archive = archive_of(flags.archive);
  const std::vector<std::string> urls = urls_of(flags, archive.get());
  if (urls.empty()) {
    complain("no URL to probe");
    return ExitCode::FoundNothing;
  }
  ProbeJob probes(options, archive);
  ProgressLine progress(!flags.quiet);
  const bool only_prints = flags.probe.job.empty() && flags.probe.out.empty();
  Lines lines("", only_prints ? WhenClosed::Stop : WhenClosed::GoOn);
  TableLines table(lines, probe_columns(), flags.table);
  ProbeSummary summary;
  std::uint64_t done = 0;
  std::uint64_t refused = 0;
  probes.probe(urls, [&](const Probed& probed) {
    summary.add(probed);
    progress.clear();
    refused += probed.judgement.is_refusal ? 1 : 0;
    if (flags.json) {
      lines.add(as_json(probed));
    } else {
      table.add(probe_cells(probed));
    }
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
  if (refused > 0 && !flags.quiet && !flags.probe.fetch.allow_private) {
    say(
        fmt::format("not contacted, because their addresses are private, loopback or link-local: "
                    "{}; --allow-private contacts them",
                    counted(refused, "page", "pages")));
  }
  return ExitCode::Done;
}

std::function<ExitCode()> declare_probe_command(FlagSet& app) {
  const auto flags = std::make_shared<ProbeCommandFlags>();
  app.add_option(
         "URL", flags->words,
         "URLs; @FILE or - for a list with one per line; with --archive also wildcards such as "
         "example.org/*")
      ->required();
  app.group("Output");
  Flag* json = app.add_flag("--json", flags->json, "Print one JSON object per line");
  declare_table(app, flags->table)->excludes(json);
  declare_probe(app, flags->probe);
  app.group("Verdict");
  app.add_option("--archive", flags->archive,
                 "Treat pages whose bytes this archive has as alive, without further requests")
      ->type_name("ARCHIVE");
  app.add_option("--seed", flags->probe.seed,
                 "Seed of the names of twins: requests for pages that cannot exist, to recognise "
                 "soft 404s (default 1)")
      ->type_name("S");
  app.add_flag("-q,--quiet", flags->quiet, "Print no progress and no totals")->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

}  // namespace

Command probe_command() {
  return {
      "probe", "Test pages on the web: alive, moved, gone, …",
      "Sends real requests, politely: obeys robots.txt, one connection and a delay per host.\n"
      "Sends none unless --agent (or WEBSTRATA_AGENT, or agent = … in ~/.config/webstrata/config)\n"
      "gives an address to write to.\n\n"
      "Outcomes: alive, moved, blocked, unreachable, gone, soft-gone. Exit: 0 done, 2 failed.\n\n"
      "Examples:\n"
      "  webstrata probe http://www.example.org/ --agent \"my-archive (me@archive.example)\"\n"
      "  webstrata probe @urls.txt --json --job week --confirm 3x3d\n"
      "  webstrata probe @urls.txt --archive lib.ws --out found && webstrata update lib.ws found/*",
      declare_probe_command};
}

}  // namespace webstrata
