// SPDX-License-Identifier: Apache-2.0

// Opening a chunk expands its codes into lookup tables and its index into positions; then a list
// is found by rank. Lists that copy from others are merged straight from them, four targets at a
// time and without branches on the data. Whatever the bytes say, nothing is written past the
// allocated room, and every list ascends.
//
// Tested by tests/codec/links_test.cpp.

#include "webstrata/codec/links_decoder.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "webstrata/base/bits.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"

namespace webstrata {

using namespace links_model;

namespace {

// Targets are copied four at a time, so buffers have room for some extra ones.
constexpr std::size_t kStep = 4;
constexpr std::size_t kSlack = 2 * kStep;

[[noreturn, gnu::noinline, gnu::cold]] void throw_corrupt(const char* message) {
  throw Error(ErrorKind::Corrupt, std::string("links: ") + message);
}

// Copies `count` targets; up to kStep - 1 more are read and written. Those may overlap: a list
// often directly follows its reference. So each step is read as a whole before it is written.
inline void copy_targets(const Uid* from, std::size_t count, Uid* to) {
  for (std::size_t i = 0; i < count; i += kStep) {
    std::array<Uid, kStep> step;
    std::memcpy(step.data(), from + i, sizeof step);
    std::memcpy(to + i, step.data(), sizeof step);
  }
}

// Writes `count` targets from `target` on, and up to kStep - 1 more.
inline void write_run(Uid target, std::size_t count, Uid* to) {
  for (std::size_t i = 0; i < count; i += kStep) {
    for (std::size_t k = 0; k < kStep; ++k) to[i + k] = target + i + k;
  }
}

// Merges what is copied with the rest.
class Merger {
 public:
  Merger(std::span<const Uid> copied, Uid* out)
      : from_(copied.data()), left_(copied.size()), out_(out) {}

  // Copies what is not larger than `target`, then `target` itself.
  void put(Uid target) {
    for (;;) {
      std::size_t count = 0;
      for (std::size_t i = 0; i < kStep; ++i) {
        out_[i] = from_[i];
        count += static_cast<std::size_t>(i < left_) & static_cast<std::size_t>(from_[i] <= target);
      }
      advance(count);
      if (count < kStep) [[likely]]
        break;
    }
    *out_++ = target;
  }

  // The same, but every copied target before it increases `target` by one. Returns it.
  Uid put_behind(Uid target) {
    for (;;) {
      std::size_t count = 0;
      for (std::size_t i = 0; i < kStep; ++i) {
        out_[i] = from_[i];
        count +=
            static_cast<std::size_t>(i < left_) & static_cast<std::size_t>(from_[i] - i <= target);
      }
      advance(count);
      target += count;
      if (count < kStep) [[likely]]
        break;
    }
    *out_++ = target;
    return target;
  }

  // Writes `count` targets from `target` on if no copied target is among them.
  bool put_run(Uid target, std::size_t count) {
    if (left_ != 0 && *from_ < target + count) return false;
    write_run(target, count, out_);
    out_ += count;
    return true;
  }

  Uid* finish() {
    copy_targets(from_, left_, out_);
    return out_ + left_;
  }

  [[nodiscard]] bool has_just_passed(Uid target, const Uid* begin) const {
    return out_ - begin >= 2 && out_[-2] == target;
  }

 private:
  void advance(std::size_t count) {
    from_ += count;
    left_ -= count;
    out_ += count;
  }

  const Uid* from_;
  std::size_t left_;
  Uid* out_;
};

}  // namespace

// Buffers of a thread: a chunk is shared between threads, so they cannot be its own.
struct LinksDecoder::Scratch {
  std::size_t size = 0;
  std::array<std::unique_ptr<Uid[]>, kChainMax + 1> lists;
  std::unique_ptr<Uid[]> copied;
};

LinksDecoder::Scratch& LinksDecoder::scratch_of_thread(std::size_t link_count) {
  thread_local Scratch scratch;
  if (scratch.size < link_count + kSlack) {
    scratch.size = 0;
    for (auto& list : scratch.lists) {
      list = std::make_unique_for_overwrite<Uid[]>(link_count + kSlack);
    }
    scratch.copied = std::make_unique_for_overwrite<Uid[]>(link_count + kSlack);
    scratch.size = link_count + kSlack;
  }
  return scratch;
}

LinksDecoder::LinksDecoder(std::string_view bytes, Uid first) : first_node_(first) {
  ByteReader reader(bytes, "links");
  const std::uint64_t node_count = reader.varint();
  if (node_count > kChunkNodesMax) throw_corrupt("more nodes than a chunk holds");
  node_count_ = node_count;
  if (node_count == 0) return;
  const std::uint64_t counts = reader.varint();
  link_count_ = counts >> 3;
  group_bits_ = counts & 7;
  if (link_count_ > kChunkItems) throw_corrupt("more links than a chunk holds");
  if (group_bits_ > 4) throw_corrupt("a group has more lists than it may have");
  if (link_count_ == 0) {
    ranks_.resize(node_count_ / 64 + 1);
    return;
  }
  const std::string_view rest = reader.take(reader.remaining());
  BitReader head(rest, "links");
  open_codes(read_codes(head, layout()));
  LinkCursor cursor(rest, more_.data(), head.position());
  const std::uint64_t list_count = open_bitmap(cursor);
  open_index(cursor, list_count);
  if (cursor.has_overrun()) throw_corrupt("the index ends too early");
  stream_ = rest.substr((cursor.bit() + 7) / 8);
  if (!group_starts_.empty() && group_starts_.back() > stream_.size() * 8) {
    throw_corrupt("the lists end too early");
  }
}

void LinksDecoder::open_codes(const ContextCodes& codes) {
  first_.resize(codes.codes.size() * kLookupSize);
  std::vector<bool> is_done(codes.codes.size(), false);
  for (std::uint32_t context = 0; context < kContextCount; ++context) {
    const std::uint32_t number = codes.code_of[context];
    table_start_[context] = number * kLookupSize;
    if (is_done[number]) continue;
    is_done[number] = true;
    const Family family = family_of(context);
    const PrefixCode& code = codes.codes[number];
    std::vector<std::uint32_t> entries(code.lengths.size());
    for (std::uint32_t symbol = 0; symbol < entries.size(); ++symbol) {
      if (code.lengths[symbol] == 0 && code.alone != symbol) continue;
      const TokenShape shape = symbol_shape(family, symbol);
      entries[symbol] = make_link_entry(code.lengths[symbol], shape.raw_width, shape.top,
                                        family == kFirsts && symbol % 2 == 1,
                                        codes.code_of[context_after(family, symbol)]);
    }
    fill_lookup(code, entries, std::span(first_).subspan(number * kLookupSize, kLookupSize), more_);
  }
}

// Returns the number of lists.
std::uint64_t LinksDecoder::open_bitmap(LinkCursor& cursor) {
  ranks_.resize(node_count_ / 64 + 1);
  std::size_t node = 0;
  for (bool is_full = false, is_first = true; node < node_count_; is_full = !is_full) {
    const std::uint64_t run =
        cursor.number(table(is_full ? kFullRun : kEmptyRun)) + (is_first ? 0 : 1);
    if (run > node_count_ - node || (run == 0 && !is_first)) throw_corrupt("too many nodes");
    for (std::size_t end = node + run; node < end; ++node) {
      if (!is_full) continue;
      ranks_[node / 64].bits |= std::uint64_t{1} << node % 64;
      node_of_.push_back(static_cast<std::uint16_t>(node));
    }
    is_first = false;
  }
  std::uint32_t rank = 0;
  for (auto& word : ranks_) {
    word.rank = rank;
    rank += static_cast<std::uint32_t>(std::popcount(word.bits));
  }
  return rank;
}

void LinksDecoder::open_index(LinkCursor& cursor, std::uint64_t list_count) {
  constexpr std::uint64_t kStreamBitsMax = std::uint64_t{1} << 31;
  if (list_count == 0) throw_corrupt("links without lists");
  std::uint64_t start = 0;
  group_starts_.push_back(0);
  for (std::uint64_t group = 1; group < (list_count + (1U << group_bits_) - 1) >> group_bits_;
       ++group) {
    start += cursor.number(table(kGroupBits));
    if (start > kStreamBitsMax) throw_corrupt("the lists are too long");
    group_starts_.push_back(static_cast<std::uint32_t>(start));
  }
}

inline LinksDecoder::Header LinksDecoder::read_header(LinkCursor& cursor, Before before,
                                                      std::size_t number) const {
  Header header;
  const std::uint64_t reference = cursor.number(table(reference_context(before)));
  if (reference > std::min<std::size_t>(number, kWindow))
    throw_corrupt("a reference leaves the chunk");
  header.reference = static_cast<std::uint32_t>(reference);
  const std::uint64_t shape = cursor.number(table(shape_context(header.reference, before)));
  header.block_count = shape / (kRestInShape + 1);
  header.rest_count = shape % (kRestInShape + 1);
  if (header.block_count == kBlocksInShape) [[unlikely]] {
    const std::uint64_t more = cursor.number(table(kMoreBlocks));
    if (more > 2 * link_count_) throw_corrupt("a list has too many blocks");
    header.block_count += more;
  }
  if (header.rest_count == kRestInShape) [[unlikely]] {
    const std::uint64_t more = cursor.number(table(kMoreRest + (header.reference > 0 ? 1 : 0)));
    if (more > 2 * link_count_) throw_corrupt("a list is too long");
    header.rest_count += more;
  }
  return header;
}

inline void LinksDecoder::skip_body(LinkCursor& cursor, const Header& header) const {
  const std::uint32_t block = block_context(header.block_count);
  for (std::uint64_t i = 0; i < header.block_count; ++i) {
    cursor.skip(cursor.peek(table(block + (i == 0 ? 0 : i % 2 == 1 ? 1 : 2))));
  }
  if (header.rest_count == 0) return;
  const std::uint32_t* next = table(first_context(header.rest_count, header.reference));
  for (std::uint64_t i = 0; i < header.rest_count; ++i) {
    const LinkEntry entry = cursor.peek(next);
    cursor.skip(entry);
    next = first_.data() + entry.next_code() * kLookupSize;
  }
}

// What a list copies: a part of the reference itself if it is in one piece.
inline std::span<const Uid> LinksDecoder::read_copied(LinkCursor& cursor, std::uint64_t block_count,
                                                      std::span<const Uid> reference,
                                                      Scratch& scratch) const {
  if (block_count == 0) return reference;
  const std::uint32_t block = block_context(block_count);
  const std::uint64_t first = cursor.number(table(block));
  if (first > reference.size()) throw_corrupt("a block leaves the reference");
  if (block_count == 1) return reference.first(first);
  std::uint64_t skipped = cursor.number(table(block + 1)) + 1;
  std::span<const Uid> left = reference.subspan(first);
  if (skipped - 1 >= left.size()) throw_corrupt("a block leaves the reference");
  left = left.subspan(skipped);
  if (block_count == 2 && first == 0) return left;
  Uid* const copied = scratch.copied.get();
  Uid* end = copied;
  copy_targets(reference.data(), first, end);
  end += first;
  for (std::uint64_t i = 2; i < block_count; ++i) {
    const std::uint64_t length = cursor.number(table(block + (i % 2 == 1 ? 1 : 2))) + 1;
    if (length - 1 >= left.size()) throw_corrupt("a block leaves the reference");
    if (i % 2 == 0) {
      copy_targets(left.data(), length, end);
      end += length;
    }
    left = left.subspan(length);
  }
  if (block_count % 2 == 0) {
    copy_targets(left.data(), left.size(), end);
    end += left.size();
  }
  return {copied, end};
}

inline Uid first_target(Uid node, LinkEntry entry, std::uint64_t distance) {
  return entry.is_negative() != 0 ? node - distance - 1 : node + distance;
}

// A list, or the rest of one, without copied targets.
inline std::size_t LinksDecoder::read_rest(LinkCursor& cursor, Uid node, const Header& header,
                                           Uid* out, std::size_t room) const {
  LinkEntry entry = cursor.peek(table(first_context(header.rest_count, header.reference)));
  Uid target = first_target(node, entry, cursor.take(entry));
  Uid* const begin = out;
  *out++ = target;
  --room;
  for (std::uint64_t left = header.rest_count - 1; left > 0; --left) {
    entry = cursor.peek(first_.data() + entry.next_code() * kLookupSize);
    const std::uint64_t gap = cursor.take(entry);
    if (gap != 0) {
      const Uid next = target + gap + 1;
      if (next <= target) throw_corrupt("targets do not ascend");
      if (room-- == 0) throw_corrupt("a list is too long");
      target = next;
      *out++ = target;
      continue;
    }
    if (--left == 0) throw_corrupt("a run has no length");
    entry = cursor.peek(first_.data() + entry.next_code() * kLookupSize);
    const std::uint64_t run = cursor.take(entry) + 1;
    if (run - 1 >= room || run > ~target) throw_corrupt("a run is too long");
    room -= run;
    write_run(target + 1, run, out);
    out += run;
    target += run;
  }
  return static_cast<std::size_t>(out - begin);
}

inline std::size_t LinksDecoder::merge_rest(LinkCursor& cursor, Uid node, const Header& header,
                                            std::span<const Uid> copied, Uid* out,
                                            std::size_t room) const {
  room -= copied.size();
  LinkEntry entry = cursor.peek(table(first_context(header.rest_count, header.reference)));
  Uid target = first_target(node, entry, cursor.take(entry));
  Merger merger(copied, out);
  merger.put(target);
  if (merger.has_just_passed(target, out)) throw_corrupt("a target is both copied and listed");
  --room;
  for (std::uint64_t left = header.rest_count - 1; left > 0; --left) {
    entry = cursor.peek(first_.data() + entry.next_code() * kLookupSize);
    const std::uint64_t gap = cursor.take(entry);
    if (gap != 0) {
      const Uid at_least = target + gap + 1;
      if (at_least <= target) throw_corrupt("targets do not ascend");
      if (room-- == 0) throw_corrupt("a list is too long");
      target = merger.put_behind(at_least);
      if (target < at_least) throw_corrupt("targets do not ascend");
      continue;
    }
    if (--left == 0) throw_corrupt("a run has no length");
    entry = cursor.peek(first_.data() + entry.next_code() * kLookupSize);
    const std::uint64_t run = cursor.take(entry) + 1;
    if (run - 1 >= room || run > ~target) throw_corrupt("a run is too long");
    room -= run;
    if (merger.put_run(target + 1, run)) {
      target += run;
      continue;
    }
    for (std::uint64_t i = 0; i < run; ++i) {
      const Uid at_least = target + 1;
      target = merger.put_behind(at_least);
      if (target < at_least || at_least == 0) throw_corrupt("targets do not ascend");
    }
  }
  return static_cast<std::size_t>(merger.finish() - out);
}

// Returns the number of targets of the list; there is `room` for them, and slack after it.
inline std::size_t LinksDecoder::read_body(LinkCursor& cursor, Uid node, const Header& header,
                                           std::span<const Uid> reference, Uid* out,
                                           std::size_t room, Scratch& scratch) const {
  const std::span<const Uid> copied = read_copied(cursor, header.block_count, reference, scratch);
  if (copied.size() + (header.rest_count > 0 ? 1 : 0) > room) throw_corrupt("a list is too long");
  if (header.rest_count == 0) {
    copy_targets(copied.data(), copied.size(), out);
    return copied.size();
  }
  if (copied.empty()) return read_rest(cursor, node, header, out, room);
  return merge_rest(cursor, node, header, copied, out, room);
}

void LinksDecoder::decode(LinkLists& out) const {
  out.first = first_node_;
  out.ends.resize(node_count_);
  if (link_count_ == 0) {
    out.targets.clear();
    std::ranges::fill(out.ends, 0);
    return;
  }
  Scratch& scratch = scratch_of_thread(link_count_);
  out.targets.resize(link_count_ + kSlack);
  std::array<std::span<const Uid>, kWindow> recent;
  Uid* const begin = out.targets.data();
  std::size_t size = 0;
  std::size_t node = 0;
  LinkCursor cursor(stream_, more_.data(), 0);
  Before before;
  for (std::size_t number = 0; number < node_of_.size(); ++number) {
    for (; node < node_of_[number]; ++node) out.ends[node] = static_cast<std::uint32_t>(size);
    if ((number & ((std::size_t{1} << group_bits_) - 1)) == 0) before = {};
    const Header header = read_header(cursor, before, number);
    std::span<const Uid> reference;
    if (header.reference != 0) reference = recent[(number - header.reference) % kWindow];
    const std::size_t degree = read_body(cursor, first_node_ + node, header, reference,
                                         begin + size, link_count_ - size, scratch);
    recent[number % kWindow] = {begin + size, degree};
    size += degree;
    out.ends[node++] = static_cast<std::uint32_t>(size);
    before = before_next(header.reference, header.rest_count);
  }
  for (; node < node_count_; ++node) out.ends[node] = static_cast<std::uint32_t>(size);
  if (size != link_count_) throw_corrupt("the lists do not have the promised links");
  if (cursor.has_overrun()) throw_corrupt("the lists end too early");
  out.targets.resize(link_count_);
}

std::size_t LinksDecoder::read_list(std::size_t number, unsigned depth, Scratch& scratch) const {
  const std::size_t group = number >> group_bits_;
  const std::size_t group_first = group << group_bits_;
  LinkCursor cursor(stream_, more_.data(), group_starts_[group]);
  Before before;
  for (std::size_t passed = group_first; passed < number; ++passed) {
    const Header header = read_header(cursor, before, passed);
    skip_body(cursor, header);
    before = before_next(header.reference, header.rest_count);
  }
  const Header header = read_header(cursor, before, number);
  std::span<const Uid> reference;
  if (header.reference != 0) {
    if (depth == kChainMax) throw_corrupt("a chain of copies is too long");
    const std::size_t size = read_list(number - header.reference, depth + 1, scratch);
    reference = {scratch.lists[depth + 1].get(), size};
  }
  const std::size_t degree = read_body(cursor, first_node_ + node_of_[number], header, reference,
                                       scratch.lists[depth].get(), link_count_, scratch);
  if (cursor.has_overrun()) throw_corrupt("a list ends too early");
  return degree;
}

void LinksDecoder::targets(std::size_t node, std::vector<Uid>& out) const {
  assert(node < node_count_);
  const RankWord& word = ranks_[node / 64];
  if ((word.bits >> node % 64 & 1) == 0) {
    out.clear();
    return;
  }
  const std::uint64_t before = word.bits & ((std::uint64_t{1} << node % 64) - 1);
  Scratch& scratch = scratch_of_thread(link_count_);
  const std::size_t degree =
      read_list(word.rank + static_cast<std::size_t>(std::popcount(before)), 0, scratch);
  const Uid* const list = scratch.lists[0].get();
  out.assign(list, list + degree);
}

std::size_t LinksDecoder::memory_bytes() const noexcept {
  return sizeof(*this) + sizeof(std::uint32_t) * (first_.capacity() + more_.capacity()) +
         sizeof(RankWord) * ranks_.capacity() + sizeof(std::uint16_t) * node_of_.capacity() +
         sizeof(std::uint32_t) * group_starts_.capacity();
}

}  // namespace webstrata
