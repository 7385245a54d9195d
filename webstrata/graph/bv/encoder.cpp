// SPDX-License-Identifier: Apache-2.0

// The choices are those of the reference implementation, so that the bytes can be the same: the
// last block is omitted where it is implied, and runs are intervals as soon as they are long
// enough. Tested by tests/graph/bvgraph_test.cpp.

#include "webstrata/graph/bv/encoder.h"

namespace webstrata::bv {
namespace {

// Folds a difference that may be negative into a natural number.
std::uint64_t to_natural(std::int64_t difference) noexcept {
  return difference >= 0 ? 2 * static_cast<std::uint64_t>(difference)
                         : 2 * static_cast<std::uint64_t>(-difference) - 1;
}

}  // namespace

void ListEncoder::find_blocks(std::span<const std::uint32_t> list,
                              std::span<const std::uint32_t> reference) {
  blocks_.clear();
  extras_.clear();
  bool copying = true;
  std::uint64_t length = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < list.size() && j < reference.size()) {
    if (list[i] < reference[j]) {
      extras_.push_back(list[i++]);
      continue;
    }
    if (copying != (list[i] == reference[j])) {
      blocks_.push_back(length);
      copying = !copying;
      length = 0;
    }
    if (copying) ++i;
    ++j;
    ++length;
  }
  if (copying && j < reference.size()) blocks_.push_back(length);
  extras_.insert(extras_.end(), list.begin() + static_cast<std::ptrdiff_t>(i), list.end());
}

void ListEncoder::find_intervals() {
  intervals_.clear();
  residuals_.clear();
  if (properties_.interval_length == 0) {
    residuals_.swap(extras_);
    return;
  }
  for (std::size_t i = 0; i < extras_.size();) {
    std::size_t end = i + 1;
    while (end < extras_.size() && extras_[end] == extras_[end - 1] + 1) ++end;
    if (end - i >= properties_.interval_length) {
      intervals_.push_back({extras_[i], end - i});
    } else {
      residuals_.insert(residuals_.end(), extras_.begin() + static_cast<std::ptrdiff_t>(i),
                        extras_.begin() + static_cast<std::ptrdiff_t>(end));
    }
    i = end;
  }
}

template <typename Sink>
void ListEncoder::encode(std::uint32_t node, std::uint64_t back, Sink&& sink) {
  const Codes& codes = properties_.codes;
  if (properties_.window > 0) sink(codes.references, back);
  if (back > 0) {
    sink(codes.block_counts, blocks_.size());
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      sink(codes.blocks, blocks_[i] - (i == 0 ? 0 : 1));
    }
  }
  if (extras_.empty()) return;
  find_intervals();
  const auto away = [&](std::uint64_t target) {
    return to_natural(static_cast<std::int64_t>(target) - static_cast<std::int64_t>(node));
  };
  if (properties_.interval_length > 0) {
    sink(codes.intervals, intervals_.size());
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      const Interval& interval = intervals_[i];
      sink(codes.intervals, i == 0 ? away(interval.left) : interval.left - end - 1);
      sink(codes.intervals, interval.length - properties_.interval_length);
      end = interval.left + interval.length;
    }
  }
  for (std::size_t i = 0; i < residuals_.size(); ++i) {
    sink(codes.residuals,
         i == 0 ? away(residuals_[0]) : residuals_[i] - residuals_[i - 1] - std::uint64_t{1});
  }
}

std::uint64_t ListEncoder::cost(std::uint32_t node, std::span<const std::uint32_t> list,
                                std::uint64_t back, std::span<const std::uint32_t> reference) {
  find_blocks(list, reference);
  std::uint64_t bits = 0;
  encode(node, back, [&](Code code, std::uint64_t value) {
    bits += code_length(code, value, properties_.zeta_k);
  });
  return bits;
}

void ListEncoder::write(std::uint32_t node, std::span<const std::uint32_t> list, std::uint64_t back,
                        std::span<const std::uint32_t> reference, BitBuffer& out) {
  out.write(properties_.codes.outdegrees, list.size(), properties_.zeta_k);
  if (list.empty()) return;
  find_blocks(list, reference);
  encode(node, back,
         [&](Code code, std::uint64_t value) { out.write(code, value, properties_.zeta_k); });
}

}  // namespace webstrata::bv
