// SPDX-License-Identifier: Apache-2.0

// The cost of a reference depends on two lists only; whether it may be used depends on the chain of
// references before it. So a batch of lists is handled in three steps: the prices of all references
// (in parallel), the choice of one for each list (in order, and fast), the bits (in parallel). The
// result is that of a single thread, bit for bit.
//
// Tested by tests/graph/bvgraph_test.cpp and webgraph_peer_test.py.

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/threads.h"
#include "webstrata/graph/bv/encoder.h"
#include "webstrata/graph/bvgraph.h"

namespace webstrata {
namespace {

constexpr std::size_t kBatchNodes = 1 << 16;
constexpr std::size_t kBatchLinks = 1 << 20;
constexpr std::size_t kTaskNodes = 1 << 10;
constexpr std::uint32_t kWindowMax = 1024;

bv::Properties properties_for(const BvGraphWriteOptions& options) {
  if (options.window > kWindowMax || options.zeta_k == 0 || options.zeta_k > 7) {
    throw Error(ErrorKind::BadInput,
                "a BVGraph is written with a window up to 1024 and a zeta code from 1 to 7");
  }
  bv::Properties properties;
  properties.window = options.window;
  properties.chain_max = options.chain_max;
  properties.interval_length = options.interval_length;
  properties.zeta_k = options.zeta_k;
  properties.order = options.little_endian ? bv::BitOrder::LittleEndian : bv::BitOrder::BigEndian;
  return properties;
}

std::filesystem::path with_extension(const std::filesystem::path& base, const char* extension) {
  return base.string() + extension;
}

// Consecutive lists: some that are already written and may be copied from, then new ones.
class Batch {
 public:
  explicit Batch(const bv::Properties& properties) : properties_(properties) {}

  void add(std::span<const Node> targets) {
    targets_.insert(targets_.end(), targets.begin(), targets.end());
    ends_.push_back(targets_.size());
  }
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size() - old_; }
  [[nodiscard]] bool is_full() const noexcept {
    return size() >= kBatchNodes || targets_.size() >= kBatchLinks;
  }

  // Encodes the new lists, and adds the length of each to `offsets`.
  void encode(bv::BitBuffer& graph, bv::BitBuffer& offsets, const WorkOptions& work) {
    price(work);
    choose();
    write(graph, offsets, work);
    keep_window();
  }

 private:
  [[nodiscard]] std::span<const Node> list(std::size_t i) const noexcept {
    const std::size_t start = i == 0 ? 0 : ends_[i - 1];
    return std::span(targets_).subspan(start, ends_[i] - start);
  }
  [[nodiscard]] Node node(std::size_t i) const noexcept {
    return static_cast<Node>(first_ + (i - old_));
  }
  [[nodiscard]] std::size_t task_count() const noexcept {
    return (size() + kTaskNodes - 1) / kTaskNodes;
  }
  template <typename Function>
  void for_each_of(std::size_t task, const Function& function) {
    const std::size_t first = old_ + task * kTaskNodes;
    const std::size_t last = std::min(first + kTaskNodes, ends_.size());
    for (std::size_t i = first; i < last; ++i) function(i);
  }

  void price(const WorkOptions& work) {
    const std::size_t width = properties_.window + 1;
    prices_.assign(size() * width, 0);
    run_tasks(task_count(), work, "", [&](std::size_t task) {
      bv::ListEncoder encoder(properties_);
      for_each_of(task, [&](std::size_t i) {
        if (list(i).empty()) return;
        std::uint64_t* price = &prices_[(i - old_) * width];
        for (std::size_t back = 0; back < width && back <= i; ++back) {
          const auto reference = back == 0 ? std::span<const Node>() : list(i - back);
          if (back > 0 && reference.empty()) continue;
          price[back] = encoder.cost(node(i), list(i), back, reference);
        }
      });
    });
  }

  // The cheapest reference whose chain is not too long; of equals the nearest.
  void choose() {
    const std::size_t width = properties_.window + 1;
    chains_.resize(ends_.size());
    backs_.assign(ends_.size(), 0);
    for (std::size_t i = old_; i < ends_.size(); ++i) {
      const std::uint64_t* price = &prices_[(i - old_) * width];
      std::uint32_t best = 0;
      for (std::uint32_t back = 1; back < width && back <= i; ++back) {
        if (price[back] == 0 || chains_[i - back] >= properties_.chain_max) continue;
        if (price[back] < price[best]) best = back;
      }
      backs_[i] = best;
      chains_[i] = best == 0 ? 0 : chains_[i - best] + 1;
    }
  }

  void write(bv::BitBuffer& graph, bv::BitBuffer& offsets, const WorkOptions& work) {
    std::vector<bv::BitBuffer> pieces(task_count(), bv::BitBuffer(properties_.order));
    std::vector<bv::BitBuffer> lengths = pieces;
    run_tasks(pieces.size(), work, "", [&](std::size_t task) {
      bv::ListEncoder encoder(properties_);
      bv::BitBuffer& piece = pieces[task];
      for_each_of(task, [&](std::size_t i) {
        const std::uint64_t before = piece.bit_count();
        const auto reference = backs_[i] == 0 ? std::span<const Node>() : list(i - backs_[i]);
        encoder.write(node(i), list(i), backs_[i], reference, piece);
        lengths[task].write(properties_.codes.offsets, piece.bit_count() - before,
                            properties_.zeta_k);
      });
    });
    for (const auto& piece : pieces) graph.append(piece);
    for (const auto& length : lengths) offsets.append(length);
  }

  // Releases all lists except those that the next ones may copy from.
  void keep_window() {
    first_ += size();
    const std::size_t kept = std::min<std::size_t>(properties_.window, ends_.size());
    const std::size_t gone = ends_.size() - kept;
    const std::size_t start = gone == 0 ? 0 : ends_[gone - 1];
    targets_.erase(targets_.begin(), targets_.begin() + static_cast<std::ptrdiff_t>(start));
    ends_.erase(ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(gone));
    chains_.erase(chains_.begin(), chains_.begin() + static_cast<std::ptrdiff_t>(gone));
    for (std::size_t& end : ends_) end -= start;
    old_ = kept;
  }

  const bv::Properties& properties_;
  std::uint64_t first_ = 0;  // the first new node
  std::size_t old_ = 0;      // lists that are written already
  std::vector<std::size_t> ends_;
  std::vector<Node> targets_;
  std::vector<std::uint64_t> prices_;  // window + 1 for each new list; 0: no such reference
  std::vector<std::uint64_t> chains_;  // length of the chain of references of each list
  std::vector<std::uint32_t> backs_;
};

}  // namespace

struct BvGraphWriter::State {
  State(const std::filesystem::path& base, const BvGraphWriteOptions& options)
      : base_path(base),
        work(options.work),
        properties(properties_for(options)),
        batch(properties),
        graph_bits(properties.order),
        offset_bits(properties.order),
        graph_file(FileWriter::create(with_extension(base, ".graph"))),
        offsets_file(FileWriter::create(with_extension(base, ".offsets"))) {
    offset_bits.write(properties.codes.offsets, 0, properties.zeta_k);
  }

  void flush() {
    const std::uint64_t before = graph_bits.bit_count();
    batch.encode(graph_bits, offset_bits, {.threads = work.threads, .cancel = work.cancel});
    bit_count += graph_bits.bit_count() - before;
    graph_file.write(graph_bits.take_bytes());
    offsets_file.write(offset_bits.take_bytes());
    if (work.progress) work.progress({"writing the graph", properties.nodes, 0, "nodes"});
  }

  std::filesystem::path base_path;
  WorkOptions work;
  bv::Properties properties;
  Batch batch;
  bv::BitBuffer graph_bits;
  bv::BitBuffer offset_bits;
  std::uint64_t bit_count = 0;
  std::uint64_t largest_end = 0;  // one more than the largest target
  FileWriter graph_file;
  FileWriter offsets_file;
};

BvGraphWriter::BvGraphWriter(const std::filesystem::path& base, const BvGraphWriteOptions& options)
    : state_(std::make_unique<State>(base, options)) {}

BvGraphWriter::~BvGraphWriter() = default;

void BvGraphWriter::add(std::span<const Node> targets) {
  State& state = *state_;
  if (state.properties.nodes == kNodesMax) throw Error(ErrorKind::BadInput, "too many nodes");
  if (std::ranges::adjacent_find(targets, std::greater_equal<>()) != targets.end()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("the targets of node {} are not in ascending order", state.properties.nodes));
  }
  state.batch.add(targets);
  ++state.properties.nodes;
  state.properties.links += targets.size();
  if (!targets.empty()) {
    state.largest_end =
        std::max<std::uint64_t>(state.largest_end, targets.back() + std::uint64_t{1});
  }
  if (state.batch.is_full()) state.flush();
}

BvGraphSize BvGraphWriter::finish() {
  State& state = *state_;
  if (state.largest_end > state.properties.nodes) {
    throw Error(ErrorKind::BadInput, fmt::format("a link leads to node {}, but there are only {}",
                                                 state.largest_end - 1, state.properties.nodes));
  }
  state.flush();
  state.graph_file.write(state.graph_bits.finish());
  state.offsets_file.write(state.offset_bits.finish());
  state.graph_file.commit();
  state.offsets_file.commit();
  write_file(with_extension(state.base_path, ".properties"),
             bv::format_properties(state.properties, state.bit_count));
  return {state.properties.nodes, state.properties.links, state.bit_count};
}

BvGraphSize write_bvgraph(const Snapshot& graph, const std::filesystem::path& base,
                          const BvGraphWriteOptions& options) {
  BvGraphWriter writer(base, options);
  for (Node node = 0; node < graph.node_count(); ++node) writer.add(graph.successors(node));
  return writer.finish();
}

}  // namespace webstrata
