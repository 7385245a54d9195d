// Tested by tests/cli/graph_word_test.cpp and tests/cli/export_graph_test.py.

#include "webstrata/cli/graph_word.h"

#include <filesystem>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/command.h"
#include "webstrata/cli/find_url.h"
#include "webstrata/cli/words.h"
#include "webstrata/graph/graph_file.h"

namespace webstrata {
namespace {

using Path = std::filesystem::path;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::BadInput, message); }

bool is_archive(const Path& path) { return std::filesystem::exists(path / "MANIFEST"); }

bool is_there(const Path& path) {
  return path == "-" || std::filesystem::exists(path) ||
         std::filesystem::exists(path.string() + ".properties");
}

GraphTime time_of(std::string_view flag, std::string_view word) {
  if (word.find("..") == std::string_view::npos) {
    return GraphTime::at(parse_date_flag(flag, word).last);
  }
  return GraphTime::during(parse_dates_flag(flag, word));
}

GraphSource of_path(const Path& path) {
  GraphSource source;
  if (is_archive(path)) {
    source.archive = Archive::open(path);
  } else {
    recognise_graph(path);  // says so if there is nothing
    source.file = path;
  }
  return source;
}

// Options that only an archive can follow.
void refuse_for_files(const GraphFlags& flags) {
  const bool is_dated = !flags.at.empty() || !flags.during.empty() || flags.carry;
  if (is_dated) refuse(fmt::format("{}: a graph file knows no times", flags.word));
  if (flags.kinds != GraphFlags().kinds) {
    refuse(fmt::format("{}: a graph file knows no --kinds", flags.word));
  }
}

void read_times(const GraphFlags& flags, GraphSource& source) {
  SnapshotRequest& request = source.request;
  const bool is_told = request.time.form != GraphTime::Form::Ever;
  if (is_told && (!flags.at.empty() || !flags.during.empty())) {
    refuse(fmt::format("{} has its time already: leave --at and --during out", flags.word));
  }
  if (!flags.at.empty()) request.time = GraphTime::at(parse_date_flag("--at", flags.at).last);
  if (!flags.during.empty()) {
    request.time = GraphTime::during(parse_dates_flag("--during", flags.during));
  }
  if (flags.carry && request.time.form != GraphTime::Form::During) {
    refuse("--carry needs a time from .. to (--during 2015..2016)");
  }
  request.time.carry = flags.carry;
  if (!is_told) source.date = flags.at + flags.during;  // at most one is there
}

GraphView view_of(const GraphFlags& flags) {
  GraphView view;
  const auto level = parse_level(flags.level);
  if (!level) refuse(fmt::format("--level {}: not page, host or domain", flags.level));
  view.level = *level;
  view.fold = fold_of(flags.fold);
  view.inner_links = !flags.without_inner_links;
  return view;
}

}  // namespace

void declare_graph(FlagSet& app, GraphFlags& flags) {
  app.add_option("GRAPH", flags.word,
                 "An archive (lib.ws, lib.ws@2015-06, lib.ws@2015..2016) or a graph file")
      ->required();
  auto* at = app.add_option("--at", flags.at, "The archive as it was at the last second of a date")
                 ->type_name("DATE");
  app.add_option("--during", flags.during, "What captures made then had: 2015, or 2015..2016-06")
      ->type_name("DATES")
      ->excludes(at);
  app.add_flag("--carry", flags.carry,
               "With a time from .. to: add what was there at its first second");
  app.add_option("--level", flags.level,
                 "Nodes are pages, hosts or domains: page (default), host, domain")
      ->type_name("LEVEL");
  declare_fold(app, flags.fold);
  app.add_option("--kinds", flags.kinds,
                 "Only links of these kinds: graph (default), all, or a list")
      ->type_name("KINDS");
  app.add_flag("--without-inner-links", flags.without_inner_links,
               "Leave out links inside a host, and of a host or domain to itself");
  app.add_option("--urls", flags.urls,
                 "Names for the nodes of a graph file, one a line, plain or gzip")
      ->type_name("FILE");
}

GraphSource graph_of(std::string_view word) {
  const std::size_t at = word.rfind('@');
  if (at == std::string_view::npos || is_there(Path(word))) return of_path(Path(word));
  const Path path = word.substr(0, at);
  GraphSource source = of_path(path);
  if (!source.archive) {
    refuse(fmt::format("{}: {} is a graph file, which knows no times", word, path.string()));
  }
  source.request.time = time_of(word.substr(0, at + 1), word.substr(at + 1));
  source.date = word.substr(at + 1);
  return source;
}

GraphSource graph_of(const GraphFlags& flags) {
  GraphSource source = graph_of(flags.word);
  source.request.view = view_of(flags);
  if (source.archive) {
    if (!flags.urls.empty()) refuse("--urls is for graph files: an archive knows its urls");
    read_times(flags, source);
    source.request.kinds = parse_kinds_flag("--kinds", flags.kinds);
  } else {
    refuse_for_files(flags);
    source.urls = flags.urls;
  }
  return source;
}

Snapshot load(const GraphSource& source, const WorkOptions& work) {
  if (source.archive) {
    SnapshotRequest request = source.request;
    request.work = work;
    return snapshot_of(*source.archive, request);
  }
  const Snapshot graph = load_graph(source.file, {.urls = source.urls, .work = work});
  return viewed(graph, source.request.view, work).graph;
}

WorkOptions work_on(ProgressLine& line, unsigned threads) {
  WorkOptions work;
  work.threads = threads;
  work.progress = [&line](const Progress& progress) { line.show(progress); };
  work.cancel = &interruption();
  return work;
}

}  // namespace webstrata
