// SPDX-License-Identifier: Apache-2.0

// The open strata of a generation, and their facts in the numbering of the whole archive.
//
// What the strata say about a page is disjoint, so that its facts are the union of theirs, as those
// of a node are the union of its sections; or a stratum replaces what lies below it, for pages
// where that is not so (docs/decisions/023-strata.md). Readers of pages, rows and names go through
// the classes here and need not know how many strata there are.
//
// It never changes, so threads may share one; scanners belong to one thread.

#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "webstrata/archive/read/answers.h"
#include "webstrata/archive/read/generation_reader.h"
#include "webstrata/archive/read/stack_numbers.h"

namespace webstrata {

class StackReader {
 public:
  // `folder` is the generation's. Throws Error(NotFound) or Error(Corrupt), naming the file.
  StackReader(const std::filesystem::path& folder, const Manifest& manifest);

  // The number of strata; the base is number 0.
  [[nodiscard]] std::size_t size() const noexcept { return strata_.size(); }
  [[nodiscard]] bool is_single() const noexcept { return strata_.size() == 1; }
  [[nodiscard]] const GenerationReader& stratum(std::size_t number) const {
    return *strata_[number];
  }
  [[nodiscard]] const StratumNumbers& numbers(std::size_t stratum) const {
    return numbers_->stratum(stratum);
  }
  // Whether a stratum above `stratum` replaces what it says about the page `uid`.
  [[nodiscard]] bool is_replaced(std::size_t stratum, Uid uid) const noexcept;
  [[nodiscard]] bool replaces_pages() const noexcept { return !whole_.empty(); }

  // Of the whole archive, as one stratum would have them.
  [[nodiscard]] const ArchiveOptions& options() const noexcept { return base().options(); }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return numbers_->uid_count(); }
  [[nodiscard]] std::uint64_t block_count() const noexcept {
    return (node_count() + (std::uint64_t{1} << options().block_bits) - 1) >> options().block_bits;
  }
  [[nodiscard]] std::uint64_t block_of(Uid node) const noexcept { return base().block_of(node); }
  [[nodiscard]] Uid first_node(std::uint64_t block) const noexcept {
    return base().first_node(block);
  }
  [[nodiscard]] UidRange nodes_of(std::uint64_t block) const noexcept {
    return {first_node(block), std::min<Uid>(first_node(block + 1), node_count())};
  }
  [[nodiscard]] bool has(Layer layer) const noexcept { return base().has(layer); }
  // Releases the memory pages through which a block was read.
  void release(std::uint64_t block) const noexcept;

 private:
  [[nodiscard]] const GenerationReader& base() const noexcept { return *strata_.front(); }

  struct WholePage {
    Uid uid = 0;
    std::size_t stratum = 0;  // the highest that replaces it
  };

  std::vector<std::unique_ptr<GenerationReader>> strata_;
  std::optional<StackNumbers> numbers_;
  std::vector<WholePage> whole_;  // ascending
};

// Sections of all strata, in order of uid; the sections of a node follow each other.
class StackRows {
 public:
  // At the end; seek() first.
  StackRows(const StackReader& stack, Direction direction);

  // From the first node of `block` on, up to the end or to the end of block `end` - 1.
  void seek(std::uint64_t block, std::uint64_t end = ~std::uint64_t{0});
  // The node of the next section; empty at the end.
  [[nodiscard]] std::optional<Uid> next_node();
  // The section of the node that next_node() returned.
  void read(PageLayers& section);

 private:
  struct Cursor {
    RowScanner rows;
    std::optional<Uid> next;
  };
  void find_next(std::size_t stratum);

  const StackReader& stack_;
  Direction direction_;
  std::vector<Cursor> cursors_;
  std::size_t chosen_ = 0;  // the stratum of next_node()
  Uid end_ = ~Uid{0};
};

// The nodes of a block that have data in `layer` (times or sightings), ascending.
std::vector<Uid> filled_nodes(const StackReader& stack, Layer layer, std::uint64_t block);

// All keys of a block.
void read_keys(const StackReader& stack, std::uint64_t block, KeyList& keys);

}  // namespace webstrata
