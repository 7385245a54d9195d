// SPDX-License-Identifier: Apache-2.0

// Graphs out of random archives, every form and level, against a computation that queries the
// archive page by page and joins by names.

#include "webstrata/graph/archive_snapshot.h"

#include <ctime>
#include <iostream>
#include <limits>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/merge/row_layers_writer.h"
#include "webstrata/base/error.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr Time kFirst = std::numeric_limits<Time>::min();
constexpr Time kLast = std::numeric_limits<Time>::max();

struct NaiveLink {
  std::uint8_t kinds = 0;
  std::uint32_t count = 0;
  Time first = kLast;
  Time last = kFirst;
  friend bool operator==(const NaiveLink&, const NaiveLink&) = default;
  friend std::ostream& operator<<(std::ostream& out, const NaiveLink& link) {
    return out << int{link.kinds} << " x" << link.count << " " << link.first << ".." << link.last;
  }
};

// By name.
struct NaiveGraph {
  std::set<std::string> nodes;
  std::map<std::pair<std::string, std::string>, NaiveLink> links;
};

class Naive {
 public:
  Naive(const Archive& archive, const SnapshotRequest& request)
      : archive_(archive), request_(request) {}

  [[nodiscard]] NaiveGraph graph() const {
    NaiveGraph pages;
    for (Uid uid = 0; uid < archive_.node_count(); ++uid) add_page(uid, pages);
    if (request_.view.fold)
      pages = joined(
          pages, [&](const std::string& url) { return first_spelling(pages, url); }, true);
    const auto level = request_.view.level;
    if (level != Level::Page) {
      return joined(
          pages,
          [&](const std::string& url) { return level == Level::Host ? host(url) : domain(url); },
          request_.view.inner_links);
    }
    if (!request_.view.inner_links) {
      std::erase_if(pages.links, [](const auto& link) {
        return host(link.first.first) == host(link.first.second);
      });
    }
    return pages;
  }

 private:
  static std::string host(const std::string& url) {
    Url parsed;
    return parse_url(url, parsed) ? std::string(parsed.host()) : std::string();
  }
  static std::string domain(const std::string& url) {
    const std::string whole = host(url);
    const std::string_view domain = registered_domain(whole);
    return domain.empty() ? whole : std::string(domain);
  }
  // The names of a set in the order of keys, since the archive is in that order.
  [[nodiscard]] std::string first_spelling(const NaiveGraph& pages, const std::string& url) const {
    const std::string key = fold(*request_.view.fold, url);
    for (Uid uid = 0; uid < archive_.node_count(); ++uid) {
      const std::string name = archive_.url(uid);
      if (pages.nodes.contains(name) && fold(*request_.view.fold, name) == key) return name;
    }
    return url;
  }

  template <typename NameOf>
  static NaiveGraph joined(const NaiveGraph& graph, const NameOf& name_of, bool keeps_inside) {
    NaiveGraph result;
    std::map<std::string, std::string> names;
    for (const std::string& node : graph.nodes) result.nodes.insert(names[node] = name_of(node));
    for (const auto& [ends, link] : graph.links) {
      const auto place = std::pair(names[ends.first], names[ends.second]);
      if (place.first == place.second && !keeps_inside) continue;
      NaiveLink& joint = result.links[place];
      joint.kinds |= link.kinds;
      joint.count += 1;
      joint.first = std::min(joint.first, link.first);
      joint.last = std::max(joint.last, link.last);
    }
    return result;
  }

  [[nodiscard]] bool is_wanted(std::uint8_t kinds) const {
    return request_.kinds == kAllKinds || (kinds & request_.kinds.bits()) != 0;
  }

  void add(NaiveGraph& graph, Uid source, Uid target, LinkKinds kinds, std::uint8_t count,
           Time time) const {
    if (!is_wanted(kinds.bits())) return;
    graph.nodes.insert(archive_.url(source));
    graph.nodes.insert(archive_.url(target));
    NaiveLink& link = graph.links[{archive_.url(source), archive_.url(target)}];
    link.kinds |= kinds.bits();
    link.count = std::max<std::uint32_t>(link.count, count);
    link.first = std::min(link.first, time);
    link.last = std::max(link.last, time);
  }

  void add_captures(Uid uid, TimeInterval during, NaiveGraph& graph) const {
    PageFacts facts;
    archive_.page(uid, facts);
    for (std::size_t row = 0; row < facts.row_count(); ++row) {
      const Time time = facts.times[row];
      if (time < during.first || time > during.last) continue;
      graph.nodes.insert(archive_.url(uid));
      for (std::size_t i = facts.row_start(row); i < facts.row_ends[row]; ++i) {
        add(graph, uid, facts.targets[i], LinkKinds::from_bits(facts.values[i].kinds),
            facts.values[i].count, time);
      }
    }
  }

  void add_state(Uid uid, Time time, NaiveGraph& graph) const {
    const PageAt page = archive_.links_at(uid, time);
    if (page.state != PageState::Present && page.state != PageState::Moved) return;
    graph.nodes.insert(archive_.url(uid));
    for (const LinkAt& link : page.links)
      add(graph, uid, link.node, link.kinds, link.count, *page.captured);
  }

  // First and last seen of a state's links are those of all captures up to then.
  void look_back(Uid uid, Time time, NaiveGraph& graph) const {
    NaiveGraph past;
    add_captures(uid, {kFirst, time}, past);
    for (const auto& [ends, link] : past.links) {
      const auto found = graph.links.find(ends);
      if (found == graph.links.end()) continue;
      found->second.first = std::min(found->second.first, link.first);
      found->second.last = std::max(found->second.last, link.last);
    }
  }

  void add_page(Uid uid, NaiveGraph& graph) const {
    const GraphTime& time = request_.time;
    if (time.form == GraphTime::Form::Ever) return add_captures(uid, {kFirst, kLast}, graph);
    if (time.form == GraphTime::Form::At) {
      add_state(uid, time.interval.last, graph);
      return look_back(uid, time.interval.last, graph);
    }
    add_captures(uid, time.interval, graph);
    if (time.carry) add_state(uid, time.interval.first, graph);
  }

  const Archive& archive_;
  const SnapshotRequest& request_;
};

std::uint64_t comparisons = 0;

void expect_same_graph(const Snapshot& graph, const NaiveGraph& expected, bool with_columns) {
  std::set<std::string> names;
  for (Node node = 0; node < graph.node_count(); ++node) {
    names.insert(graph.name(node));
    EXPECT_EQ(graph.find(graph.name(node)), node);
  }
  ASSERT_EQ(names, expected.nodes);
  ASSERT_EQ(graph.node_count(), expected.nodes.size());
  ASSERT_EQ(graph.link_count(), expected.links.size());
  const LinkColumns& columns = graph.link_columns();
  for (Node node = 0; node < graph.node_count(); ++node) {
    std::uint64_t position = graph.first_link(node);
    for (const Node target : graph.successors(node)) {
      const auto found = expected.links.find({graph.name(node), graph.name(target)});
      ASSERT_NE(found, expected.links.end()) << graph.name(node) << " " << graph.name(target);
      ++comparisons;
      if (with_columns) {
        const NaiveLink link{columns.kinds[position]->bits(), *columns.count[position],
                             *columns.first_seen[position], *columns.last_seen[position]};
        ASSERT_EQ(link, found->second) << graph.name(node) << " " << graph.name(target);
      }
      ++position;
    }
  }
}

Time random_time(Random& random) {
  if (random.chance(0.05)) return static_cast<Time>(random.next());
  return static_cast<Time>(1'000'000'000 + random.below(26) * 500'000);
}

GraphTime random_graph_time(Random& random) {
  const std::uint64_t form = random.below(4);
  if (form == 0) return GraphTime::ever();
  if (form == 1) return GraphTime::at(random_time(random));
  const Time a = random_time(random);
  const Time b = random_time(random);
  return GraphTime::during({std::min(a, b), std::max(a, b)}, form == 3);
}

SnapshotRequest random_request(Random& random) {
  static const std::vector<LinkKinds> kinds = {kGraphKinds, kAllKinds, LinkKind::Redirect,
                                               LinkKind::Nofollow | LinkKind::Embed};
  SnapshotRequest request;
  request.time = random_graph_time(random);
  request.kinds = kinds[random.below(kinds.size())];
  request.view.level = static_cast<Level>(random.below(3));
  if (random.chance(0.3)) request.view.fold = Dialect::Ia;
  request.view.inner_links = random.chance(0.6);
  if (random.chance(0.5)) request.link_columns = {.kinds = true, .count = true, .seen = true};
  if (random.chance(0.3)) request.one_pass_uids_max = 0;
  return request;
}

// Also what random_crawl() has too little of: refusals, moves known only from an index line.
Crawl varied_crawl(Random& random, std::size_t size) {
  Crawl crawl = random_crawl(random, size);
  for (Capture& capture : crawl) {
    Sighting& sighting = capture.sighting;
    if (random.chance(0.05)) sighting.outcome = Outcome::Blocked;
    if (random.chance(0.05)) sighting.outcome = Outcome::SoftGone;
    if (random.chance(0.1)) sighting.outcome = Outcome::Unknown;
    if (sighting.outcome == Outcome::Moved && random.chance(0.3)) {
      capture.links.clear();
      capture.links_known = false;
      sighting.kind = SightingKind::IndexLine;
    }
  }
  return crawl;
}

TEST(ArchiveSnapshot, EveryFormAndLevelEqualsOnePageAtATime) {
  const auto seed = static_cast<std::uint64_t>(std::time(nullptr));
  std::cout << "seed " << seed << "\n";
  Random random(seed);
  for (int round = 0; round < 25; ++round) {
    const TemporaryFolder folder;
    const Crawl crawl = varied_crawl(random, 1 + random.below(120));
    round % 2 == 0 ? build(folder.path() / "a.ws", crawl) : build_stack(folder / "a.ws", crawl);
    const Archive archive = Archive::open(folder.path() / "a.ws");
    for (int i = 0; i < 12; ++i) {
      SnapshotRequest request = random_request(random);
      const NaiveGraph expected = Naive(archive, request).graph();
      const bool with_columns = request.link_columns.kinds;
      request.work.threads = 1;
      const Snapshot one = snapshot_of(archive, request);
      SCOPED_TRACE(testing::Message() << "round " << round << " request " << i);
      ASSERT_NO_FATAL_FAILURE(expect_same_graph(one, expected, with_columns));
      request.work.threads = 2;
      const Snapshot two = snapshot_of(archive, request);
      ASSERT_TRUE(same_links(one, two));
      ASSERT_EQ(one.link_columns(), two.link_columns());
    }
  }
  std::cout << comparisons << " links compared\n";
}

TEST(ArchiveSnapshot, NodesKeepTheirUids) {
  Random random(1);
  const TemporaryFolder folder;
  build(folder.path() / "a.ws", random_crawl(random, 60));
  const Archive archive = Archive::open(folder.path() / "a.ws");
  const Snapshot graph = snapshot_of(archive, {.time = GraphTime::at(1'004'000'000)});
  ASSERT_GT(graph.node_count(), 0);
  for (Node node = 0; node < graph.node_count(); ++node) {
    const Uid uid = *graph.uid(node);
    EXPECT_EQ(graph.node(uid), node);
    EXPECT_EQ(graph.name(node), archive.url(uid));
  }
  EXPECT_FALSE(graph.find("http://nowhere.example/"));
}

Capture capture_of(const std::string& url, Time time, const std::string& digest,
                   const std::vector<std::string>& targets) {
  Capture capture;
  capture.sighting.url = url;
  capture.sighting.time = time;
  capture.sighting.status = 200;
  capture.sighting.outcome = Outcome::Alive;
  capture.sighting.digest = digest;
  capture.links_known = true;
  for (const std::string& target : targets) {
    Link link;
    link.target = target;
    link.kinds = LinkKind::Navigation;
    capture.links.add(link);
  }
  return capture;
}

Capture answer_of(const std::string& url, Time time, std::int16_t status, Outcome outcome) {
  Capture capture;
  capture.sighting.url = url;
  capture.sighting.time = time;
  capture.sighting.status = status;
  capture.sighting.outcome = outcome;
  return capture;
}

// By hand: /a is captured at 100, 200 and 300, with contents x, x, y, is refused at 350, and is
// gone at 400; /b is only linked to.
Crawl small_story() {
  Crawl crawl = {capture_of("http://a.example/a", 100, "sha1:x", {"http://a.example/b"}),
                 capture_of("http://a.example/a", 200, "sha1:x", {"http://a.example/b"}),
                 capture_of("http://a.example/a", 300, "sha1:y", {"http://c.example/"}),
                 answer_of("http://a.example/a", 350, 403, Outcome::Blocked),
                 answer_of("http://a.example/a", 400, 404, Outcome::Gone)};
  crawl[1].sighting.text_length = 77;
  crawl[1].sighting.title_hash = 0x7171;
  return crawl;
}

TEST(ArchiveSnapshot, ColumnsOfNodesTellWhatWasKnownByThen) {
  const TemporaryFolder folder;
  build(folder.path() / "a.ws", small_story());
  const Archive archive = Archive::open(folder.path() / "a.ws");
  SnapshotRequest request;
  request.node_columns = {.outcome = true, .captures = true, .changes = true, .content = true};

  request.time = GraphTime::at(250);
  const Snapshot then = snapshot_of(archive, request);
  ASSERT_EQ(then.node_count(), 2);
  const Node a = *then.find("http://a.example/a");
  const Node b = *then.find("http://a.example/b");
  const NodeColumns& known = then.node_columns();
  EXPECT_EQ(known.outcome[a], Outcome::Alive);
  EXPECT_EQ(known.captures[a], 2);
  EXPECT_EQ(known.first_capture[a], 100);
  EXPECT_EQ(known.last_capture[a], 200);
  EXPECT_EQ(known.changes_seen[a], 0);
  EXPECT_EQ(known.span[a], 100);
  EXPECT_EQ(known.length[a], 77);
  EXPECT_EQ(known.title[a], 0x7171);
  EXPECT_TRUE(known.digest[a].has_value());
  EXPECT_FALSE(known.text_digest[a].has_value());
  EXPECT_EQ(known.captures[b], 0);
  EXPECT_FALSE(known.outcome[b] || known.first_capture[b] || known.changes_seen[b]);

  request.time = GraphTime::ever();
  const Snapshot ever = snapshot_of(archive, request);
  ASSERT_EQ(ever.node_count(), 3);
  EXPECT_EQ(ever.node_columns().outcome[*ever.find("http://a.example/a")], Outcome::Gone);
  EXPECT_EQ(ever.node_columns().changes_seen[*ever.find("http://a.example/a")], 1);
  EXPECT_EQ(ever.node_columns().span[*ever.find("http://a.example/a")], 200);

  request.time = GraphTime::during({300, 380});
  const Snapshot late = snapshot_of(archive, request);
  EXPECT_EQ(late.node_columns().captures[*late.find("http://a.example/a")], 1);
  EXPECT_EQ(late.node_columns().outcome[*late.find("http://a.example/a")], Outcome::Alive);
}

TEST(ArchiveSnapshot, APageThatIsGoneIsNoNode) {
  const TemporaryFolder folder;
  build(folder.path() / "a.ws", small_story());
  const Archive archive = Archive::open(folder.path() / "a.ws");
  EXPECT_EQ(snapshot_of(archive, {.time = GraphTime::at(399)}).link_count(), 1);
  EXPECT_EQ(snapshot_of(archive, {.time = GraphTime::at(400)}).node_count(), 0);
  EXPECT_EQ(snapshot_of(archive, {.time = GraphTime::at(99)}).node_count(), 0);
}

TEST(ArchiveSnapshot, ColumnsOfHostsJoinThoseOfTheirPages) {
  const TemporaryFolder folder;
  build(folder.path() / "a.ws",
        {capture_of("http://a.example/1", 100, "", {"http://b.example/1", "http://b.example/2"}),
         capture_of("http://a.example/2", 300, "", {"http://b.example/1", "http://a.example/1"})});
  const Archive archive = Archive::open(folder.path() / "a.ws");
  SnapshotRequest request;
  request.view = {.level = Level::Host, .inner_links = false};
  request.node_columns.captures = true;
  request.link_columns = {.kinds = true, .count = true, .seen = true};
  const Snapshot hosts = snapshot_of(archive, request);
  ASSERT_EQ(hosts.node_count(), 2);
  ASSERT_EQ(hosts.link_count(), 1);
  EXPECT_EQ(hosts.name(0), "a.example");
  EXPECT_EQ(hosts.node_columns().captures[0], 2);
  EXPECT_EQ(hosts.node_columns().first_capture[0], 100);
  EXPECT_EQ(hosts.node_columns().last_capture[0], 300);
  EXPECT_EQ(hosts.link_columns().count[0], 3);
  EXPECT_EQ(hosts.link_columns().first_seen[0], 100);
  EXPECT_EQ(hosts.link_columns().last_seen[0], 300);
}

// More links than a section of a page may hold, over two captures.
TEST(ArchiveSnapshot, PagesThatAreCutIntoSectionsAreWhole) {
  const TemporaryFolder folder;
  std::vector<std::string> targets;
  const std::size_t count = kSectionItems / 2 + 1000;
  for (std::size_t i = 0; i < count; ++i)
    targets.push_back("http://a.example/" + std::to_string(i));
  const std::string hub = "http://a.example/hub";
  const Crawl crawl = {capture_of(hub, 100, "", targets),
                       capture_of(hub, 200, "", {targets.begin() + 7, targets.end()})};
  build(folder.path() / "a.ws", crawl, 2, 1, ArchiveOptions());
  const Archive archive = Archive::open(folder.path() / "a.ws");
  const auto links_of = [&](const GraphTime& time) {
    return snapshot_of(archive, {.time = time}).link_count();
  };
  EXPECT_EQ(links_of(GraphTime::ever()), count);
  EXPECT_EQ(links_of(GraphTime::at(150)), count);
  EXPECT_EQ(links_of(GraphTime::at(200)), count - 7);
  EXPECT_EQ(links_of(GraphTime::during({150, 250})), count - 7);
  EXPECT_EQ(links_of(GraphTime::during({150, 250}, true)), count);
}

TEST(ArchiveSnapshot, TellsItsProgressAndCanBeStopped) {
  Random random(2);
  const TemporaryFolder folder;
  build(folder.path() / "a.ws", random_crawl(random, 60));
  const Archive archive = Archive::open(folder.path() / "a.ws");
  CancelToken cancel;
  SnapshotRequest request;
  std::set<std::string> phases;
  request.work.progress = [&](const Progress& progress) { phases.emplace(progress.phase); };
  request.work.cancel = &cancel;
  EXPECT_GT(snapshot_of(archive, request).node_count(), 0);
  EXPECT_TRUE(phases.contains("reading pages"));
  cancel.cancel();
  EXPECT_THROW(snapshot_of(archive, request), Error);
}

TEST(ArchiveSnapshot, AnEmptyArchiveIsAGraphWithoutNodes) {
  const TemporaryFolder folder;
  build(folder.path() / "a.ws", {});
  const Archive archive = Archive::open(folder.path() / "a.ws");
  EXPECT_EQ(snapshot_of(archive).node_count(), 0);
  EXPECT_EQ(snapshot_of(archive, {.view = {.level = Level::Domain}}).node_count(), 0);
}

}  // namespace
}  // namespace webstrata
