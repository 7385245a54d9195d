// SPDX-License-Identifier: Apache-2.0

// With a limit on the length of chains, a list that copies cheaply from a deep one blocks all that
// would copy from it. The choice has three steps, each of which respects the limit:
//  1. Greedy, in order, with a price for every level of depth; several prices are tried and the
//     cheapest outcome is kept.
//  2. Improvement: each list moves to its cheapest candidate that leaves room for the lists that
//     copy from it.
//  3. Promotion: a list moves to a smaller depth, though that costs, when the lists that could then
//     copy from it save more.
// In the prototype of this codec, on cnr-2000 with chains of 3, greedy alone took 2.25 bits per
// link, prices 2.02, promotion 1.99; a tree optimum over the best candidates, as in Zuckerli, took
// 2.17.
//
// Tested by tests/codec/reference_choice_test.cpp.

#include "webstrata/codec/reference_choice.h"

#include <algorithm>
#include <array>
#include <limits>

namespace webstrata {
namespace {

// What a level of depth costs in the greedy step, in the unit of prices (1/256 bit).
constexpr std::array<std::uint32_t, 4> kDepthPayments = {12 * 256, 20 * 256, 32 * 256, 48 * 256};
constexpr int kImprovements = 3;
constexpr int kPromotions = 3;

// Which list copies from which. `depth` counts copies up to a list without reference, `height`
// (never too small) the longest chain of copies below a list.
struct Choice {
  std::vector<std::uint32_t> back;
  std::vector<std::uint32_t> price;
  std::vector<std::uint8_t> depth;
  std::vector<std::uint8_t> height;

  explicit Choice(const ReferencePrices& prices)
      : back(prices.alone.size(), 0),
        price(prices.alone),
        depth(prices.alone.size(), 0),
        height(prices.alone.size(), 0) {}

  void set(std::size_t list, std::uint32_t new_back, std::uint32_t new_price) {
    back[list] = new_back;
    price[list] = new_price;
  }

  void find_depth(std::size_t list) {
    depth[list] = back[list] == 0 ? 0 : static_cast<std::uint8_t>(depth[list - back[list]] + 1);
  }

  void find_heights() {
    std::ranges::fill(height, 0);
    for (std::size_t list = back.size(); list-- > 0;) {
      if (back[list] != 0) raise(list - back[list], height[list] + 1U);
    }
  }

  // Updates the heights of the lists above.
  void raise_above(std::size_t list) {
    unsigned chain = height[list];
    while (back[list] != 0) {
      list -= back[list];
      if (height[list] > chain) break;
      height[list] = static_cast<std::uint8_t>(++chain);
    }
  }

  void raise(std::size_t list, unsigned chain) {
    height[list] = std::max(height[list], static_cast<std::uint8_t>(chain));
  }

  [[nodiscard]] std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const auto each : price) sum += each;
    return sum;
  }
};

Choice greedy(const ReferencePrices& prices, unsigned chain_max, std::uint32_t payment) {
  Choice choice(prices);
  for (std::size_t list = 0; list < prices.alone.size(); ++list) {
    std::uint64_t best = prices.alone[list];
    for (const auto& candidate : prices.of(list)) {
      const unsigned depth = choice.depth[list - candidate.back] + 1U;
      const std::uint64_t paid = candidate.price + std::uint64_t{payment} * depth;
      if (depth > chain_max || paid >= best) continue;
      best = paid;
      choice.set(list, candidate.back, candidate.price);
    }
    choice.find_depth(list);
  }
  return choice;
}

void improve(const ReferencePrices& prices, unsigned chain_max, Choice& choice) {
  choice.find_heights();
  for (std::size_t list = 0; list < prices.alone.size(); ++list) {
    std::uint32_t back = 0;
    std::uint32_t price = prices.alone[list];
    for (const auto& candidate : prices.of(list)) {
      if (choice.depth[list - candidate.back] + 1U + choice.height[list] > chain_max) continue;
      back = candidate.back;
      price = candidate.price;
      break;
    }
    choice.set(list, back, price);
    choice.find_depth(list);
    choice.raise_above(list);
  }
}

// The candidates inverted: the lists that could copy from a list, and at what price.
struct Copier {
  std::uint32_t list = 0;
  std::uint32_t price = 0;
};

class Promotion {
 public:
  Promotion(const ReferencePrices& prices, unsigned chain_max)
      : prices_(prices), chain_max_(chain_max), starts_(prices.alone.size() + 1, 0) {
    const std::size_t count = prices.alone.size();
    for_each_candidate(
        [this](std::size_t, std::size_t source, std::uint32_t) { ++starts_[source + 1]; });
    for (std::size_t list = 0; list < count; ++list) starts_[list + 1] += starts_[list];
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    copiers_.resize(prices.candidates.size());
    for_each_candidate([this, &next](std::size_t list, std::size_t source, std::uint32_t price) {
      copiers_[next[source]++] = {static_cast<std::uint32_t>(list), price};
    });
  }

  // Returns whether anything changed.
  bool pass(Choice& choice) const {
    choice.find_heights();
    bool has_changed = false;
    for (std::size_t list = 0; list < prices_.alone.size(); ++list) {
      choice.find_depth(list);
      const Move move = best_move(choice, list);
      if (move.gain > 0) {
        make(choice, list, move);
        has_changed = true;
      }
      choice.raise_above(list);
    }
    return has_changed;
  }

 private:
  struct Move {
    std::int64_t gain = 0;
    std::uint32_t back = 0;
    std::uint32_t price = 0;
    unsigned depth = 0;
  };

  template <class Visit>
  void for_each_candidate(Visit visit) const {
    for (std::size_t list = 0; list < prices_.alone.size(); ++list) {
      for (const auto& candidate : prices_.of(list)) {
        visit(list, list - candidate.back, candidate.price);
      }
    }
  }

  [[nodiscard]] std::span<const Copier> copiers(std::size_t list) const {
    return std::span(copiers_).subspan(starts_[list], starts_[list + 1] - starts_[list]);
  }

  [[nodiscard]] bool would_copy(const Choice& choice, const Copier& copier, unsigned depth) const {
    return copier.price < choice.price[copier.list] &&
           depth + 1 + choice.height[copier.list] <= chain_max_;
  }

  [[nodiscard]] Move best_move(const Choice& choice, std::size_t list) const {
    Move best;
    for (unsigned depth = 0; depth + choice.height[list] <= chain_max_; ++depth) {
      Move move{0, 0, prices_.alone[list], depth};
      if (depth > 0) {
        for (const auto& candidate : prices_.of(list)) {
          if (choice.depth[list - candidate.back] + 1U != depth) continue;
          move.back = candidate.back;
          move.price = candidate.price;
          break;
        }
        if (move.back == 0) continue;
      }
      move.gain = std::int64_t{choice.price[list]} - move.price;
      for (const auto& copier : copiers(list)) {
        if (would_copy(choice, copier, depth)) {
          move.gain += choice.price[copier.list] - copier.price;
        }
      }
      if (move.gain > best.gain) best = move;
    }
    return best;
  }

  void make(Choice& choice, std::size_t list, const Move& move) const {
    choice.set(list, move.back, move.price);
    choice.find_depth(list);
    for (const auto& copier : copiers(list)) {
      if (!would_copy(choice, copier, move.depth)) continue;
      choice.set(copier.list, static_cast<std::uint32_t>(copier.list - list), copier.price);
      choice.raise(list, choice.height[copier.list] + 1U);
    }
  }

  const ReferencePrices& prices_;
  unsigned chain_max_;
  std::vector<std::uint32_t> starts_;
  std::vector<Copier> copiers_;
};

}  // namespace

std::vector<std::uint32_t> choose_references(const ReferencePrices& prices, unsigned chain_max) {
  Choice best(prices);
  std::uint64_t best_total = std::numeric_limits<std::uint64_t>::max();
  for (const auto payment : kDepthPayments) {
    Choice choice = greedy(prices, chain_max, payment);
    for (int i = 0; i < kImprovements; ++i) improve(prices, chain_max, choice);
    const std::uint64_t total = choice.total();
    if (total >= best_total) continue;
    best = std::move(choice);
    best_total = total;
  }
  const Promotion promotion(prices, chain_max);
  for (int i = 0; i < kPromotions; ++i) {
    if (!promotion.pass(best)) break;
  }
  return best.back;
}

}  // namespace webstrata
