// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cluster/cluster_test.cpp.

#include "webstrata/cluster/key_task.h"

#include <utility>

#include "webstrata/archive/gather/fact_bytes.h"
#include "webstrata/base/bytes.h"

namespace webstrata::cluster {
namespace {

constexpr std::size_t kNamesPacketBytes = std::size_t{1} << 20;
// Of all runs together: there may be many, and each has an open packet.
constexpr std::size_t kPairsBytes = std::size_t{32} << 20;

}  // namespace

void KeyNumbering::close_names() {
  if (names_.empty()) return;
  full_.push_back({true, 0, names_first_, std::exchange(names_, {})});
}

void KeyNumbering::add(std::string_view key, std::int64_t run, std::uint64_t number) {
  if (count_ == 0 || key != last_key_) {
    if (names_.size() >= kNamesPacketBytes) close_names();
    if (names_.empty()) names_first_ = count_;
    append_text(names_, key);
    last_key_ = key;
    ++count_;
  }
  Pairs& pairs = pairs_[run];
  const std::size_t before = pairs.bytes.size();
  append_varint(pairs.bytes, number - pairs.last_number);
  append_varint(pairs.bytes, count_ - 1 - pairs.last_index);
  pairs.last_number = number;
  pairs.last_index = count_ - 1;
  pairs_bytes_ += pairs.bytes.size() - before;
  if (pairs_bytes_ < kPairsBytes) return;
  for (auto& [owner, rest] : pairs_) full_.push_back({false, owner, 0, std::move(rest.bytes)});
  pairs_.clear();
  pairs_bytes_ = 0;
}

std::vector<KeyPacket> KeyNumbering::take_full() { return std::exchange(full_, {}); }

std::vector<KeyPacket> KeyNumbering::finish() {
  close_names();
  for (auto& [owner, rest] : pairs_) full_.push_back({false, owner, 0, std::move(rest.bytes)});
  pairs_.clear();
  return take_full();
}

void read_names(std::string_view bytes, KeyList& keys) {
  ByteReader reader(bytes, "a packet of names");
  while (!reader.at_end()) keys.add(reader.take(reader.varint()));
}

std::vector<KeyPacket> cut_names(std::string_view bytes, Uid first, std::uint32_t block_bits) {
  std::vector<KeyPacket> packets;
  ByteReader reader(bytes, "a packet of names");
  const Uid mask = (Uid{1} << block_bits) - 1;
  for (Uid uid = first; !reader.at_end(); ++uid) {
    if (packets.empty() || (uid & mask) == 0) packets.push_back({true, 0, uid, {}});
    append_text(packets.back().bytes, reader.take(reader.varint()));
  }
  return packets;
}

}  // namespace webstrata::cluster
