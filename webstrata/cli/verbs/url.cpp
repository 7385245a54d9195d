// SPDX-License-Identifier: Apache-2.0

// webstrata url: from url to uid to key and back, and everything under a prefix, a host, a domain.
// A word is either a range of keys, whose uids are adjacent, or a few nodes. Both may be limited to
// what was captured in a time, which comes from --during or from the word for the archive.
// Tested by tests/cli/ask_test.py.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/words/dated_archive.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/find_url.h"
#include "webstrata/words/kinds.h"
#include "webstrata/words/url_word.h"

namespace webstrata {
namespace {

struct UrlFlags {
  std::string archive;
  std::vector<std::string> words;
  std::string fold;
  std::uint64_t limit = UINT64_MAX;
  std::string during;
  bool all = false;
  bool pages = false;
  bool prefix = false;
  bool host = false;
  bool domain = false;
  TableFlags table;
  bool json = false;
  bool quiet = false;
};

// What the lines of this run need.
struct Printer {
  Lines& lines;
  TableLines& table;
  const Archive& archive;
  bool as_json = false;

  void print(Uid uid) {
    const std::string key = archive.key(uid);
    const std::string url = archive.url(uid);
    if (!as_json) {
      table.add({std::to_string(uid), url, std::string(printable_key(key))});
      return;
    }
    std::string line;
    JsonWriter json(line);
    json.begin_object().field("uid", uid).field("url", url);
    json.field("key", printable_key(key)).end_object();
    lines.add(line);
  }
};

// A host is named by itself or by any url on it.
std::string host_of(const std::string& word) {
  const auto url = parse_url_word(word);
  if (url && url->form == UrlWord::Form::Domain) return url->text;
  Url parsed;
  if (parse_url(url ? url->text : "http://" + word + "/", parsed) && parsed.is_web()) {
    return std::string(parsed.host());
  }
  throw Error(ErrorKind::BadInput, fmt::format("{}: not a host", word));
}

bool is_wildcard(const std::string& word) {
  const auto url = parse_url_word(word);
  return url && url->is_wildcard();
}

bool is_range(const UrlFlags& flags, const std::string& word) {
  return flags.prefix || flags.host || flags.domain || is_wildcard(word);
}

KeyRange keys_of(const UrlFlags& flags, const std::string& word) {
  if (flags.host) return host_keys(host_of(word));
  if (flags.domain) return domain_keys(host_of(word));
  auto url = parse_url_word(word);
  if (!url) throw Error(ErrorKind::BadInput, fmt::format("{}: not a URL", word));
  if (!url->is_wildcard()) url->form = UrlWord::Form::Prefix;
  return keys_of(*url);
}

// The nodes of a range or, if they are asked for, those that were captured, and when.
// Returns how many were found; not more than `limit` are printed.
std::uint64_t list_range(Printer& printer, const UrlFlags& flags,
                         const std::optional<TimeInterval>& during, UidRange range) {
  std::uint64_t found = 0;
  const auto take = [&](Uid uid) {
    if (uid >= range.end) return false;
    if (uid < range.first) return true;
    printer.print(uid);
    return ++found < flags.limit;
  };
  if (during) {
    printer.archive.pages(*during, take);
  } else if (flags.pages) {
    printer.archive.pages(take);
  } else {
    for (Uid uid = range.first; uid < range.end && take(uid); ++uid) {
    }
  }
  return found;
}

bool was_captured(const Archive& archive, Uid uid, const std::optional<TimeInterval>& during) {
  if (!during) return true;
  return std::ranges::any_of(archive.capture_times(uid), [&](Time time) {
    return during->first <= time && time <= during->last;
  });
}

std::uint64_t list(Printer& printer, const UrlFlags& flags,
                   const std::optional<TimeInterval>& during, const std::string& word) {
  const Archive& archive = printer.archive;
  if (is_range(flags, word)) {
    const std::uint64_t found =
        list_range(printer, flags, during, archive.range(keys_of(flags, word)));
    if (found == 0 && !flags.quiet) {
      complain(fmt::format("{}: nothing under {}", flags.archive, word));
    }
    return found;
  }
  const auto fold = parse_fold_word("--fold", flags.fold);
  const auto nodes = find_nodes(archive, word, fold);
  std::uint64_t found = 0;
  for (const Uid node : nodes) {
    if (found == flags.limit || !was_captured(archive, node, during)) continue;
    printer.print(node);
    ++found;
  }
  if (found > 0 || flags.quiet) return found;
  complain(nodes.empty() ? not_found_text(archive, word, fold)
                         : fmt::format("{}: {} was not captured then", flags.archive, word));
  return found;
}

// All pages of the archive, or all of its URLs.
bool list_pages(Printer& printer, const UrlFlags& flags,
                const std::optional<TimeInterval>& during) {
  if (list_range(printer, flags, during, {0, printer.archive.node_count()}) > 0) return true;
  if (!flags.quiet) complain(fmt::format("{}: no page was captured in that time", flags.archive));
  return false;
}

void check(const UrlFlags& flags) {
  const bool wants_pages = flags.pages || !flags.during.empty();
  if (flags.words.empty() && !wants_pages && !flags.all) {
    throw Error(ErrorKind::BadInput,
                "URL is missing; --pages lists all that were captured, --all also those that were "
                "only linked to");
  }
  if (flags.all && !flags.words.empty()) {
    throw Error(ErrorKind::BadInput, "--all lists every URL of the archive: remove URL");
  }
  const bool names_one = std::ranges::any_of(
      flags.words, [&](const std::string& word) { return !is_range(flags, word); });
  if (wants_pages && names_one) {
    throw Error(ErrorKind::BadInput,
                "--pages and --during list many URLs: with URL, add --prefix, --host or --domain");
  }
}

// --during, or the time that the word for the archive has.
std::optional<TimeInterval> during_of(const UrlFlags& flags, const DatedArchive& named) {
  if (named.date.empty() && flags.during.empty()) return std::nullopt;
  if (named.date.empty()) return parse_dates_word("--during", flags.during);
  if (!flags.during.empty()) {
    refuse(fmt::format("{} has its time already: remove --during", flags.archive));
  }
  return named.interval();
}

ExitCode run(const UrlFlags& flags) {
  check(flags);
  const DatedArchive named = parse_archive_word(flags.archive);
  const auto during = during_of(flags, named);
  if (flags.all && during) refuse("--all lists URLs of all times: remove the date");
  const Archive archive = Archive::open(named.path);
  Lines lines("", WhenClosed::Stop);
  TableLines table(lines, {"uid", "url", "key"}, flags.table);
  Printer printer{lines, table, archive, flags.json};
  bool found_all = !flags.words.empty() || list_pages(printer, flags, during);
  for (const std::string& word : flags.words) {
    found_all = list(printer, flags, during, word) > 0 && found_all;
  }
  lines.flush();
  return found_all ? ExitCode::Done : ExitCode::FoundNothing;
}

std::function<ExitCode()> declare_url_command(FlagSet& app) {
  const auto flags = std::make_shared<UrlFlags>();
  app.add_option("ARCHIVE", flags->archive,
                 "Folder of the archive; lib.ws@2021: only what was captured up to then")
      ->required();
  app.add_option("URL", flags->words,
                 "URLs, uids or keys; example.org/* and *.example.org list all that they cover");
  app.group("Selection");
  auto* prefix = app.add_flag("--prefix", flags->prefix, "Print all URLs that begin with URL");
  auto* host = app.add_flag("--host", flags->host, "Print all URLs of this host");
  auto* domain = app.add_flag("--domain", flags->domain,
                              "Print all URLs of this host and of the hosts below it");
  prefix->excludes(host)->excludes(domain);
  host->excludes(domain);
  auto* all = app.add_flag("--all", flags->all,
                           "Print all URLs, captured or only linked to: the mapping of uids");
  auto* pages = app.add_flag("--pages", flags->pages,
                             "Print only URLs that were captured; without URL, all of them");
  app.add_option("--during", flags->during,
                 "Print only URLs that were captured in DATES, such as 2015 or 2015-03..2016")
      ->type_name("DATES")
      ->excludes(pages);
  all->excludes(pages)->excludes(prefix)->excludes(host)->excludes(domain);
  declare_fold(app, flags->fold);
  app.group("Output");
  app.add_option("--limit", flags->limit,
                 "Maximum number of lines for each URL given (default: no limit)")
      ->positive()
      ->type_name("N");
  Flag* json = app.add_flag("--json", flags->json, "Print one JSON object per line");
  declare_table(app, flags->table)->excludes(json);
  app.add_flag("-q,--quiet", flags->quiet, "Print no notes")->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

}  // namespace

Command url_command() {
  return {
      "url", "Look up URLs, uids and keys, or list a prefix, host or domain",
      "Prints uid, URL and key, separated by tabs, in key order. A uid is the position of a key;\n"
      "it changes when an update adds URLs. Exit: 1 if something was not found.\n\n"
      "Examples:\n"
      "  webstrata url lib.ws http://www.example.org/ 17\n"
      "  webstrata url lib.ws --host www.example.org --limit 10\n"
      "  webstrata url lib.ws --during 2015-06\n"
      "  webstrata url lib.ws --fold ia https://example.org",
      declare_url_command};
}

}  // namespace webstrata
