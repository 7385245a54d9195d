// SPDX-License-Identifier: Apache-2.0

// webstrata url: from url to uid to key and back, and everything under a prefix, a host, a domain.
// Tested by tests/cli/ask_test.py.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/find_url.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

struct UrlFlags {
  std::string archive;
  std::vector<std::string> words;
  std::string fold;
  std::uint64_t limit = UINT64_MAX;
  std::string during;
  bool pages = false;
  bool prefix = false;
  bool host = false;
  bool domain = false;
  bool json = false;
};

void print(Lines& lines, const Archive& archive, Uid uid, bool as_json) {
  const std::string key = archive.key(uid);
  const std::string url = archive.url(uid);
  if (!as_json) {
    lines.add(fmt::format("{}\t{}\t{}", uid, url, printable_key(key)));
    return;
  }
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("uid", uid).field("url", url);
  json.field("key", printable_key(key)).end_object();
  lines.add(line);
}

// A host is named by itself or by any url on it.
std::string host_of(const std::string& word) {
  Url url;
  if (parse_url(word, url) && url.is_web()) return std::string(url.host());
  if (parse_url("http://" + word + "/", url)) return std::string(url.host());
  throw Error(ErrorKind::BadInput, fmt::format("{}: not a host", word));
}

bool is_range(const UrlFlags& flags) { return flags.prefix || flags.host || flags.domain; }

KeyRange keys_of(const UrlFlags& flags, const std::string& word) {
  if (flags.host) return host_keys(host_of(word));
  if (flags.domain) return domain_keys(host_of(word));
  Url url;
  if (!parse_url(word, url) && !parse_url("http://" + word, url)) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: not a URL", word));
  }
  return prefix_keys(url);
}

// The nodes of a range or, if they are asked for, those that were captured, and when.
// Returns how many were found; not more than `limit` are printed.
std::uint64_t list_range(Lines& lines, const Archive& archive, const UrlFlags& flags,
                         UidRange range) {
  std::uint64_t found = 0;
  const auto take = [&](Uid uid) {
    if (uid >= range.end) return false;
    if (uid < range.first) return true;
    print(lines, archive, uid, flags.json);
    return ++found < flags.limit;
  };
  if (!flags.during.empty()) {
    archive.pages(parse_dates_word("--during", flags.during), take);
  } else if (flags.pages) {
    archive.pages(take);
  } else {
    for (Uid uid = range.first; uid < range.end && take(uid); ++uid) {
    }
  }
  return found;
}

std::uint64_t list(Lines& lines, const Archive& archive, const UrlFlags& flags,
                   const std::string& word) {
  if (is_range(flags)) {
    const std::uint64_t found =
        list_range(lines, archive, flags, archive.range(keys_of(flags, word)));
    if (found == 0) complain(fmt::format("{}: nothing under {}", flags.archive, word));
    return found;
  }
  const auto fold = parse_fold_word("--fold", flags.fold);
  const auto nodes = find_nodes(archive, word, fold);
  std::uint64_t found = 0;
  for (; found < nodes.size() && found < flags.limit; ++found) {
    print(lines, archive, nodes[found], flags.json);
  }
  if (nodes.empty()) complain(not_found_text(archive, word, fold));
  return found;
}

// All pages of the archive.
bool list_pages(Lines& lines, const Archive& archive, const UrlFlags& flags) {
  if (list_range(lines, archive, flags, {0, archive.node_count()}) > 0) return true;
  complain(fmt::format("{}: no page was captured in that time", flags.archive));
  return false;
}

void check(const UrlFlags& flags) {
  const bool wants_pages = flags.pages || !flags.during.empty();
  if (flags.words.empty() && !wants_pages) {
    throw Error(ErrorKind::BadInput, "URL is missing; --pages lists all that were captured");
  }
  if (!flags.words.empty() && wants_pages && !is_range(flags)) {
    throw Error(ErrorKind::BadInput,
                "--pages and --during list many URLs: with URL, add --prefix, --host or --domain");
  }
}

ExitCode run(const UrlFlags& flags) {
  check(flags);
  const Archive archive = Archive::open(flags.archive);
  Lines lines;
  bool found_all = !flags.words.empty() || list_pages(lines, archive, flags);
  for (const std::string& word : flags.words) {
    found_all = list(lines, archive, flags, word) > 0 && found_all;
  }
  lines.flush();
  return found_all ? ExitCode::Done : ExitCode::FoundNothing;
}

std::function<ExitCode()> declare_url_command(FlagSet& app) {
  const auto flags = std::make_shared<UrlFlags>();
  app.add_option("ARCHIVE", flags->archive, "Folder of the archive")->required();
  app.add_option("URL", flags->words, "URLs, uids or keys");
  app.group("Selection");
  auto* prefix = app.add_flag("--prefix", flags->prefix, "Print all URLs that begin with URL");
  auto* host = app.add_flag("--host", flags->host, "Print all URLs of this host");
  auto* domain = app.add_flag("--domain", flags->domain,
                              "Print all URLs of this host and of the hosts below it");
  prefix->excludes(host)->excludes(domain);
  host->excludes(domain);
  auto* pages = app.add_flag("--pages", flags->pages,
                             "Print only URLs that were captured; without URL, all of them");
  app.add_option("--during", flags->during,
                 "Print only URLs that were captured in DATES, such as 2015 or 2015-03..2016")
      ->type_name("DATES")
      ->excludes(pages);
  declare_fold(app, flags->fold);
  app.group("Output");
  app.add_option("--limit", flags->limit,
                 "Maximum number of lines for each URL given (default: no limit)")
      ->positive()
      ->type_name("N");
  app.add_flag("--json", flags->json, "Print one JSON object per line");
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
