// SPDX-License-Identifier: Apache-2.0

// Scores of nodes. Tested by tests/python/graph_test.py.

#include <nanobind/ndarray.h>

#include "python/core/bindings.h"
#include "python/core/long_work.h"
#include "webstrata/arrow/table.h"
#include "webstrata/rank/rankings.h"

namespace webstrata {
namespace {

using arrow::number_column;
using arrow::Table;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const double> span_of(const std::optional<Doubles>& values) {
  return values ? std::span(values->data(), values->size()) : std::span<const double>();
}

DeadEnds dead_ends_of(std::string_view word) {
  if (word == "uniform") return DeadEnds::Uniform;
  if (word == "preference") return DeadEnds::Preference;
  if (word == "drop") return DeadEnds::Drop;
  throw Error(ErrorKind::BadInput,
              "dead_ends " + std::string(word) + ": not uniform, preference or drop");
}

PageRankMethod method_of(std::string_view word) {
  if (word == "gauss-seidel") return PageRankMethod::GaussSeidel;
  if (word == "power") return PageRankMethod::Power;
  throw Error(ErrorKind::BadInput, "method " + std::string(word) + ": not gauss-seidel or power");
}

nb::dict how_it_ended(bool converged, double error_bound, int iterations) {
  nb::dict how;
  how["converged"] = converged;
  how["error_bound"] = error_bound;
  how["iterations"] = iterations;
  return how;
}

nb::tuple pagerank_of(const Snapshot& graph, double damping, double tolerance, int iterations_max,
                      const std::optional<Doubles>& preference, std::string_view dead_ends,
                      std::string_view method, const std::optional<Doubles>& link_weights,
                      const std::optional<Doubles>& start, unsigned threads, nb::object progress) {
  LongWork work(std::move(progress));
  PageRankOptions options;
  options.damping = damping;
  options.tolerance = tolerance;
  options.iterations_max = iterations_max;
  options.preference = span_of(preference);
  options.dead_ends = dead_ends_of(dead_ends);
  options.method = method_of(method);
  options.link_weights = span_of(link_weights);
  options.start = span_of(start);
  options.work = work.options(threads);
  PageRankResult result = work.run([&] { return pagerank(graph, options); });
  return nb::make_tuple(Table{{number_column("score", std::move(result.scores))}},
                        how_it_ended(result.converged, result.error_bound, result.iterations));
}

nb::tuple hits_of(const Snapshot& graph, int iterations, double tolerance, unsigned threads,
                  nb::object progress) {
  LongWork work(std::move(progress));
  HitsOptions options;
  options.iterations = iterations;
  options.tolerance = tolerance;
  options.work = work.options(threads);
  HitsResult result = work.run([&] { return hits(graph, options); });
  return nb::make_tuple(Table{{number_column("hub", std::move(result.hubs)),
                               number_column("authority", std::move(result.authorities))}},
                        how_it_ended(result.converged, result.change, result.iterations));
}

nb::tuple rank_by(const Snapshot& graph, std::string_view by, std::uint32_t samples,
                  std::uint32_t registers, std::uint64_t seed, unsigned threads,
                  nb::object progress) {
  LongWork work(std::move(progress));
  const Ranking& ranking = find_ranking(by);
  RankingOptions options;
  options.pagerank.work = options.hits.work = options.harmonic.work = work.options(threads);
  options.harmonic.samples = samples;
  options.harmonic.seed = seed;
  options.registers = registers;
  RankingResult result = work.run([&] { return ranking.run(graph, options); });
  nb::dict how = how_it_ended(result.converged, result.error_bound, result.iterations);
  how["standard_error"] = result.standard_error;
  return nb::make_tuple(Table{{number_column("score", std::move(result.scores))}}, how);
}

}  // namespace

void bind_rank(nb::module_& module) {
  module.def("pagerank", pagerank_of, "graph"_a, "damping"_a, "tolerance"_a, "iterations_max"_a,
             "preference"_a.none(), "dead_ends"_a, "method"_a, "link_weights"_a.none(),
             "start"_a.none(), "threads"_a, "progress"_a = nb::none());
  module.def("hits", hits_of, "graph"_a, "iterations"_a, "tolerance"_a, "threads"_a,
             "progress"_a = nb::none());
  module.def("rank", rank_by, "graph"_a, "by"_a, "samples"_a, "registers"_a, "seed"_a, "threads"_a,
             "progress"_a = nb::none());
  module.def("rankings", [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Ranking& one : rankings()) all.emplace_back(one.name, one.summary);
    return all;
  });
}

}  // namespace webstrata
