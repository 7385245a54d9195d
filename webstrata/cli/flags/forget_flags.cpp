// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/forget_test.py.

#include "webstrata/cli/flags/forget_flags.h"

#include <optional>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/words/amounts.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/forget_word.h"

namespace webstrata {
namespace {

std::optional<TimeInterval> interval_of(const ForgetFlags& flags) {
  if (flags.from.empty() && flags.to.empty()) return std::nullopt;
  TimeInterval during = kEver;
  if (!flags.from.empty()) during.first = parse_date_word("--from", flags.from).first;
  if (!flags.to.empty()) during.last = parse_date_word("--to", flags.to).last;
  if (during.first > during.last) {
    throw Error(ErrorKind::BadInput,
                fmt::format("--from {} is after --to {}", flags.from, flags.to));
  }
  return during;
}

}  // namespace

std::vector<Forget> requests_of(const ForgetFlags& flags) {
  std::vector<Forget> requests;
  const auto during = interval_of(flags);
  const auto add = [&](ForgetScope scope, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      requests.push_back(parse_forget_word(scope, text, flags.exactly));
      requests.back().during = during;
    }
  };
  add(ForgetScope::Url, flags.urls);
  add(ForgetScope::Prefix, flags.prefixes);
  add(ForgetScope::Host, flags.hosts);
  if (requests.empty() && !flags.list) {
    throw Error(ErrorKind::BadInput, "nothing to forget is named: use --url, --prefix or --host");
  }
  return requests;
}

ForgetOptions options_of(const ForgetFlags& flags, ProgressLine& line) {
  ForgetOptions options;
  options.embedded = flags.embedded;
  options.force = flags.force;
  options.write.memory_bytes =
      flags.memory.empty() ? 0 : parse_bytes_word("--memory", flags.memory);
  options.write.temp = flags.temp;
  options.write.work.threads = flags.threads;
  options.write.work.cancel = &interruption();
  options.write.work.progress = [&](const Progress& progress) { line.show(progress); };
  options.on_embedded = [&](const std::string& url) {
    line.clear();
    complain("contains a forgotten URL: " + url);
  };
  return options;
}

void declare_forget(FlagSet& app, ForgetFlags& flags) {
  app.add_option("ARCHIVE", flags.archive, "Folder of the archive")->required();
  app.group("What to forget");
  app.add_option(
         "--url", flags.urls,
         "A URL in all its spellings; example.org/* and *.example.org mean all that they cover")
      ->type_name("URL")
      ->never_configured();
  app.add_option("--prefix", flags.prefixes, "All URLs that begin with URL")
      ->type_name("URL")
      ->never_configured();
  app.add_option("--host", flags.hosts, "A host with all its ports, and the hosts below it")
      ->type_name("HOST")
      ->never_configured();
  app.add_option("--from", flags.from, "Only what was captured from DATE on")
      ->type_name("DATE")
      ->never_configured();
  app.add_option("--to", flags.to, "Only what was captured up to the end of DATE")
      ->type_name("DATE")
      ->never_configured();
  app.add_flag("--exactly", flags.exactly, "Only this exact spelling or this exact host")
      ->never_configured();
  app.add_flag("--embedded", flags.embedded, "Also other URLs that contain a forgotten one")
      ->never_configured();
  app.group("Action");
  app.add_flag("--dry-run", flags.dry_run, "Print what would be deleted; change nothing")
      ->never_configured();
  app.add_flag("--yes", flags.yes, "Do not ask for confirmation on a terminal")->never_configured();
  app.add_flag("--force", flags.force,
               "Allow a public suffix, such as --host com: every site below it is forgotten")
      ->never_configured();
  auto* undo =
      app.add_flag("--undo", flags.undo, "Let later updates import it again")->never_configured();
  app.add_flag("--list", flags.list,
               "Print the tombstones; with --url, --prefix or --host only those that cover it")
      ->excludes(undo)
      ->never_configured();
  app.group(kGeneralGroup);
  app.add_option("--memory", flags.memory,
                 "Maximum memory in bytes, at least 128M (default: a quarter of the machine's)")
      ->type_name("BYTES");
  app.add_option("--temp", flags.temp, "Folder for scratch files (default: inside the archive)")
      ->type_name("DIR");
  app.add_option("--threads", flags.threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.group("Output");
  Flag* json = app.add_flag("--json", flags.json, "Print the records as JSON lines");
  declare_table(app, flags.table)->excludes(json);
  app.add_flag("-q,--quiet", flags.quiet, "Print no progress and no summary")->group(kGeneralGroup);
}

}  // namespace webstrata
