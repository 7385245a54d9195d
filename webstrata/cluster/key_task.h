// SPDX-License-Identifier: Apache-2.0

// The second step: keys of all runs, sorted and cut into ranges by the cluster, become uids.
//
// A task sees one range of keys in order and numbers the distinct ones from 0. Its output is
// packed: names, many keys per packet; and for every run a packet of pairs (number in the run,
// number in the range). When all ranges are counted, a uid is the number of keys in the previous
// ranges plus the number in its range: the keys need not be read again.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/codec/names.h"

namespace webstrata::cluster {

struct KeyPacket {
  bool is_names = false;
  std::int64_t run = 0;     // of pairs
  std::uint64_t first = 0;  // of names: the number of the first key in its range
  std::string bytes;
};

class KeyNumbering {
 public:
  // Ascending by key, then run. `number` is the key's in its run.
  void add(std::string_view key, std::int64_t run, std::uint64_t number);
  // Returns the packets that are full.
  std::vector<KeyPacket> take_full();
  // Returns the rest. size() is the number of keys.
  std::vector<KeyPacket> finish();
  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }

 private:
  struct Pairs {
    std::string bytes;
    std::uint64_t last_number = 0;
    std::uint64_t last_index = 0;
  };

  void close_names();

  std::uint64_t count_ = 0;
  std::string last_key_;
  std::string names_;
  std::uint64_t names_first_ = 0;
  std::map<std::int64_t, Pairs> pairs_;
  std::size_t pairs_bytes_ = 0;
  std::vector<KeyPacket> full_;
};

// The keys of a packet of names.
void read_names(std::string_view bytes, KeyList& keys);

// Cuts a packet of names, whose first key has the uid `first`, at the borders of blocks: a packet
// for each block, `first` being a uid now.
std::vector<KeyPacket> cut_names(std::string_view bytes, Uid first, std::uint32_t block_bits);

}  // namespace webstrata::cluster
