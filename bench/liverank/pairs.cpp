// SPDX-License-Identifier: Apache-2.0
#include "bench/liverank/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "bench/lines.h"
#include "bench/timing.h"
#include "webstrata/archive/ask/archive.h"
#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/graph/archive_snapshot.h"
#include "webstrata/graph/line_reader.h"

namespace webstrata {
namespace {

using Path = std::filesystem::path;

struct PairSource {
  std::string name;
  std::string folder;  // below data/
  std::string old;     // a release, or a date of openbsd-www
  std::string newer;   // a release; empty: the liveness file
  TruthOptions truth;
  PairGroup group = PairGroup::Main;
  std::string host = {};  // of debweb: only its pages
};

const std::vector<PairSource>& sources() {
  const TruthOptions unchanged{.target = Target::Unchanged};
  const TruthOptions changed{.target = Target::Changed};
  const TruthOptions same{.target = Target::Unchanged, .same = Sameness::TextAndLinks};
  static const std::vector<PairSource> all = {
      {"debweb-present", "debweb", "bullseye", "bookworm", {}},
      {"debweb-unchanged", "debweb", "bullseye", "bookworm", unchanged},
      {"debpkg-present", "debpkg", "bookworm", "trixie", {}},
      {"debpkg-same", "debpkg", "bookworm", "trixie", same},
      {"debpkg-long", "debpkg", "bullseye", "trixie", {}},
      {"openbsd-2012", "openbsd-www", "2012-01-01", "", {}},
      {"openbsd-2006", "openbsd-www", "2006-01-01", "", {}},
      // Never looked at while parameters were chosen.
      {"debpkg-short", "debpkg", "bullseye", "bookworm", {}, PairGroup::HeldOut},
      {"debpkg-short-same", "debpkg", "bullseye", "bookworm", same, PairGroup::HeldOut},
      {"debpkg-changed",
       "debpkg",
       "bookworm",
       "trixie",
       {.target = Target::Changed},
       PairGroup::HeldOut},
      {"debweb-changed",
       "debweb",
       "bullseye",
       "bookworm",
       {.target = Target::Changed},
       PairGroup::HeldOut},
      {"openbsd-2003", "openbsd-www", "2003-01-01", "", {}, PairGroup::HeldOut},
      {"openbsd-2008", "openbsd-www", "2008-01-01", "", {}, PairGroup::HeldOut},
      {"openbsd-2010", "openbsd-www", "2010-01-01", "", {}, PairGroup::HeldOut},
      {"openbsd-2015", "openbsd-www", "2015-01-01", "", {}, PairGroup::HeldOut},
      {"openbsd-2019", "openbsd-www", "2019-01-01", "", {}, PairGroup::HeldOut},
      // Sites of 670 to 1,430 pages.
      {"openbsd-2002", "openbsd-www", "2002-01-01", "", {}, PairGroup::Small},
      {"openbsd-2004", "openbsd-www", "2004-01-01", "", {}, PairGroup::Small},
      {"llvm-present", "debweb", "bullseye", "bookworm", {}, PairGroup::Small, "llvm-doc"},
      {"sqlite-unchanged", "debweb", "bullseye", "bookworm", unchanged, PairGroup::Small,
       "sqlite3-doc"},
      {"postgresql-unchanged", "debweb", "bullseye", "bookworm", unchanged, PairGroup::Small,
       "postgresql-doc"},
      {"guide-unchanged", "debweb", "bullseye", "bookworm", unchanged, PairGroup::Small,
       "installation-guide-amd64"},
      // More small sites, on which ideas from those above were tried again.
      {"openbsd-2001", "openbsd-www", "2001-01-01", "", {}, PairGroup::SmallAgain},
      {"openbsd-2005", "openbsd-www", "2005-01-01", "", {}, PairGroup::SmallAgain},
      {"openbsd-2007", "openbsd-www", "2007-01-01", "", {}, PairGroup::SmallAgain},
      {"glib-unchanged", "debweb", "bullseye", "bookworm", unchanged, PairGroup::SmallAgain,
       "libglib2.0-doc"},
      {"gtk3-unchanged", "debweb", "bullseye", "bookworm", unchanged, PairGroup::SmallAgain,
       "libgtk-3-doc"},
      {"glib-changed", "debweb", "bullseye", "bookworm", changed, PairGroup::SmallAgain,
       "libglib2.0-doc"},
      {"guide-changed", "debweb", "bullseye", "bookworm", changed, PairGroup::SmallAgain,
       "installation-guide-amd64"},
      {"sqlite-changed", "debweb", "bullseye", "bookworm", changed, PairGroup::SmallAgain,
       "sqlite3-doc"},
  };
  return all;
}

void build(const Path& archive, const std::vector<std::string>& inputs) {
  if (std::filesystem::exists(archive)) return;
  std::filesystem::create_directories(archive.parent_path());
  std::vector<std::string> words = {WEBSTRATA_SOURCE_DIR "/build/release/webstrata", "build",
                                    archive.string(), "--quiet"};
  words.insert(words.end(), inputs.begin(), inputs.end());
  timed_command(words);
}

// URL, time, status, digest, length, as JSON lines that `build` takes.
void write_sightings(const Path& table, const Path& lines) {
  std::ofstream out(lines);
  LineReader reader(table);
  while (const auto line = reader.next()) {
    std::vector<std::string_view> words;
    for (std::string_view rest = *line; words.size() < 5;) {
      const std::size_t tab = rest.find('\t');
      words.push_back(rest.substr(0, tab));
      rest = tab == std::string_view::npos ? std::string_view() : rest.substr(tab + 1);
    }
    std::string text;
    JsonWriter json(text);
    json.begin_object().field("url", words[0]).field("time", words[1]).field("status", words[2]);
    if (words[2] == "200") json.field("digest", "sha1:" + std::string(words[3]));
    if (words[2] == "200") json.field("text_length", words[4]);
    json.end_object();
    out << text << '\n';
  }
}

// The lines of a file of captures whose URL is on that host.
void write_host(const Path& captures, const std::string& host, const Path& lines) {
  std::ofstream out(lines);
  const std::string wanted = "{\"url\":\"http://" + host + ".docs.example/";
  for_each_line(captures, [&](std::string_view line) {
    if (line.starts_with(wanted)) out << line << '\n';
  });
}

Path archive_of_host(const PairSource& source, const std::string& release,
                     const PairFolders& folders) {
  const Path archive = folders.archives / fmt::format("{}-{}.ws", source.host, release);
  if (std::filesystem::exists(archive)) return archive;
  std::filesystem::create_directories(folders.archives);
  const Path lines = folders.archives / fmt::format("{}-{}.jsonl", source.host, release);
  write_host(folders.shared / "data" / source.folder / ("captures." + release + ".jsonl.zst"),
             source.host, lines);
  build(archive, {lines.string()});
  return archive;
}

Path archive_of(const PairSource& source, const std::string& release, const PairFolders& folders) {
  const Path data = folders.shared / "data" / source.folder;
  if (!source.host.empty()) return archive_of_host(source, release, folders);
  if (source.folder != "openbsd-www") {
    const Path archive = folders.archives / fmt::format("{}-{}.ws", source.folder, release);
    build(archive, {(data / ("captures." + release + ".jsonl.zst")).string()});
    return archive;
  }
  const Path archive = folders.archives / "openbsd.ws";
  if (std::filesystem::exists(archive)) return archive;
  std::filesystem::create_directories(folders.archives);
  const Path sightings = folders.archives / "openbsd.jsonl";
  write_sightings(data / "captures.tsv.gz", sightings);
  build(archive, {(data / "links_all_versions.tsv.zst").string(), sightings.string()});
  return archive;
}

Snapshot graph_at(const Path& archive, GraphTime time) {
  SnapshotRequest request;
  request.time = time;
  request.node_columns = {.outcome = true, .captures = true, .changes = true, .content = true};
  return snapshot_of(Archive::open(archive), request);
}

Truth truth_of_liveness(const Population& pages, const Path& file) {
  TruthList list(pages, {});
  LineReader lines(file);
  while (const auto line = lines.next()) {
    if (!line->ends_with("\t1")) continue;
    list.add({line->substr(0, line->find('\t')), Outcome::Alive, {}});
  }
  return list.finish(Outcome::Gone);
}

}  // namespace

std::vector<std::string> pair_names(PairGroup group) {
  std::vector<std::string> all;
  for (const PairSource& source : sources()) {
    if (source.group == group) all.push_back(source.name);
  }
  return all;
}

LivePair load_pair(const std::string& name, const PairFolders& folders) {
  const auto source = std::ranges::find(sources(), name, &PairSource::name);
  if (source == sources().end()) {
    throw Error(ErrorKind::BadInput, fmt::format("no pair is called {}", name));
  }
  const Path archive = archive_of(*source, source->old, folders);
  if (source->newer.empty()) {
    const Snapshot old = graph_at(archive, GraphTime::at(parse_time(source->old).value()));
    LivePair pair{name, population_of(old), {}};
    pair.truth = truth_of_liveness(
        pair.pages, folders.shared / "data" / source->folder / "liveness_20260822.tsv.gz");
    return pair;
  }
  const Snapshot old = graph_at(archive, GraphTime::ever());
  const Snapshot newer = graph_at(archive_of(*source, source->newer, folders), GraphTime::ever());
  LivePair pair{name, population_of(old), {}};
  pair.truth = truth_of(pair.pages, old, newer, source->truth);
  return pair;
}

LivePair copied_pair(unsigned copies, const PairFolders& folders) {
  const LivePair one = load_pair("debweb-present", folders);
  const Node size = one.pages.size();
  auto names = std::make_shared<NameList>();
  SnapshotBuilder builder(std::uint64_t{size} * copies);
  std::vector<Node> targets;
  Truth truth;
  for (unsigned copy = 0; copy < copies; ++copy) {
    const Node first = copy * size;
    for (Node page = 0; page < size; ++page) {
      std::string url = one.pages.graph.name(page);
      url.insert(url.find("://") + 3, fmt::format("c{:03}.", copy));
      names->add(url);
      targets.clear();
      for (const Node target : one.pages.graph.successors(page)) targets.push_back(first + target);
      builder.add(first + page, targets);
      truth.findings.push_back(one.truth.findings[page]);
      truth.findings.back().page = first + page;
    }
  }
  truth.live = one.truth.live * copies;
  const Snapshot graph = builder.finish().with_names(names);
  return {fmt::format("debweb x{}", copies), population_of(graph), std::move(truth)};
}

}  // namespace webstrata
