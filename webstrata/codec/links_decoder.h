// SPDX-License-Identifier: Apache-2.0

// The decoder of LinksChunk: an opened chunk, and its lists in order or at random.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "webstrata/codec/links.h"
#include "webstrata/codec/links_cursor.h"
#include "webstrata/codec/links_model.h"

namespace webstrata {

class LinksDecoder {
 public:
  // Throws Error(Corrupt).
  LinksDecoder(std::string_view bytes, Uid first);

  [[nodiscard]] std::size_t node_count() const noexcept { return node_count_; }
  [[nodiscard]] std::uint64_t link_count() const noexcept { return link_count_; }
  [[nodiscard]] bool has_list(std::size_t node) const noexcept {
    return (ranks_[node / 64].bits >> node % 64 & 1) != 0;
  }
  void targets(std::size_t node, std::vector<Uid>& out) const;
  void decode(LinkLists& out) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  // The counts with which a list begins.
  struct Header {
    std::uint32_t reference = 0;
    std::uint64_t block_count = 0;
    std::uint64_t rest_count = 0;
  };
  struct Scratch;

  void open_codes(const ContextCodes& codes);
  std::uint64_t open_bitmap(LinkCursor& cursor);
  void open_index(LinkCursor& cursor, std::uint64_t list_count);

  [[nodiscard]] const std::uint32_t* table(std::uint32_t context) const {
    return first_.data() + table_start_[context];
  }
  Header read_header(LinkCursor& cursor, links_model::Before before, std::size_t number) const;
  void skip_body(LinkCursor& cursor, const Header& header) const;
  std::size_t read_body(LinkCursor& cursor, Uid node, const Header& header,
                        std::span<const Uid> reference, Uid* out, std::size_t room,
                        Scratch& scratch) const;
  std::span<const Uid> read_copied(LinkCursor& cursor, std::uint64_t block_count,
                                   std::span<const Uid> reference, Scratch& scratch) const;
  std::size_t read_rest(LinkCursor& cursor, Uid node, const Header& header, Uid* out,
                        std::size_t room) const;
  std::size_t merge_rest(LinkCursor& cursor, Uid node, const Header& header,
                         std::span<const Uid> copied, Uid* out, std::size_t room) const;
  std::size_t read_list(std::size_t number, unsigned depth, Scratch& scratch) const;

  static Scratch& scratch_of_thread(std::size_t link_count);

  // Which nodes have lists, and how many lists come before.
  struct RankWord {
    std::uint64_t bits = 0;
    std::uint32_t rank = 0;
  };

  Uid first_node_;
  std::size_t node_count_ = 0;
  std::uint64_t link_count_ = 0;
  unsigned group_bits_ = 0;
  std::string_view stream_;
  std::vector<std::uint32_t> first_;  // lookup tables, kLookupSize entries per code
  std::vector<std::uint32_t> more_;
  std::array<std::uint32_t, links_model::kContextCount> table_start_{};
  std::vector<RankWord> ranks_;
  std::vector<std::uint16_t> node_of_;       // by list
  std::vector<std::uint32_t> group_starts_;  // in bits
};

}  // namespace webstrata
