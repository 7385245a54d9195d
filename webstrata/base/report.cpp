// SPDX-License-Identifier: Apache-2.0

// Tested by tests/base/report_test.cpp.

#include "webstrata/base/report.h"

#include <utility>

#include "webstrata/base/printable.h"

namespace webstrata {

void Report::damaged(std::uint64_t offset, std::string_view reason) {
  ++damage_count_;
  if (damages_.size() < kDamagesKept) damages_.push_back({offset, printable(reason)});
}

void Report::count(std::string_view what, std::uint64_t times) {
  const auto found = counts_.find(what);
  if (found != counts_.end()) {
    found->second += times;
  } else {
    counts_.emplace(what, times);
  }
}

void Report::forget_from(std::uint64_t offset) {
  const auto taken = std::erase_if(damages_, [&](const Damage& d) { return d.offset >= offset; });
  damage_count_ -= taken;
  std::erase_if(resynchronised_, [&](std::uint64_t place) { return place >= offset; });
}

void Report::merge(const Report& other) {
  for (const Damage& damage : other.damages_) {
    if (damages_.size() < kDamagesKept) damages_.push_back(damage);
  }
  damage_count_ += other.damage_count_;
  resynchronised_.insert(resynchronised_.end(), other.resynchronised_.begin(),
                         other.resynchronised_.end());
  for (const auto& [what, times] : other.counts_) count(what, times);
}

}  // namespace webstrata
