// SPDX-License-Identifier: Apache-2.0

// The interface of a method that chooses seeds: it names candidates one by one and learns whether
// each is still alive. seed_methods.h lists the methods and runs them.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "webstrata/seeds/bipartite_core.h"

namespace webstrata {

struct SeedCandidate {
  Node node = 0;
  double score = 0;      // by which it was chosen; its meaning depends on the method
  std::string why = {};  // one sentence
};

class SeedPicker {
 public:
  virtual ~SeedPicker() = default;
  // The candidate to test next: a page, never the same twice. Empty: there are no more.
  virtual std::optional<SeedCandidate> next() = 0;
  // What the test of the last candidate showed.
  virtual void learn(Node /*node*/, bool /*is_alive*/) {}
  // The cores found so far.
  [[nodiscard]] virtual std::span<const BipartiteCore> cores() const { return {}; }
};

}  // namespace webstrata
