// SPDX-License-Identifier: Apache-2.0

// A target's facts are pairs (source, range). Those of the previous generation and those that
// changed are both in order, so one pass joins them. Sections are cut after a fixed number of
// pairs, so a target with ten million sources needs no more memory than one with half a million.
// Tested by tests/archive/law_test.cpp.

#include "webstrata/archive/merge/in_layers.h"

#include <algorithm>
#include <optional>

namespace webstrata {
namespace {

struct InPair {
  Uid source = 0;
  std::int64_t range = 0;
  friend auto operator<=>(const InPair&, const InPair&) = default;
};

// Pairs, in order, as a section.
void make_section(const std::vector<InPair>& pairs, PageLayers& section) {
  section.clear();
  std::vector<std::pair<std::int64_t, std::uint32_t>> ones;
  for (const InPair& pair : pairs) {
    if (section.links.empty() || section.links.back() != pair.source) {
      section.links.push_back(pair.source);
    }
    ones.emplace_back(pair.range, static_cast<std::uint32_t>(section.links.size() - 1));
  }
  std::sort(ones.begin(), ones.end());
  for (const auto& [range, column] : ones) {
    if (section.times.empty() || section.times.back() != range) {
      section.times.push_back(range);
      section.one_ends.push_back(0);
    }
    section.ones.push_back(column);
    section.one_ends.back() = static_cast<std::uint32_t>(section.ones.size());
  }
}

// The pairs of one section of the generation before, in order. Sources are translated.
class OldPairs {
 public:
  OldPairs(const GenerationReader& generation, const Translation& translation)
      : translation_(translation), scanner_(generation, Direction::In) {}

  void seek(std::uint64_t block) { scanner_.seek(block); }

  // The target, translated, that comes next and still exists.
  std::optional<Uid> next_target() {
    while (const auto node = scanner_.next_node()) {
      if (!translation_.is_dropped(*node)) return translation_[*node];
      scanner_.read(section_);
    }
    return std::nullopt;
  }

  // The next section of `target`; false if there is none.
  bool read(Uid target, std::vector<InPair>& pairs) {
    pairs.clear();
    if (next_target() != target) return false;
    scanner_.read(section_);
    std::uint32_t start = 0;
    for (std::size_t row = 0; row < section_.times.size(); ++row) {
      for (; start < section_.one_ends[row]; ++start) {
        const Uid source = section_.links[section_.ones[start]];
        if (translation_.is_dropped(source)) continue;
        pairs.push_back({translation_[source], section_.times[row]});
      }
    }
    std::sort(pairs.begin(), pairs.end());
    return true;
  }

 private:
  const Translation& translation_;
  RowScanner scanner_;
  PageLayers section_;
};

// Receives the pairs of a target in order and writes its sections as they fill.
class TargetWriter {
 public:
  explicit TargetWriter(RowLayersWriter& layers) : layers_(layers) {}

  void begin(Uid target) {
    target_ = target;
    content_ = 0;
    source_count_ = 0;
    last_source_.reset();
    pairs_.clear();
  }

  void add(const InPair& pair) {
    content_ += content_of({target_, pair.source, pair.range, false});
    if (last_source_ != pair.source) ++source_count_;
    last_source_ = pair.source;
    pairs_.push_back(pair);
    if (pairs_.size() == kSectionItems) write_section();
  }

  void end() {
    if (!pairs_.empty()) write_section();
    if (has_begun_) layers_.add_to_node(content_, source_count_);
    has_begun_ = false;
  }

 private:
  void write_section() {
    if (!has_begun_) layers_.begin_node(target_, 0, 0);
    has_begun_ = true;
    make_section(pairs_, section_);
    layers_.add_section(section_);
    pairs_.clear();
  }

  RowLayersWriter& layers_;
  Uid target_ = 0;
  std::uint64_t content_ = 0;
  std::uint64_t source_count_ = 0;
  std::optional<Uid> last_source_;
  bool has_begun_ = false;
  std::vector<InPair> pairs_;
  PageLayers section_;
};

class InLayersMerge {
 public:
  InLayersMerge(const InLayersRequest& request, EncodePool& pool)
      : request_(request),
        layers_(request.folder, *request.options, Direction::In, request.node_count, pool,
                request.first_block),
        writer_(layers_) {
    if (request.before != nullptr) old_.emplace(*request.before, *request.translation);
    has_change_ = request.changes->next(change_);
  }

  std::map<Layer, std::vector<LayerFile>> run() {
    while (true) {
      copy_untouched_blocks();
      const std::optional<Uid> old_target = old_ ? old_->next_target() : std::nullopt;
      if (!old_target && !has_change_) break;
      const bool is_old = old_target && (!has_change_ || *old_target <= change_.target);
      write_target(is_old ? *old_target : change_.target);
    }
    // The blocks after the last target are copied too.
    while (can_copy(next_block_)) copy_block();
    return layers_.finish();
  }

 private:
  [[nodiscard]] std::uint64_t block_of(Uid node) const {
    return node >> request_.options->block_bits;
  }

  // A block without a change is copied, if no node was renumbered.
  [[nodiscard]] bool can_copy(std::uint64_t block) const {
    return old_ && request_.translation->is_identity() &&
           request_.before->node_count() == request_.node_count &&
           block < request_.before->block_count() &&
           (!has_change_ || block_of(change_.target) > block);
  }

  void copy_block() {
    layers_.copy_block(next_block_, request_.before->row_readers(Direction::In));
    ++next_block_;
    old_->seek(next_block_);
    tell();
  }

  void copy_untouched_blocks() {
    if (is_inside_block_) {
      // The block continues as long as something in it is left to do.
      const std::optional<Uid> old_target = old_ ? old_->next_target() : std::nullopt;
      const bool goes_on = (old_target && block_of(*old_target) < next_block_) ||
                           (has_change_ && block_of(change_.target) < next_block_);
      if (goes_on) return;
      is_inside_block_ = false;
    }
    while (can_copy(next_block_)) copy_block();
  }

  void tell() {
    request_.work.check_cancelled();
    if (request_.work.progress) {
      const std::uint64_t done =
          std::min(request_.node_count, next_block_ << request_.options->block_bits);
      request_.work.progress({"inverting links", done, request_.node_count, "nodes"});
    }
  }

  void write_target(Uid target) {
    if (block_of(target) >= next_block_) {
      next_block_ = block_of(target) + 1;
      is_inside_block_ = true;
      tell();
    }
    writer_.begin(target);
    std::vector<InPair> pairs;
    while (old_ && old_->read(target, pairs)) {
      for (const InPair& pair : pairs) {
        add_changes_before(target, pair);
        if (has_change_ && change_.target == target && is_same(pair)) {
          advance_change();  // it existed and is removed
        } else {
          writer_.add(pair);
        }
      }
    }
    add_changes_before(target, std::nullopt);
    writer_.end();
  }

  [[nodiscard]] bool is_same(const InPair& pair) const {
    return change_.source == pair.source && change_.range == pair.range;
  }

  void add_changes_before(Uid target, const std::optional<InPair>& pair) {
    while (has_change_ && change_.target == target &&
           (!pair || InPair{change_.source, change_.range} < *pair)) {
      if (!change_.is_removed) writer_.add({change_.source, change_.range});
      advance_change();
    }
  }

  void advance_change() { has_change_ = request_.changes->next(change_); }

  const InLayersRequest& request_;
  RowLayersWriter layers_;
  TargetWriter writer_;
  std::optional<OldPairs> old_;
  InFact change_;
  bool has_change_ = false;
  std::uint64_t next_block_ = 0;  // the first that is not begun
  bool is_inside_block_ = false;
};

}  // namespace

std::map<Layer, std::vector<LayerFile>> write_in_layers(const InLayersRequest& request,
                                                        EncodePool& pool) {
  return InLayersMerge(request, pool).run();
}

}  // namespace webstrata
