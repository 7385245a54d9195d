// SPDX-License-Identifier: Apache-2.0

// Questions to an archive. Tested by tests/python/archive_test.py.

#include <nanobind/ndarray.h>

#include "python/core/bindings.h"
#include "python/core/long_work.h"
#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/ask/comparison.h"
#include "webstrata/archive/ask/found_links.h"
#include "webstrata/archive/ask/scores.h"
#include "webstrata/arrow/capture_stream.h"
#include "webstrata/show/archive_counts.h"
#include "webstrata/show/pages/diff_report.h"
#include "webstrata/words/dated_archive.h"
#include "webstrata/words/find_url.h"
#include "webstrata/words/kinds.h"
#include "webstrata/words/url_word.h"

namespace webstrata {
namespace {

using arrow::NumberBuilder;
using arrow::Table;
using arrow::TextBuilder;

std::optional<TimeInterval> interval_or_none(const std::optional<Interval>& during) {
  if (!during) return std::nullopt;
  return interval_of(*during);
}

// All nodes that fold to the same as `url`, or the one that it names; none if it is not there.
std::vector<Uid> nodes_of(const Archive& archive, std::string_view url, std::string_view fold) {
  if (!fold.empty()) {
    const auto dialect = parse_dialect(fold);
    if (!dialect)
      throw Error(ErrorKind::BadInput, "fold " + std::string(fold) + ": not ia, pywb or cdxj");
    return find_urls(archive, url, *dialect);
  }
  return find_urls(archive, url, std::nullopt);
}

Url parsed(std::string_view text) {
  const auto word = parse_url_word(text);
  Url url;
  if (word && parse_url(word->text, url)) return url;
  throw Error(ErrorKind::BadInput, std::string(text) + ": not a URL such as http://example.org/a/");
}

// The nodes under a host, a domain, a prefix or a directory: they lie side by side.
Interval nodes_under(const Archive& archive, std::string_view kind, std::string_view text) {
  const KeyRange keys = kind == "host"     ? host_keys(text)
                        : kind == "domain" ? domain_keys(text)
                                           : prefix_keys(parsed(text));
  const UidRange range = archive.range(keys);
  return {static_cast<Time>(range.first), static_cast<Time>(range.end)};
}

arrow::Column pages(const Archive& archive, const std::optional<Interval>& during) {
  std::vector<Uid> found;
  const auto take = [&](Uid uid) {
    found.push_back(uid);
    return true;
  };
  during ? archive.pages(interval_of(*during), take) : archive.pages(take);
  return arrow::number_column("uid", std::move(found));
}

arrow::Column urls(const Archive& archive, const arrow::Column& uids) {
  TextBuilder text;
  for (const Uid uid : uids.values<Uid>()) text.add(archive.url(uid));
  return text.finish("url");
}

LinkQuestion link_question(bool is_in, std::optional<Time> at,
                           const std::optional<Interval>& during, std::string_view kinds) {
  LinkQuestion question;
  question.direction = is_in ? Direction::In : Direction::Out;
  question.at = at;
  question.during = interval_or_none(during);
  question.kinds = parse_kinds_word("kinds", kinds);
  return question;
}

// What is known about texts, one row each; all but `text` are named after `prefix`.
class TextColumns {
 public:
  void add(const FoundText* text) {
    text_.add_or_null(text != nullptr ? text->text : "");
    links_.add(text != nullptr ? text->links : 0);
    captures_.add(text != nullptr ? text->captures : 0);
    first_.add(text != nullptr ? std::optional(text->seen.first) : std::nullopt);
    last_.add(text != nullptr ? std::optional(text->seen.last) : std::nullopt);
  }
  void finish(const std::string& prefix, bool with_pages, Table& table) {
    table.columns.push_back(text_.finish("text"));
    if (with_pages) table.columns.push_back(links_.finish("pages"));
    table.columns.push_back(captures_.finish(prefix + "captures"));
    table.columns.push_back(first_.finish(prefix + "first"));
    table.columns.push_back(last_.finish(prefix + "last"));
  }

 private:
  TextBuilder text_;
  NumberBuilder<std::uint64_t> links_;
  NumberBuilder<std::uint64_t> captures_;
  NumberBuilder<Time> first_{arrow::kTimeFormat};
  NumberBuilder<Time> last_{arrow::kTimeFormat};
};

// With texts, a link has a row for each of its texts, and one if it has none.
Table links(const Archive& archive, const std::vector<Uid>& nodes, bool is_in,
            std::optional<Time> at, const std::optional<Interval>& during, std::string_view kinds,
            bool history, bool texts) {
  LinkQuestion question = link_question(is_in, at, during, kinds);
  question.wants_history = history;
  question.wants_texts = texts;
  TextBuilder url;
  TextBuilder kind_words;
  NumberBuilder<Uid> uid;
  NumberBuilder<std::uint8_t> count;
  NumberBuilder<Time> first{arrow::kTimeFormat};
  NumberBuilder<Time> last{arrow::kTimeFormat};
  NumberBuilder<std::uint64_t> captures;
  TextColumns text_columns;
  for (const auto& [node, link] : find_links(archive, nodes, question)) {
    for (std::size_t i = 0; i < std::max<std::size_t>(1, link.texts.size()); ++i) {
      url.add(archive.url(node));
      uid.add(node);
      kind_words.add(to_string(link.kinds));
      count.add(link.count);
      first.add(link.seen ? std::optional(link.seen->first) : std::nullopt);
      last.add(link.seen ? std::optional(link.seen->last) : std::nullopt);
      captures.add(link.captures);
      text_columns.add(link.texts.empty() ? nullptr : &link.texts[i]);
    }
  }
  Table table = {{url.finish("url"), uid.finish("uid")}};
  if (at || history) table.columns.push_back(kind_words.finish("kinds"));
  if (at) table.columns.push_back(count.finish("count"));
  if (history) {
    table.columns.push_back(first.finish("first"));
    table.columns.push_back(last.finish("last"));
    table.columns.push_back(captures.finish("captures"));
  }
  if (texts) text_columns.finish("text_", false, table);
  return table;
}

Table texts_of_links(const Archive& archive, const std::vector<Uid>& nodes, std::optional<Time> at,
                     const std::optional<Interval>& during, std::string_view kinds) {
  LinkQuestion question = link_question(true, at, during, kinds);
  question.wants_texts = true;
  TextColumns columns;
  for (const FoundText& text : anchor_texts(find_links(archive, nodes, question))) {
    columns.add(&text);
  }
  Table table;
  columns.finish("", true, table);
  return table;
}

nb::dict state(const Archive& archive, Uid uid, Time at) {
  const PageAt page = archive.links_at(uid, at);
  nb::dict found;
  found["state"] = nb::cast(std::string(to_string(page.state)));
  found["since"] = page.state == PageState::Unknown ? nb::none() : nb::cast(page.since);
  found["captured"] = or_none(page.captured);
  return found;
}

std::shared_ptr<arrow::TableStream> captures(const Archive& archive,
                                             const std::vector<std::pair<Uid, Uid>>& ranges,
                                             const std::optional<Interval>& during,
                                             std::string_view schema) {
  const auto wanted = arrow::parse_capture_schema(schema);
  if (!wanted) {
    throw Error(ErrorKind::BadInput,
                "schema " + std::string(schema) + ": not webstrata or commoncrawl");
  }
  std::vector<UidRange> nodes;
  for (const auto& [first, end] : ranges) {
    nodes.push_back({first, std::min<Uid>(end, archive.node_count())});
  }
  return arrow::archive_captures(archive, std::move(nodes),
                                 interval_or_none(during).value_or(kAllTime), *wanted);
}

Table host_table(const DiffResult& result) {
  using Host = HostDifference;
  constexpr std::pair<const char*, std::uint64_t Host::*> kCounts[] = {
      {"pages_kept", &Host::pages_kept},         {"pages_appeared", &Host::pages_appeared},
      {"pages_vanished", &Host::pages_vanished}, {"pages_not_seen", &Host::pages_not_seen},
      {"links_kept", &Host::links_kept},         {"links_appeared", &Host::links_appeared},
      {"links_vanished", &Host::links_vanished}, {"links_not_seen", &Host::links_not_seen}};
  TextBuilder host;
  for (const Host& one : result.hosts) one.host.empty() ? host.add_null() : host.add(one.host);
  host.add_null();
  Table table = {{host.finish("host")}};
  for (const auto& [name, count] : kCounts) {
    NumberBuilder<std::uint64_t> numbers;
    for (const Host& one : result.hosts) numbers.add(one.*count);
    numbers.add(result.total.*count);
    table.columns.push_back(numbers.finish(name));
  }
  return table;
}

// Totals by host (the last row, without a host, is all of it), and every difference if wanted.
nb::tuple diff_tables(const Archive& archive, Time t0, Time t1, std::string_view kinds,
                      bool with_links, unsigned threads, nb::object progress,
                      const std::string& report, const std::string& name) {
  LongWork work(std::move(progress));
  ScanOptions options{.kinds = parse_kinds_word("kinds", kinds),
                      .work = {threads, work.progress(), work.cancel()}};
  TextBuilder change;
  TextBuilder source;
  TextBuilder target;
  std::function<void(const Difference&)> visit;
  if (with_links) {
    visit = [&](const Difference& one) {
      change.add(to_string(one.change));
      source.add(archive.url(one.source));
      one.target ? target.add(archive.url(*one.target)) : target.add_null();
    };
  }
  const DiffResult result = work.run([&] {
    DiffResult found = diff(archive, t0, t1, options, visit);
    if (!report.empty()) report::write_html(diff_report(found, name, t0, t1), report);
    return found;
  });
  return nb::make_tuple(host_table(result), Table{{change.finish("change"), source.finish("source"),
                                                   target.finish("target")}});
}

nb::dict info(const Archive& archive) {
  const Manifest& manifest = archive.manifest();
  nb::dict found;
  found["generation"] = manifest.generation;
  found["nodes"] = manifest.counts.nodes;
  found["pages"] = manifest.counts.pages;
  found["captures"] = manifest.counts.captures;
  found["sightings"] = manifest.counts.sightings;
  found["links"] = manifest.counts.links;
  found["link_facts"] = manifest.counts.link_facts;
  found["first"] = manifest.counts.span ? nb::cast(manifest.counts.span->first) : nb::none();
  found["last"] = manifest.counts.span ? nb::cast(manifest.counts.span->last) : nb::none();
  found["range"] = range_to_string(manifest.options.range_seconds);
  found["kinds"] = to_string(manifest.options.kinds);
  found["digests"] = std::string(to_string(manifest.options.digests));
  found["schemes"] = manifest.options.keep_other_schemes ? "all" : "web";
  found["compact"] = manifest.options.effort == LinksEffort::Compact;
  found["facts_digest"] = manifest.is_stack() ? nb::none() : nb::cast(manifest.facts_digest);
  found["strata"] = std::max<std::size_t>(1, manifest.strata.size());
  nb::dict bytes;
  for (const auto& [layer, files] : layers_of(manifest)) {
    bytes[nb::cast(std::string(to_string(layer)))] = bytes_of(files);
  }
  found["bytes"] = bytes;
  return found;
}

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void bind_scores(nb::class_<Archive>& archive) {
  archive.def("score_names", [](const Archive& self) { return score_names(self); })
      .def(
          "load_scores",
          [](const Archive& self, std::string_view name) {
            return arrow::number_column("score", load_scores(self, name));
          },
          "name"_a)
      .def(
          "save_scores",
          [](const Archive& self, std::string_view name, const Doubles& values) {
            save_scores(self.path(), name, self.manifest().generation,
                        {values.data(), values.size()});
          },
          "name"_a, "values"_a);
}

}  // namespace

void bind_archive(nb::module_& module) {
  nb::class_<Archive> archive(module, "Archive");
  archive.def_prop_ro("path", [](const Archive& self) { return self.path(); })
      .def_prop_ro("node_count", &Archive::node_count)
      .def("info", info)
      .def("uid", &Archive::uid, "url"_a)
      .def(
          "url",
          [](const Archive& self, Uid uid) {
            if (uid < self.node_count()) return self.url(uid);
            throw Error(ErrorKind::NotFound, "no node " + std::to_string(uid) +
                                                 ": the archive has " +
                                                 std::to_string(self.node_count()));
          },
          "uid"_a)
      .def("key", &Archive::key, "uid"_a)
      .def("nodes_of", nodes_of, "url"_a, "fold"_a = "")
      .def("range", nodes_under, "kind"_a, "text"_a)
      .def("pages", pages, "during"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>())
      .def("urls", urls, "uids"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("capture_times", &Archive::capture_times, "uid"_a)
      .def("links", links, "nodes"_a, "is_in"_a, "at"_a = nb::none(), "during"_a = nb::none(),
           "kinds"_a = "all", "history"_a = false, "texts"_a = false,
           nb::call_guard<nb::gil_scoped_release>())
      .def("anchor_texts", texts_of_links, "nodes"_a, "at"_a = nb::none(), "during"_a = nb::none(),
           "kinds"_a = "all", nb::call_guard<nb::gil_scoped_release>())
      .def("state", state, "uid"_a, "at"_a)
      .def("captures", captures, "ranges"_a, "during"_a = nb::none(), "schema"_a = "webstrata")
      .def("diff", diff_tables, "t0"_a, "t1"_a, "kinds"_a = "all", "with_links"_a = false,
           "threads"_a = 0, "progress"_a = nb::none(), "report"_a = "", "name"_a = "");
  bind_scores(archive);
  module.def(
      "uid_column",
      [](const nb::ndarray<const Uid, nb::ndim<1>, nb::c_contig, nb::device::cpu>& uids) {
        return arrow::number_column("uid",
                                    std::vector<Uid>(uids.data(), uids.data() + uids.size()));
      },
      "uids"_a);
  module.def(
      "open",
      [](const std::filesystem::path& path) {
        return Archive::open(undated_archive(
            path.string(), "open() opens all of an archive: ask it with at= or during="));
      },
      "path"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace webstrata
