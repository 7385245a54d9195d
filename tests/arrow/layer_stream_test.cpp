// SPDX-License-Identifier: Apache-2.0

// Layers as tables, of random archives and of pages that are cut into sections, against what the
// archive says about one page at a time.

#include "webstrata/arrow/layer_stream.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/merge/row_layers_writer.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/base/error.h"

namespace webstrata::arrow {
namespace {

// A list of numbers in row `row` of a column.
template <typename Value>
std::vector<Value> list(const Column& column, std::int64_t row) {
  const auto* ends = static_cast<const std::int64_t*>(column.buffers[1].get());
  const auto* values = static_cast<const Value*>(column.children[0].buffers[1].get());
  return {values + ends[row], values + ends[row + 1]};
}

std::vector<std::vector<std::int32_t>> lists(const Column& column, std::int64_t row) {
  const auto* ends = static_cast<const std::int64_t*>(column.buffers[1].get());
  std::vector<std::vector<std::int32_t>> found;
  for (std::int64_t i = ends[row]; i < ends[row + 1]; ++i) {
    found.push_back(list<std::int32_t>(column.children[0], i));
  }
  return found;
}

std::vector<std::string> texts(const Column& column, std::int64_t row) {
  const auto* ends = static_cast<const std::int64_t*>(column.buffers[1].get());
  std::vector<std::string> found;
  for (std::int64_t i = ends[row]; i < ends[row + 1]; ++i) {
    found.emplace_back(column.children[0].text(i));
  }
  return found;
}

// Every row of a stream, by uid: `read` makes something of it.
template <typename Read>
auto rows_of(TableStream& stream, const Read& read) {
  std::map<Uid, decltype(read(std::declval<const Table&>(), 0))> rows;
  while (const auto table = stream.next()) {
    const Column& uids = *table->find("uid");
    for (std::int64_t i = 0; i < table->row_count(); ++i) {
      const auto uid = static_cast<Uid>(uids.values<std::int64_t>()[i]);
      EXPECT_TRUE(rows.emplace(uid, read(*table, i)).second);
    }
  }
  return rows;
}

PageLayers layers_of(const Archive& archive, Uid uid) {
  PageFacts facts;
  archive.page(uid, facts);
  PageLayers layers;
  to_layers(facts, layers);
  return layers;
}

std::vector<std::vector<std::int32_t>> in_rows(const std::vector<std::uint32_t>& ends,
                                               const std::vector<std::int32_t>& items) {
  std::vector<std::vector<std::int32_t>> rows;
  std::size_t start = 0;
  for (const std::uint32_t end : ends) {
    rows.emplace_back(items.begin() + static_cast<std::ptrdiff_t>(start),
                      items.begin() + static_cast<std::ptrdiff_t>(end));
    start = end;
  }
  return rows;
}

void expect_out_layers(const Archive& archive, UidRange nodes) {
  const auto links = rows_of(*layer_stream(archive, Layer::Links, nodes),
                             [](const Table& table, std::int64_t row) {
                               return list<std::int64_t>(*table.find("targets"), row);
                             });
  const auto times = rows_of(
      *layer_stream(archive, Layer::Times, nodes),
      [](const Table& table, std::int64_t row) { return list<Time>(*table.find("times"), row); });
  const auto presence = rows_of(
      *layer_stream(archive, Layer::Presence, nodes),
      [](const Table& table, std::int64_t row) { return lists(*table.find("present"), row); });
  const auto kinds = rows_of(
      *layer_stream(archive, Layer::Kinds, nodes), [](const Table& table, std::int64_t row) {
        return std::pair(lists(*table.find("kinds"), row), lists(*table.find("counts"), row));
      });
  for (Uid uid = nodes.first; uid < nodes.end; ++uid) {
    const PageLayers due = layers_of(archive, uid);
    ASSERT_EQ(times.contains(uid), !due.times.empty());
    ASSERT_EQ(links.contains(uid), !due.times.empty());
    if (due.times.empty()) continue;
    EXPECT_EQ(times.at(uid), due.times);
    EXPECT_EQ(links.at(uid), std::vector<std::int64_t>(due.links.begin(), due.links.end()));
    EXPECT_EQ(presence.at(uid), in_rows(due.one_ends, {due.ones.begin(), due.ones.end()}));
    std::vector<std::int32_t> due_kinds;
    std::vector<std::int32_t> due_counts;
    for (const LinkValue value : due.values) {
      due_kinds.push_back(value.kinds);
      due_counts.push_back(value.count);
    }
    EXPECT_EQ(kinds.at(uid).first, in_rows(due.one_ends, due_kinds));
    EXPECT_EQ(kinds.at(uid).second, in_rows(due.one_ends, due_counts));
  }
}

// In which ranges of time which pages linked here, from the captures of all pages.
using InFacts = std::map<Uid, std::map<std::int64_t, std::set<Uid>>>;

InFacts in_facts_of(const Archive& archive) {
  InFacts facts;
  const Time seconds = archive.stack().options().range_seconds;
  for (Uid source = 0; source < archive.node_count(); ++source) {
    PageFacts page;
    archive.page(source, page);
    for (std::size_t row = 0; row < page.row_count(); ++row) {
      const Time time = page.times[row];
      const std::int64_t range =
          seconds == 0 ? 0 : time / seconds - (time % seconds < 0 ? 1 : 0);  // rounds down
      for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
        facts[page.targets[i]][range].insert(source);
      }
    }
  }
  return facts;
}

void expect_in_layers(const Archive& archive, UidRange nodes) {
  const InFacts due = in_facts_of(archive);
  const auto sources = rows_of(*layer_stream(archive, Layer::InLinks, nodes),
                               [](const Table& table, std::int64_t row) {
                                 return list<std::int64_t>(*table.find("sources"), row);
                               });
  const auto ranges = rows_of(*layer_stream(archive, Layer::Ranges, nodes),
                              [](const Table& table, std::int64_t row) {
                                return list<std::int64_t>(*table.find("ranges"), row);
                              });
  const auto present = rows_of(
      *layer_stream(archive, Layer::InPresence, nodes),
      [](const Table& table, std::int64_t row) { return lists(*table.find("present"), row); });
  for (Uid uid = nodes.first; uid < nodes.end; ++uid) {
    ASSERT_EQ(sources.contains(uid), due.contains(uid)) << uid;
    if (!due.contains(uid)) continue;
    std::map<std::int64_t, std::set<Uid>> found;
    for (std::size_t i = 0; i < ranges.at(uid).size(); ++i) {
      for (const std::int32_t place : present.at(uid)[i]) {
        found[ranges.at(uid)[i]].insert(static_cast<Uid>(sources.at(uid)[place]));
      }
    }
    EXPECT_EQ(found, due.at(uid));
  }
}

void expect_documents(const Archive& archive) {
  const auto rows = rows_of(*document_stream(archive, {0, archive.node_count()}),
                            [](const Table& table, std::int64_t row) {
                              return std::tuple(std::string(table.find("key")->text(row)),
                                                std::string(table.find("url")->text(row)),
                                                texts(*table.find("links"), row),
                                                list<Time>(*table.find("times"), row),
                                                texts(*table.find("in_links"), row));
                            });
  ASSERT_EQ(rows.size(), archive.node_count());
  for (const auto& [uid, row] : rows) {
    const auto& [key, url, links, times, in_links] = row;
    EXPECT_EQ(key, archive.key(uid));
    EXPECT_EQ(url, archive.url(uid));
    EXPECT_EQ(times, archive.capture_times(uid));
    std::vector<std::string> due_links;
    for (const Uid target : archive.links(uid)) due_links.push_back(archive.key(target));
    EXPECT_EQ(links, due_links);
    std::vector<std::string> due_sources;
    for (const Uid source : archive.links(uid, Direction::In)) {
      due_sources.push_back(archive.key(source));
    }
    EXPECT_EQ(in_links, due_sources);
  }
}

TEST(LayerStream, TellsWhatTheArchiveTells) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto path = folder.path() / std::to_string(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(80));
    seed % 2 == 0 ? build(path, crawl) : build_stack(path, crawl);
    const Archive archive = Archive::open(path);
    const UidRange all = {0, archive.node_count()};
    const UidRange some = {random.below(archive.node_count()), archive.node_count()};
    expect_out_layers(archive, all);
    expect_out_layers(archive, some);
    expect_in_layers(archive, all);
    expect_in_layers(archive, some);
    expect_documents(archive);
    const auto names = rows_of(*layer_stream(archive, Layer::Names, all),
                               [](const Table& table, std::int64_t row) {
                                 return std::pair(std::string(table.find("key")->text(row)),
                                                  std::string(table.find("url")->text(row)));
                               });
    ASSERT_EQ(names.size(), archive.node_count());
    for (const auto& [uid, name] : names) {
      EXPECT_EQ(name, std::pair(archive.key(uid), archive.url(uid)));
    }
  }
}

// A page larger than a section is cut; its row is complete.
TEST(LayerStream, JoinsTheSectionsOfALargePage) {
  const TemporaryFolder folder;
  constexpr int kTargets = kSectionItems / 2;
  Crawl crawl;
  for (int capture = 0; capture < 3; ++capture) {
    Capture hub;
    hub.sighting.url = "http://hub.example/";
    hub.sighting.time = 1'500'000'000 + 90 * 86400 * capture;
    hub.sighting.status = 200;
    hub.sighting.outcome = Outcome::Alive;
    hub.links_known = true;
    for (int i = 0; i < kTargets; ++i) {
      if (i % 3 == capture) continue;
      const std::string target = "http://leaf.example/" + std::to_string(1'000'000 + i);
      hub.links.add({.target = target, .kinds = LinkKind::Navigation});
    }
    crawl.push_back(hub);
  }
  build(folder.path() / "hub", crawl, 1, 1000, {});
  const Archive archive = Archive::open(folder.path() / "hub");
  const Uid hub = archive.uid("http://hub.example/").value();
  StackRows sections(archive.stack(), Direction::Out);
  sections.seek(archive.stack().block_of(hub));
  int count = 0;
  for (PageLayers section; sections.next_node() == hub; ++count) sections.read(section);
  ASSERT_GT(count, 1);
  expect_out_layers(archive, {hub, hub + 1});
}

TEST(LayerStream, TellsItsColumnsBeforeTheFirstRow) {
  const TemporaryFolder folder;
  Random random(1);
  build(folder.path() / "a", random_crawl(random, 5));
  const Archive archive = Archive::open(folder.path() / "a");
  for (const LayerEntry& entry : layer_table()) {
    const Layer layer = entry.layer;
    if (layer == Layer::Sightings || !archive.stack().has(layer)) {
      EXPECT_THROW(layer_stream(archive, layer, {0, 1}), Error);
      continue;
    }
    const auto stream = layer_stream(archive, layer, {0, 0});
    EXPECT_EQ(stream->schema().columns.front().name, "uid");
    EXPECT_EQ(stream->schema().row_count(), 0);
    EXPECT_FALSE(stream->next().has_value());
  }
  EXPECT_EQ(document_stream(archive, {0, 0})->schema().columns.size(), 12U);
}

}  // namespace
}  // namespace webstrata::arrow
