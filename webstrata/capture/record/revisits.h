// SPDX-License-Identifier: Apache-2.0

// Which capture a revisit record refers to.
//
// A revisit says "unchanged since an earlier capture". Its links are those of the same URL's
// capture with the same digest; a server's "not modified" may name the time instead, or else means
// the latest capture before it. The index remembers where captures are, not their content: 40 bytes
// each.

#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "webstrata/facts/sighting.h"

namespace webstrata {

class RevisitIndex {
 public:
  static constexpr std::size_t kCapturesMax = std::size_t{1} << 24;  // the rest is not remembered

  struct Place {
    std::uint32_t input = 0;  // the caller's number for a file
    std::uint64_t offset = 0;
  };

  // What the index keeps of a capture.
  struct Entry {
    std::uint64_t url_hash = 0;
    std::uint64_t digest_hash = 0;
    Time time = 0;
    Place place;
  };
  // Empty unless the capture's links are known and its record can be found again.
  static std::optional<Entry> entry_of(const Capture& capture, std::uint32_t input);
  void add(const Entry& entry);
  // Where the links of `revisit` are; empty if no capture here matches.
  [[nodiscard]] std::optional<Place> original(const Sighting& revisit) const;

 private:
  std::unordered_map<std::uint64_t, std::vector<Entry>> captures_;  // by url_hash
  std::size_t count_ = 0;
};

}  // namespace webstrata
