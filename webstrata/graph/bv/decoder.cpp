// SPDX-License-Identifier: Apache-2.0

// The targets of all lists of a range are in one array, and references point back into it, so that
// nothing is copied twice. A list is the union of three ascending sequences: copied targets,
// intervals, residuals; mostly only one or two of them are present.
//
// Boldi and Vigna, "The WebGraph framework I: compression techniques", WWW 2004.
// Tested by tests/graph/bvgraph_test.cpp.

#include "webstrata/graph/bv/decoder.h"

#include <algorithm>
#include <map>
#include <span>

#include "webstrata/base/error.h"

namespace webstrata::bv {
namespace {

[[noreturn]] void fail(const char* what) { throw Error(ErrorKind::Corrupt, what); }

struct Interval {
  std::uint64_t left;
  std::uint64_t length;
};

template <BitOrder order>
class ListDecoder {
 public:
  ListDecoder(std::string_view bytes, const Properties& properties)
      : properties_(properties), codes_(properties.codes), reader_(bytes, properties.zeta_k) {}

  [[nodiscard]] std::uint64_t position() const noexcept { return reader_.position(); }
  void seek(std::uint64_t position) noexcept { reader_.seek(position); }

  // Appends the list of `node` to `out`. `reference(n)` gives the list n nodes back, which stays
  // valid although `out` grows up to `links_max`.
  template <typename Reference>
  void decode(Node node, const Reference& reference, std::uint64_t links_max,
              std::vector<Node>& out) {
    const std::uint64_t degree = reader_.read(codes_.outdegrees);
    if (degree > properties_.nodes) fail("an outdegree is larger than the graph");
    if (degree > links_max - std::min<std::uint64_t>(links_max, out.size())) {
      fail("there are more links than the properties say");
    }
    if (degree == 0) return;
    const std::size_t start = out.size();
    out.resize(start + degree);
    const std::uint64_t back = properties_.window == 0 ? 0 : reader_.read(codes_.references);
    if (back > properties_.window || back > node) fail("a reference leads outside");
    std::span<const Node> copied;
    if (back > 0) copied = copy_blocks(reference(back), degree);
    read_extras(node, degree - copied.size());
    merge(copied, std::span(out).subspan(start));
    if (reader_.is_past_end()) reader_.fail();
  }

  [[nodiscard]] std::uint64_t reference_of(std::uint64_t position) {
    reader_.seek(position);
    const std::uint64_t degree = reader_.read(codes_.outdegrees);
    return degree == 0 || properties_.window == 0 ? 0 : reader_.read(codes_.references);
  }

 private:
  // The part of `list` that the blocks select: a block to copy, one to leave out, and so on; an
  // even number of them means that the rest is copied too.
  std::span<const Node> copy_blocks(std::span<const Node> list, std::uint64_t degree) {
    const std::uint64_t blocks = reader_.read(codes_.block_counts);
    if (blocks == 0) {
      if (list.size() > degree) fail("more is copied than the list holds");
      return list;
    }
    copied_.clear();
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i <= blocks; ++i) {
      if (i == blocks && i % 2 != 0) break;
      std::uint64_t length = list.size() - at;
      if (i < blocks) length = reader_.read(codes_.blocks) + (i == 0 ? 0 : 1);
      if (length > list.size() - at) fail("a block leads outside its list");
      if (i % 2 == 0) {
        copied_.insert(copied_.end(), list.begin() + static_cast<std::ptrdiff_t>(at),
                       list.begin() + static_cast<std::ptrdiff_t>(at + length));
      }
      at += length;
      if (copied_.size() > degree) fail("more is copied than the list holds");
    }
    return copied_;
  }

  void read_extras(Node node, std::uint64_t count) {
    intervals_.clear();
    residuals_.clear();
    if (count > 0 && properties_.interval_length > 0) count -= read_intervals(node, count);
    if (count == 0) return;
    std::uint64_t target = near(node, reader_.read(codes_.residuals));
    for (;;) {
      if (target >= properties_.nodes) fail("a target is not a node");
      residuals_.push_back(static_cast<Node>(target));
      if (--count == 0) break;
      target += reader_.read(codes_.residuals) + 1;
    }
  }

  // Returns their number of targets.
  std::uint64_t read_intervals(Node node, std::uint64_t count) {
    const std::uint64_t intervals = reader_.read(codes_.intervals);
    std::uint64_t sum = 0;
    std::uint64_t left = 0;
    for (std::uint64_t i = 0; i < intervals; ++i) {
      const std::uint64_t code = reader_.read(codes_.intervals);
      left = i == 0 ? near(node, code) : left + code + 1;
      const std::uint64_t length = reader_.read(codes_.intervals) + properties_.interval_length;
      if (left >= properties_.nodes || length > properties_.nodes - left) {
        fail("an interval leads outside the graph");
      }
      if (length > count - sum) fail("intervals are longer than their list");
      sum += length;
      intervals_.push_back({left, length});
      left += length;
    }
    return sum;
  }

  // Even numbers are at or after `node`, odd ones before it.
  static std::uint64_t near(Node node, std::uint64_t code) {
    return code % 2 == 0 ? node + code / 2 : node - (code + 1) / 2;
  }

  void merge(std::span<const Node> copied, std::span<Node> out) {
    if (intervals_.empty()) {
      if (residuals_.empty()) {
        std::copy(copied.begin(), copied.end(), out.begin());
        if (copied.size() != out.size()) fail("a list is too short");
        return;
      }
      if (copied.empty()) {
        std::copy(residuals_.begin(), residuals_.end(), out.begin());
        return;
      }
      return merge_two(copied, residuals_, out);
    }
    unroll_intervals();
    merge_two(copied, extras_, out);
  }

  // Intervals and residuals as one ascending list.
  void unroll_intervals() {
    extras_.clear();
    auto residual = residuals_.begin();
    for (const Interval& interval : intervals_) {
      while (residual != residuals_.end() && *residual < interval.left) {
        extras_.push_back(*residual++);
      }
      const std::size_t start = extras_.size();
      extras_.resize(start + interval.length);
      for (std::uint64_t i = 0; i < interval.length; ++i) {
        extras_[start + i] = static_cast<Node>(interval.left + i);
      }
    }
    extras_.insert(extras_.end(), residual, residuals_.end());
  }

  // The sum of sizes is that of `out`. A repeated target would violate the ascending order; the
  // builder checks that for all lists.
  static void merge_two(std::span<const Node> a, std::span<const Node> b, std::span<Node> out) {
    if (a.size() + b.size() != out.size()) fail("a list is too short");
    std::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  }

  const Properties& properties_;
  const Codes codes_;
  CodeReader<order> reader_;
  std::vector<Node> copied_;
  std::vector<Interval> intervals_;
  std::vector<Node> residuals_;
  std::vector<Node> extras_;
};

template <BitOrder order>
DecodedRange decode_range_in(std::string_view bytes, const Properties& properties, Node first,
                             Node last, std::uint64_t position, const PastLists& past,
                             std::uint64_t links_max) {
  ListDecoder<order> decoder(bytes, properties);
  decoder.seek(position);
  DecodedRange range;
  SnapshotPart& part = range.part;
  part.first = first;
  part.ends.reserve(last - first);
  for (Node node = first; node < last; ++node) {
    const auto reference = [&](std::uint64_t back) -> std::span<const Node> {
      const std::size_t done = part.ends.size();
      if (back > done) {
        const std::uint64_t further = back - done;
        if (further > past.size()) fail("a reference leads outside");
        return past[past.size() - further];
      }
      const std::uint64_t start = back == done ? 0 : part.ends[done - back - 1];
      return std::span(part.targets).subspan(start, part.ends[done - back] - start);
    };
    decoder.decode(node, reference, links_max, part.targets);
    part.end_list();
  }
  range.end_position = decoder.position();
  return range;
}

template <BitOrder order>
class RandomAccess {
 public:
  RandomAccess(std::string_view bytes, const Properties& properties,
               const std::vector<std::uint64_t>& offsets)
      : properties_(properties), offsets_(offsets), decoder_(bytes, properties) {}

  const std::vector<Node>& list(Node node, std::uint64_t depth = 0) {
    if (const auto found = lists_.find(node); found != lists_.end()) return found->second;
    if (depth > kChainMax) fail("a chain of references is longer than the properties say");
    const std::uint64_t back = decoder_.reference_of(offsets_[node]);
    if (back > node || back > properties_.window) fail("a reference leads outside");
    static const std::vector<Node> nothing;
    const std::vector<Node>& reference =
        back == 0 ? nothing : list(node - static_cast<Node>(back), depth + 1);
    std::vector<Node> decoded;
    decoder_.seek(offsets_[node]);
    decoder_.decode(
        node, [&](std::uint64_t) { return std::span<const Node>(reference); }, properties_.links,
        decoded);
    return lists_[node] = std::move(decoded);
  }

 private:
  const Properties& properties_;
  const std::vector<std::uint64_t>& offsets_;
  ListDecoder<order> decoder_;
  std::map<Node, std::vector<Node>> lists_;
};

template <BitOrder order>
PastLists lists_before_in(std::string_view bytes, const Properties& properties, Node node,
                          const std::vector<std::uint64_t>& offsets) {
  RandomAccess<order> access(bytes, properties, offsets);
  PastLists past;
  const auto window = static_cast<Node>(std::min<std::uint64_t>(properties.window, node));
  for (Node before = node - window; before < node; ++before) past.push_back(access.list(before));
  return past;
}

template <BitOrder order>
std::vector<std::uint64_t> decode_offsets_in(std::string_view bytes, const Properties& properties) {
  if (properties.nodes >= bytes.size() * 8) fail("there are too few offsets");
  CodeReader<order> reader(bytes, properties.zeta_k);
  std::vector<std::uint64_t> offsets;
  offsets.reserve(properties.nodes + 1);
  std::uint64_t offset = 0;
  for (std::uint64_t i = 0; i <= properties.nodes; ++i) {
    offset += reader.read(properties.codes.offsets);
    offsets.push_back(offset);
  }
  if (reader.is_past_end()) reader.fail();
  return offsets;
}

}  // namespace

std::vector<std::uint64_t> decode_offsets(std::string_view bytes, const Properties& properties) {
  return properties.order == BitOrder::BigEndian
             ? decode_offsets_in<BitOrder::BigEndian>(bytes, properties)
             : decode_offsets_in<BitOrder::LittleEndian>(bytes, properties);
}

DecodedRange decode_range(std::string_view bytes, const Properties& properties, Node first,
                          Node last, std::uint64_t position, const PastLists& past,
                          std::uint64_t links_max) {
  return properties.order == BitOrder::BigEndian
             ? decode_range_in<BitOrder::BigEndian>(bytes, properties, first, last, position, past,
                                                    links_max)
             : decode_range_in<BitOrder::LittleEndian>(bytes, properties, first, last, position,
                                                       past, links_max);
}

PastLists last_lists(const SnapshotPart& part, const PastLists& past, std::uint64_t window) {
  PastLists lists;
  const std::size_t from_part = std::min<std::uint64_t>(window, part.ends.size());
  const std::size_t from_past = std::min<std::uint64_t>(window - from_part, past.size());
  lists.assign(past.end() - static_cast<std::ptrdiff_t>(from_past), past.end());
  for (std::size_t i = part.ends.size() - from_part; i < part.ends.size(); ++i) {
    const auto begin = part.targets.begin();
    const std::uint64_t start = i == 0 ? 0 : part.ends[i - 1];
    lists.emplace_back(begin + static_cast<std::ptrdiff_t>(start),
                       begin + static_cast<std::ptrdiff_t>(part.ends[i]));
  }
  return lists;
}

PastLists lists_before(std::string_view bytes, const Properties& properties, Node node,
                       const std::vector<std::uint64_t>& offsets) {
  return properties.order == BitOrder::BigEndian
             ? lists_before_in<BitOrder::BigEndian>(bytes, properties, node, offsets)
             : lists_before_in<BitOrder::LittleEndian>(bytes, properties, node, offsets);
}

}  // namespace webstrata::bv
