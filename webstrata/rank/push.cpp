// SPDX-License-Identifier: Apache-2.0

// Tested by tests/rank/ppr_test.cpp.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/rank/checks.h"
#include "webstrata/rank/ppr.h"

namespace webstrata {

PushPageRank::PushPageRank(Snapshot graph, const PushOptions& options)
    : graph_(std::move(graph)),
      options_(options),
      scores_(graph_.node_count()),
      held_(graph_.node_count()),
      is_waiting_(graph_.node_count()) {
  if (!(options.damping >= 0 && options.damping < 1)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("damping {}: it must be at least 0 and below 1", options.damping));
  }
  if (!(options.epsilon > 0)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("epsilon {}: it must be above 0", options.epsilon));
  }
  if (options.link_weights.empty()) return;
  check_size("link_weights", options.link_weights.size(), graph_.link_count(), "links");
  check_values("link_weights", options.link_weights);
}

void PushPageRank::add(Node source, double amount) {
  if (source >= graph_.node_count()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("source {}: the graph has {} nodes", source, graph_.node_count()));
  }
  if (!(amount > 0 && std::isfinite(amount))) {
    throw Error(ErrorKind::BadInput,
                fmt::format("amount {}: it must be a positive number", amount));
  }
  hold(source, amount);
  while (!waiting_.empty()) {
    const Node node = waiting_.front();
    waiting_.pop_front();
    is_waiting_[node] = 0;
    push(node);
  }
}

double PushPageRank::residual() const {
  double sum = 0;
  for (const double held : held_) sum += held;
  return sum;
}

void PushPageRank::hold(Node node, double amount) {
  held_[node] += amount;
  const double limit = options_.epsilon * std::max<std::uint32_t>(1, graph_.out_degree(node));
  if (held_[node] <= limit || is_waiting_[node] != 0) return;
  is_waiting_[node] = 1;
  waiting_.push_back(node);
}

double PushPageRank::out_weight(Node node) const {
  if (options_.link_weights.empty()) return graph_.out_degree(node);
  double sum = 0;
  for (const double weight :
       options_.link_weights.subspan(graph_.first_link(node), graph_.out_degree(node))) {
    sum += weight;
  }
  return sum;
}

void PushPageRank::push(Node node) {
  const double amount = std::exchange(held_[node], 0);
  scores_[node] += (1 - options_.damping) * amount;
  const double out = out_weight(node);
  if (out == 0) return;  // a dead end: the rest is lost
  const double share = options_.damping * amount / out;
  std::uint64_t link = graph_.first_link(node);
  for (const Node target : graph_.successors(node)) {
    const double weight = options_.link_weights.empty() ? 1 : options_.link_weights[link++];
    if (weight > 0) hold(target, share * weight);
  }
  link_visits_ += graph_.out_degree(node);
}

}  // namespace webstrata
