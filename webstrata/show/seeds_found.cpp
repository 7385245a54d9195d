// SPDX-License-Identifier: Apache-2.0

// JSON has everything that was found; the text forms are the list, the distances between cores, and
// a table of the evaluation by depth. Distances that do not exist are -1 in JSON.
// Tested by tests/cli/seeds_test.py.

#include "webstrata/show/seeds_found.h"

#include <fmt/format.h>

#include "webstrata/base/counted.h"
#include "webstrata/base/human.h"
#include "webstrata/base/json.h"

namespace webstrata {
namespace {

// ---- for programs -------------------------------------------------------------------------------

void append_names(JsonWriter& json, std::string_view key, const Snapshot& graph,
                  const std::vector<Node>& nodes) {
  json.key(key).begin_array();
  for (const Node node : nodes) json.value(std::string_view(graph.name(node)));
  json.end_array();
}

void append_seeds(JsonWriter& json, const std::vector<SeedLine>& lines) {
  json.key("seeds").begin_array();
  for (const SeedLine& line : lines) {
    json.begin_object().field("url", std::string_view(line.url)).field("score", line.score);
    json.field("why", std::string_view(line.why)).end_object();
  }
  json.end_array();
}

void append_vanished(JsonWriter& json, const Snapshot& graph, const SeedsFound& found) {
  json.key("vanished").begin_array();
  for (const SeedCandidate& seed : found.chosen.vanished) {
    json.value(std::string_view(graph.name(seed.node)));
  }
  json.end_array().key("replaced").begin_array();
  for (std::size_t i = 0; i < found.replacements.size(); ++i) {
    const Replacement& by = found.replacements[i];
    json.begin_object().field("url", std::string_view(found.replaced_names[i]));
    json.field("by", to_string(by.reason)).field("similarity", by.similarity).end_object();
  }
  json.end_array();
}

void append_core_sizes(JsonWriter& json, const std::vector<BipartiteCore>& cores) {
  json.key("cores").begin_array();
  for (std::size_t i = 0; i < cores.size(); ++i) {
    json.begin_object().field("iteration", i + 1).field("hubs", cores[i].hubs.size());
    json.field("authorities", cores[i].authorities.size()).field("links", cores[i].link_count);
    json.field("density", cores[i].cover_density()).field("ended", to_string(cores[i].end));
    json.end_object();
  }
  json.end_array();
}

void append_distances(JsonWriter& json, const CoreDistances& distances) {
  json.key("distances").begin_object().key("matrix").begin_array();
  for (std::size_t from = 0; from < distances.core_count; ++from) {
    json.begin_array();
    for (std::size_t to = 0; to < distances.core_count; ++to) {
      const auto distance = distances.at(from, to);
      json.value(distance ? static_cast<int>(*distance) : -1);
    }
    json.end_array();
  }
  json.end_array().field("connected_pairs", distances.connected_pairs);
  if (distances.mean) {
    json.field("nearest", *distances.nearest).field("farthest", *distances.farthest);
    json.field("mean", *distances.mean);
  }
  json.key("by_gap").begin_array();
  for (std::size_t i = 0; i < distances.by_gap.size(); ++i) {
    const CoreDistances::Gap& gap = distances.by_gap[i];
    json.begin_object().field("gap", i + 1).field("pairs", gap.pairs);
    json.field("connected_pairs", gap.connected_pairs).field("mean", gap.mean);
    json.field("nearest", gap.nearest).field("farthest", gap.farthest).end_object();
  }
  json.end_array().end_object();
}

void append_profile(JsonWriter& json, std::string_view key, const CrawlProfile& profile) {
  json.key(key).begin_array();
  for (std::size_t depth = 0; depth < profile.depths.size(); ++depth) {
    const CrawlDepth& row = profile.depths[depth];
    json.begin_object().field("depth", depth).field("pages", row.pages);
    json.field("average_pagerank", row.average()).field("pages_so_far", row.pages_so_far);
    json.field("pagerank_so_far", row.score_so_far).end_object();
  }
  json.end_array();
}

void append_evaluation(JsonWriter& json, const EvaluatedSeeds& evaluated) {
  const SeedEvaluation& evaluation = evaluated.evaluation;
  json.begin_object().field("seeds", evaluation.seed_count);
  json.field("vanished", evaluated.vanished);
  json.key("mean_distance").begin_object().field("sources", evaluation.distance.sources);
  json.field("pairs", evaluation.distance.pairs).field("farthest", evaluation.distance.farthest);
  if (evaluation.distance.mean) json.field("mean", *evaluation.distance.mean);
  json.end_object();
  append_profile(json, "chosen", evaluation.chosen);
  append_profile(json, "random", evaluation.random);
  json.end_object();
}

void append_law(JsonWriter& json, std::string_view key, const std::optional<PowerLaw>& law) {
  if (!law) return;
  json.key(key).begin_object().field("exponent", law->exponent).field("error", law->error);
  json.field("cutoff", law->cutoff).field("tail", law->tail).field("nodes", law->numbers);
  json.field("distance", law->distance);
  if (law->p_value) json.field("p", *law->p_value);
  json.end_object();
}

void append_tables(JsonWriter& json, const GraphTables& tables) {
  json.begin_object().field("nodes", tables.nodes).field("links", tables.links);
  if (tables.links_between_hosts) json.field("links_between_hosts", *tables.links_between_hosts);
  append_law(json, "in_degrees", tables.in_degrees);
  append_law(json, "out_degrees", tables.out_degrees);
  json.end_object();
}

std::string law_as_text(std::string_view name, const std::optional<PowerLaw>& law) {
  if (!law) return fmt::format("{:<12}{:>10}\n", name, "-");
  return fmt::format("{:<12}{:>10.3f}{:>8.3f}{:>10}{:>14}{:>10.4f}{:>8}\n", name, law->exponent,
                     law->error, human_number(law->cutoff), human_number(law->tail), law->distance,
                     law->p_value ? fmt::format("{:.2f}", *law->p_value) : "-");
}

std::string replacement_text(const Replacement& found, const std::string& name) {
  const std::string shared = found.reason == ReplacedBy::Links
                                 ? fmt::format(" ({:.0f} %)", 100 * found.similarity)
                                 : std::string();
  return fmt::format("in place of {}: {}{}", name, to_string(found.reason), shared);
}

}  // namespace

// ---- the lines ----------------------------------------------------------------------------------

void add_chosen(const Snapshot& graph, SeedsFound& found) {
  for (const SeedCandidate& seed : found.chosen.seeds) {
    found.lines.push_back({graph.name(seed.node), seed.score, seed.why});
  }
}

void add_replaced(const Snapshot& graph, const Snapshot& newer, SeedsFound& found) {
  std::vector<Node> vanished;
  std::vector<Node> taken;
  for (const SeedCandidate& seed : found.chosen.seeds) {
    if (const auto alive = survivor(graph, newer, seed.node)) {
      taken.push_back(*alive);
    } else {
      vanished.push_back(seed.node);
    }
  }
  found.replacements = replace_vanished(graph, newer, vanished, taken);
  std::size_t next = 0;
  for (const SeedCandidate& seed : found.chosen.seeds) {
    const std::string name = graph.name(seed.node);
    if (next == found.replacements.size() || found.replacements[next].vanished != seed.node) {
      found.lines.push_back({name, seed.score, seed.why});
      continue;
    }
    const Replacement& by = found.replacements[next++];
    found.replaced_names.push_back(name);
    if (!by.node) continue;
    found.lines.push_back({newer.name(*by.node), seed.score, replacement_text(by, name)});
  }
}

std::size_t leave_out_forgotten(SeedsFound& found, const HandOver& hand_over) {
  return std::erase_if(found.lines,
                       [&](const SeedLine& line) { return !hand_over.may_name(line.url); });
}

std::vector<BipartiteCore> without_forgotten(std::vector<BipartiteCore> cores,
                                             const Snapshot& graph, const HandOver& hand_over) {
  for (BipartiteCore& core : cores) {
    for (auto* members : {&core.hubs, &core.authorities}) {
      std::erase_if(*members, [&](Node node) { return !hand_over.may_name(graph.name(node)); });
    }
  }
  return cores;
}

std::string cores_as_lines(const Snapshot& graph, const std::vector<BipartiteCore>& cores) {
  std::string text;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    JsonWriter json(text);
    json.begin_object().field("iteration", i + 1).field("links", cores[i].link_count);
    json.field("density", cores[i].cover_density()).field("ended", to_string(cores[i].end));
    append_names(json, "hubs", graph, cores[i].hubs);
    append_names(json, "authorities", graph, cores[i].authorities);
    json.end_object();
    text.push_back('\n');
  }
  return text;
}

std::string evaluation_as_json(const EvaluatedSeeds& evaluated) {
  std::string text;
  JsonWriter json(text);
  append_evaluation(json, evaluated);
  return text;
}

std::string tables_as_json(const GraphTables& tables) {
  std::string text;
  JsonWriter json(text);
  append_tables(json, tables);
  return text;
}

std::string as_json(const Snapshot& graph, const SeedsFound& found) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("method", std::string_view(found.method));
  json.field("seed", found.seed).field("wanted", found.wanted).field("tests", found.chosen.tests);
  json.field("ended", to_string(found.chosen.ended));
  append_seeds(json, found.lines);
  append_vanished(json, graph, found);
  append_core_sizes(json, found.chosen.cores);
  if (found.distances) append_distances(json, *found.distances);
  if (found.evaluated) {
    json.key("evaluation");
    append_evaluation(json, *found.evaluated);
  }
  if (found.tables) {
    json.key("graph");
    append_tables(json, *found.tables);
  }
  json.end_object();
  text.push_back('\n');
  return text;
}

// ---- for people ---------------------------------------------------------------------------------

TextTable why_table(const SeedsFound& found) {
  TextTable table{{"url", "why"}, {}};
  for (const SeedLine& line : found.lines) table.rows.push_back({line.url, line.why});
  return table;
}

std::string distances_as_text(const CoreDistances& distances) {
  std::string text = "links from core (row) to core (column), . where there is no way\n     ";
  for (std::size_t to = 1; to <= distances.core_count; ++to) text += fmt::format("{:>4}", to);
  text += "\n";
  for (std::size_t from = 0; from < distances.core_count; ++from) {
    text += fmt::format("{:>5}", from + 1);
    for (std::size_t to = 0; to < distances.core_count; ++to) {
      const auto distance = distances.at(from, to);
      text += fmt::format("{:>4}", distance ? std::to_string(*distance) : ".");
    }
    text += "\n";
  }
  if (!distances.mean) return text + "no core reaches another\n";
  text += fmt::format("nearest {}, farthest {}, mean {:.2f} over {} pairs\n", *distances.nearest,
                      *distances.farthest, *distances.mean, distances.connected_pairs);
  text += fmt::format("\n{:<12}{:>8}{:>12}{:>10}\n", "iterations", "pairs", "connected", "mean");
  for (std::size_t i = 0; i < distances.by_gap.size(); ++i) {
    const CoreDistances::Gap& gap = distances.by_gap[i];
    text += fmt::format("{:<12}{:>8}{:>12}{:>10.2f}\n", i + 1, gap.pairs, gap.connected_pairs,
                        gap.mean);
  }
  return text;
}

TextTable distances_table(const CoreDistances& distances) {
  TextTable table{{"from", "to", "links"}, {}};
  for (std::size_t from = 0; from < distances.core_count; ++from) {
    for (std::size_t to = 0; to < distances.core_count; ++to) {
      const auto links = distances.at(from, to);
      table.rows.push_back({std::to_string(from + 1), std::to_string(to + 1),
                            links ? std::to_string(*links) : std::string()});
    }
  }
  return table;
}

std::string tables_as_text(const GraphTables& tables) {
  std::string text = fmt::format("{:<20}{:>14}\n{:<20}{:>14}\n", "nodes",
                                 human_number(tables.nodes), "links", human_number(tables.links));
  if (tables.links_between_hosts) {
    text += fmt::format("{:<20}{:>14}\n", "links between hosts",
                        human_number(*tables.links_between_hosts));
  }
  text += fmt::format("\n{:<12}{:>10}{:>8}{:>10}{:>14}{:>10}{:>8}\n", "power law", "exponent", "±",
                      "from", "nodes", "distance", "p");
  text += law_as_text("in-degree", tables.in_degrees);
  text += law_as_text("out-degree", tables.out_degrees);
  return text +
         "p: share of samples of the law that are as far from a law; below 0.1 it is rejected\n";
}

std::string evaluation_as_text(const SeedsFound& found) {
  const SeedEvaluation& evaluation = found.evaluated->evaluation;
  std::string text = counted(evaluation.seed_count, "seed", "seeds");
  if (found.evaluated->vanished > 0) {
    text += fmt::format(" ({} more {} not there any more)", found.evaluated->vanished,
                        found.evaluated->vanished == 1 ? "is" : "are");
  }
  if (evaluation.distance.mean) {
    text += fmt::format("; mean distance on the graph {:.2f} links", *evaluation.distance.mean);
  }
  if (evaluation.chosen.depths.empty()) return text + "\n";
  text += fmt::format("\n{:<7}{:^39}{:^39}\n", "", found.method, "random");
  text += fmt::format("{:<7}{:>12}{:>14}{:>12} {:>12}{:>14}{:>12}\n", "depth", "pages",
                      "avg PageRank", "share", "pages", "avg PageRank", "share");
  for (std::size_t depth = 0; depth < evaluation.chosen.depths.size(); ++depth) {
    const CrawlDepth& chosen = evaluation.chosen.depths[depth];
    const CrawlDepth& random = evaluation.random.depths[depth];
    text += fmt::format("{:<7}{:>12.0f}{:>14.3g}{:>12.3f} {:>12.0f}{:>14.3g}{:>12.3f}\n", depth,
                        chosen.pages, chosen.average(), chosen.score_so_far, random.pages,
                        random.average(), random.score_so_far);
  }
  return text +
         "pages and their average PageRank at each depth; share: PageRank of all up to there\n";
}

}  // namespace webstrata
