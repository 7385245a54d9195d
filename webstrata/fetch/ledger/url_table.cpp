// SPDX-License-Identifier: Apache-2.0

// Open addressing in two arrays, so that no byte is lost to alignment.
// Tested by tests/fetch/url_table_test.cpp.

#include "webstrata/fetch/ledger/url_table.h"

#include <cassert>
#include <utility>

#include "webstrata/base/checksum.h"

namespace webstrata {
namespace {

constexpr std::size_t kSlotsMin = 1024;

}  // namespace

UrlTable::UrlTable(std::uint64_t seed) : seed_(seed), hashes_(kSlotsMin), numbers_(kSlotsMin) {}

std::uint64_t UrlTable::hash(std::string_view url) const noexcept {
  const std::uint64_t value = checksum64(url, seed_);
  return value == 0 ? 1 : value;
}

std::size_t UrlTable::slot_of(std::uint64_t hash) const noexcept {
  const std::size_t mask = hashes_.size() - 1;
  std::size_t slot = hash & mask;
  while (hashes_[slot] != 0 && hashes_[slot] != hash) slot = (slot + 1) & mask;
  return slot;
}

std::optional<UrlNumber> UrlTable::find(std::string_view url) const {
  const std::size_t slot = slot_of(hash(url));
  if (hashes_[slot] == 0) return std::nullopt;
  return numbers_[slot];
}

bool UrlTable::add(std::string_view url, UrlNumber number) {
  if ((size_ + 1) * 4 > hashes_.size() * 3) grow();
  const std::uint64_t value = hash(url);
  const std::size_t slot = slot_of(value);
  if (hashes_[slot] != 0) return false;
  hashes_[slot] = value;
  numbers_[slot] = number;
  ++size_;
  return true;
}

void UrlTable::renumber(std::string_view url, UrlNumber number) {
  const std::size_t slot = slot_of(hash(url));
  assert(hashes_[slot] != 0);
  numbers_[slot] = number;
}

void UrlTable::grow() {
  std::vector<std::uint64_t> hashes = std::exchange(hashes_, {});
  std::vector<UrlNumber> numbers = std::exchange(numbers_, {});
  hashes_.resize(hashes.size() * 2);
  numbers_.resize(numbers.size() * 2);
  for (std::size_t old = 0; old < hashes.size(); ++old) {
    if (hashes[old] == 0) continue;
    const std::size_t slot = slot_of(hashes[old]);
    hashes_[slot] = hashes[old];
    numbers_[slot] = numbers[old];
  }
}

}  // namespace webstrata
