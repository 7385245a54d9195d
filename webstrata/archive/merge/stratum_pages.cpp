// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/stack_test.cpp.

#include "webstrata/archive/merge/stratum_pages.h"

#include <algorithm>

namespace webstrata {
namespace {

constexpr std::size_t kPagesBufferBytes = std::size_t{1} << 18;

RunFiles scratch_run(const std::filesystem::path& folder, const std::string& name) {
  return {folder / (name + ".keys"), folder / (name + ".pages")};
}

}  // namespace

void NumberSet::shrink() {
  std::ranges::sort(numbers_);
  numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
  limit_ = std::max(limit_, 2 * numbers_.size());
}

std::uint64_t NumberSet::rank(Uid number) const {
  return static_cast<std::uint64_t>(std::ranges::lower_bound(numbers_, number) - numbers_.begin());
}

StratumPages::StratumPages(const std::filesystem::path& scratch, const std::string& name)
    : pages_(scratch_run(scratch, name + ".uids")),
      run_(scratch_run(scratch, name)),
      writer_(pages_) {}

void StratumPages::add(Uid page, const PageFacts& facts) {
  used_.add(page);
  each_number(facts, [&](Uid mentioned) { used_.add(mentioned); });
  writer_.add_page(page, facts);
}

RunFiles StratumPages::write(const std::function<void(Uid, std::string& key)>& key_of) {
  writer_.finish();
  RunWriter run(run_);
  std::string key;
  for (const Uid uid : used_.sorted()) {
    key_of(uid, key);
    run.add_key(key);
  }
  const auto input = open_run(pages_, kPagesBufferBytes);
  std::uint64_t uid = 0;
  PageFacts page;
  while (input->next_page(uid)) {
    input->read_page(page);
    each_number(page, [&](Uid& number) { number = used_.rank(number); });
    run.add_page(used_.rank(uid), page);
  }
  run.finish();
  return run_;
}

}  // namespace webstrata
