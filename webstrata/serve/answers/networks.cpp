// SPDX-License-Identifier: Apache-2.0

// Networks to draw: the most important hosts or domains at a date, and the neighbours of a page, a
// host or a domain.
// Tested by tests/serve/answers_test.cpp.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "webstrata/base/json.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/url/host.h"
#include "webstrata/url/url.h"

namespace webstrata::serve {
namespace {

constexpr std::uint64_t kNodesShownMax = 2000;

std::vector<Node> by_score(const RankedNetwork& network, std::vector<Node> nodes,
                           std::size_t count) {
  const auto& scores = network.scores;
  const std::size_t kept = std::min(count, nodes.size());
  std::partial_sort(
      nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(kept), nodes.end(),
      [&](Node a, Node b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
  nodes.resize(kept);
  return nodes;
}

// One in ten has the most links: without such hubs, whose own PageRank may be low, a picture of the
// others would have few connections.
constexpr std::size_t kPerHub = 10;

std::vector<Node> nodes_to_draw(const RankedNetwork& network, std::size_t count) {
  const Snapshot& graph = network.graph;
  std::vector<Node> all(graph.node_count());
  std::iota(all.begin(), all.end(), Node{0});
  if (count >= all.size()) return by_score(network, std::move(all), count);
  std::stable_sort(all.begin(), all.end(),
                   [&](Node a, Node b) { return graph.out_degree(a) > graph.out_degree(b); });
  const auto hubs_end = all.begin() + static_cast<std::ptrdiff_t>(count / kPerHub);
  std::vector<Node> chosen(all.begin(), hubs_end);
  const std::vector<Node> others =
      by_score(network, std::vector<Node>(hubs_end, all.end()), count - chosen.size());
  chosen.insert(chosen.end(), others.begin(), others.end());
  return by_score(network, std::move(chosen), count);
}

// The centre first, then those one step away, then two; of each ring those with the highest scores.
std::vector<Node> nearest_nodes(const RankedNetwork& network, Node centre, std::uint64_t depth,
                                std::size_t count) {
  std::vector<Node> chosen = {centre};
  std::set<Node> seen = {centre};
  std::vector<Node> ring = {centre};
  for (std::uint64_t step = 0; step < depth && chosen.size() < count; ++step) {
    std::vector<Node> next;
    for (const Node node : ring) {
      for (const auto& list : {network.graph.successors(node), network.graph.predecessors(node)}) {
        for (const Node other : list) {
          if (seen.insert(other).second) next.push_back(other);
        }
      }
    }
    ring = by_score(network, std::move(next), count - chosen.size());
    chosen.insert(chosen.end(), ring.begin(), ring.end());
  }
  return chosen;
}

void append_network_links(JsonWriter& json, const Snapshot& graph, const std::vector<Node>& nodes) {
  std::map<Node, std::size_t> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) places.emplace(nodes[i], i);
  json.key("links").begin_array();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::uint64_t link = graph.first_link(nodes[i]);
    for (const Node target : graph.successors(nodes[i])) {
      const auto place = places.find(target);
      if (place != places.end() && target != nodes[i]) {
        const std::uint32_t count = graph.link_columns().count[link].value_or(1);
        json.begin_array().value(i).value(place->second).value(count).end_array();
      }
      ++link;
    }
  }
  json.end_array();
}

std::string level_name(const std::string& word, Level level) {
  Url url;
  const std::string text = word.find("://") == std::string::npos ? "http://" + word : word;
  if (!parse_url(text, url)) return "";
  const std::string_view domain =
      level == Level::Domain ? registered_domain(url.host()) : std::string_view();
  return std::string(domain.empty() ? url.host() : domain);
}

Response level_network(const Question& question, Level level, std::size_t count) {
  const NetworkKey key = {question.at("at"), level, question.kinds("graph")};
  const auto network =
      question.served->derived.network(question.archive(), key, question.request.deadline);
  std::vector<Node> nodes;
  if (const auto word = question.text("url")) {
    const auto centre = network->graph.find(level_name(*word, level));
    if (!centre) {
      throw Problem(404, fmt::format("{} is not in the network of that date", *word));
    }
    nodes = nearest_nodes(*network, *centre, question.whole("depth", 1, 2, 1), count);
  } else {
    nodes = nodes_to_draw(*network, count);
  }
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  if (key.at) json.field("at", to_rfc3339(*key.at));
  json.field("level", to_string(level)).key("nodes").begin_array();
  for (const Node node : nodes) {
    const std::string name = network->graph.name(node);
    json.begin_object().field("name", name);
    if (level == Level::Host) json.field("domain", level_name(name, Level::Domain));
    json.field("pages", network->pages[node]).field("score", network->scores[node]).end_object();
  }
  json.end_array();
  append_network_links(json, network->graph, nodes);
  json.field("total_nodes", network->graph.node_count());
  json.field("total_links", network->graph.link_count()).end_object();
  return json_response(std::move(body));
}

// The links of a page at a time, or ever.
std::vector<Uid> neighbours(const Archive& archive, Uid uid, std::optional<Time> at,
                            Direction direction, LinkKinds kinds) {
  std::vector<Uid> found;
  if (at) {
    const auto links = direction == Direction::Out ? archive.links_at(uid, *at).links
                                                   : archive.in_links_at(uid, *at);
    for (const LinkAt& link : links) {
      if (link.kinds.intersects(kinds)) found.push_back(link.node);
    }
    return found;
  }
  for (const LinkHistory& life : archive.history(uid, direction)) {
    if (!life.kinds.intersects(kinds)) continue;
    found.push_back(direction == Direction::Out ? life.target : life.source);
  }
  return found;
}

// A page and the pages around it: those that link in both directions first, then in, then out.
std::vector<Uid> pages_around(const Question& question, Uid centre, std::optional<Time> at,
                              LinkKinds kinds, std::uint64_t& total) {
  const Archive& archive = question.archive();
  const auto out = neighbours(archive, centre, at, Direction::Out, kinds);
  const auto in = neighbours(archive, centre, at, Direction::In, kinds);
  const std::set<Uid> out_set(out.begin(), out.end());
  const std::set<Uid> in_set(in.begin(), in.end());
  std::vector<Uid> around = {centre};
  for (const Uid uid : in_set) {
    if (out_set.contains(uid) && uid != centre) around.push_back(uid);
  }
  for (const Uid uid : in_set) {
    if (!out_set.contains(uid) && uid != centre) around.push_back(uid);
  }
  for (const Uid uid : out_set) {
    if (!in_set.contains(uid) && uid != centre) around.push_back(uid);
  }
  total = around.size();
  return around;
}

Response page_network(const Question& question, std::size_t count) {
  const Archive& archive = question.archive();
  if (!question.text("url")) throw Problem(400, "a network of pages needs the URL of one");
  // Pages two steps away would be too many to draw.
  [[maybe_unused]] const std::uint64_t depth = question.whole("depth", 1, 1, 1);
  const Uid centre = question.node("url");
  const auto at = question.at("at");
  const LinkKinds kinds = question.kinds("graph");
  std::uint64_t total = 0;
  std::vector<Uid> nodes = pages_around(question, centre, at, kinds, total);
  nodes.resize(std::min<std::size_t>(nodes.size(), count));
  std::map<Uid, std::size_t> places;
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  if (at) json.field("at", to_rfc3339(*at));
  json.field("level", "page").key("nodes").begin_array();
  for (const Uid uid : nodes) {
    places.emplace(uid, places.size());
    json.begin_object().field("name", archive.url(uid)).field("uid", uid).end_object();
  }
  json.end_array().key("links").begin_array();
  std::uint64_t total_links = 0;
  for (const Uid uid : nodes) {
    question.check_time();
    for (const Uid target : neighbours(archive, uid, at, Direction::Out, kinds)) {
      const auto place = places.find(target);
      if (place == places.end() || target == uid) continue;
      json.begin_array().value(places[uid]).value(place->second).value(1).end_array();
      ++total_links;
    }
  }
  json.end_array().field("total_nodes", total).field("total_links", total_links).end_object();
  return json_response(std::move(body));
}

}  // namespace

Response answer_network(const Question& question) {
  const std::string level = question.choice("level", {"host", "domain", "page"});
  const std::uint64_t count = question.whole("limit", 1, kNodesShownMax, 200);
  if (level == "page") return page_network(question, count);
  return level_network(question, *parse_level(level), count);
}

}  // namespace webstrata::serve
