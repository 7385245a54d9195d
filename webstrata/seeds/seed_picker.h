// What a way of choosing seeds is: it names one candidate after the other and hears whether each
// is still alive. seed_methods.h lists them and drives them.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "webstrata/seeds/bipartite_core.h"

namespace webstrata {

struct SeedCandidate {
  Node node = 0;
  double score = 0;      // by which it was chosen; what it means differs from method to method
  std::string why = {};  // one sentence
};

class SeedPicker {
 public:
  virtual ~SeedPicker() = default;
  // The candidate to test next: a page, never the same twice. Empty: there are no more.
  virtual std::optional<SeedCandidate> next() = 0;
  // What the test of the last candidate showed.
  virtual void learn(Node /*node*/, bool /*is_alive*/) {}
  // Those that were found on the way.
  [[nodiscard]] virtual std::span<const BipartiteCore> cores() const { return {}; }
};

}  // namespace webstrata
