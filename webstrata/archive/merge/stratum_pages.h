// SPDX-License-Identifier: Apache-2.0

// Collects pages in the numbering of a stack and writes them as a run that has only the keys that
// they mention: the facts of a stratum.
//
//   StratumPages pages(scratch, "part");
//   pages.add(uid, facts);                                   // ascending
//   const RunFiles run = pages.write([&](Uid uid, std::string& key) { stack.key(uid, key); });
//   pages.keys();                                            // their uids

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "webstrata/archive/gather/page.h"
#include "webstrata/archive/gather/run.h"
#include "webstrata/base/ids.h"

namespace webstrata {

// Calls `visit` with every number that a page mentions, by reference.
template <typename Page, typename Visit>
void each_number(Page& page, Visit visit) {
  for (auto& target : page.targets) visit(target);
  for (auto& use : page.texts.uses) visit(use.target);
  for (auto& sighting : page.sightings) {
    if (sighting.redirect) visit(*sighting.redirect);
    if (sighting.refers_to) visit(*sighting.refers_to);
  }
}

// A set of numbers that is filled in any order and read in ascending order.
class NumberSet {
 public:
  void add(Uid number) {
    numbers_.push_back(number);
    if (numbers_.size() >= limit_) shrink();
  }
  const std::vector<Uid>& sorted() {
    shrink();
    return numbers_;
  }
  // After sorted(): all of them, and how many are smaller than one.
  [[nodiscard]] const std::vector<Uid>& numbers() const noexcept { return numbers_; }
  [[nodiscard]] std::uint64_t rank(Uid number) const;

 private:
  void shrink();

  std::vector<Uid> numbers_;
  std::size_t limit_ = std::size_t{1} << 20;
};

class StratumPages {
 public:
  // Files in `scratch` begin with `name`.
  StratumPages(const std::filesystem::path& scratch, const std::string& name);

  void add(Uid page, const PageFacts& facts);
  // `key_of` is called with the uids of the keys, ascending.
  RunFiles write(const std::function<void(Uid, std::string& key)>& key_of);
  // After write(): the uids of the keys, and the number of one of them.
  [[nodiscard]] const std::vector<Uid>& keys() { return used_.sorted(); }
  [[nodiscard]] std::uint64_t number(Uid uid) const { return used_.rank(uid); }

 private:
  RunFiles pages_;
  RunFiles run_;
  RunWriter writer_;
  NumberSet used_;
};

}  // namespace webstrata
