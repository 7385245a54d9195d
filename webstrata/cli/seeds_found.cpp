// Tested by tests/cli/seeds_test.py.

#include "webstrata/cli/seed_report.h"

#include <fmt/format.h>

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

void append_vanished(JsonWriter& json, const Snapshot& graph, const SeedReport& report) {
  json.key("vanished").begin_array();
  for (const SeedCandidate& seed : report.chosen.vanished) {
    json.value(std::string_view(graph.name(seed.node)));
  }
  json.end_array().key("replaced").begin_array();
  for (std::size_t i = 0; i < report.replacements.size(); ++i) {
    const Replacement& found = report.replacements[i];
    json.begin_object().field("url", std::string_view(report.replaced_names[i]));
    json.field("by", to_string(found.reason)).field("similarity", found.similarity).end_object();
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
    json.field("connected_pairs", gap.connected_pairs).field("mean", gap.mean).end_object();
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

void append_evaluation(JsonWriter& json, const SeedReport& report) {
  const SeedEvaluation& found = *report.evaluation;
  json.key("evaluation").begin_object().field("seeds", found.seed_count);
  json.field("vanished", report.evaluated_vanished);
  json.key("mean_distance").begin_object().field("sources", found.distance.sources);
  json.field("pairs", found.distance.pairs).field("farthest", found.distance.farthest);
  if (found.distance.mean) json.field("mean", *found.distance.mean);
  json.end_object();
  append_profile(json, "chosen", found.chosen);
  append_profile(json, "random", found.random);
  json.end_object();
}

}  // namespace

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

std::string as_json(const Snapshot& graph, const SeedReport& report) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("method", std::string_view(report.method));
  json.field("wanted", report.wanted).field("tests", report.chosen.tests);
  json.field("ended", to_string(report.chosen.ended));
  append_seeds(json, report.lines);
  append_vanished(json, graph, report);
  append_core_sizes(json, report.chosen.cores);
  if (report.distances) append_distances(json, *report.distances);
  if (report.evaluation) append_evaluation(json, report);
  json.end_object();
  text.push_back('\n');
  return text;
}

// ---- for people ---------------------------------------------------------------------------------

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

std::string evaluation_as_text(const SeedReport& report) {
  const SeedEvaluation& found = *report.evaluation;
  std::string text = fmt::format("{} seeds", found.seed_count);
  if (report.evaluated_vanished > 0) {
    text += fmt::format(" ({} more are not there any more)", report.evaluated_vanished);
  }
  if (found.distance.mean) {
    text += fmt::format("; mean distance on the graph {:.2f} links", *found.distance.mean);
  }
  if (found.chosen.depths.empty()) return text + "\n";
  text += fmt::format("\n{:<7}{:^39}{:^39}\n", "", report.method, "random");
  text += fmt::format("{:<7}{:>12}{:>14}{:>12} {:>12}{:>14}{:>12}\n", "depth", "pages",
                      "avg PageRank", "share", "pages", "avg PageRank", "share");
  for (std::size_t depth = 0; depth < found.chosen.depths.size(); ++depth) {
    const CrawlDepth& chosen = found.chosen.depths[depth];
    const CrawlDepth& random = found.random.depths[depth];
    text += fmt::format("{:<7}{:>12.0f}{:>14.3g}{:>12.3f} {:>12.0f}{:>14.3g}{:>12.3f}\n", depth,
                        chosen.pages, chosen.average(), chosen.score_so_far, random.pages,
                        random.average(), random.score_so_far);
  }
  return text +
         "pages and their average PageRank at each depth; share: PageRank of all up to there\n";
}

}  // namespace webstrata
