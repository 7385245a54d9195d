// SPDX-License-Identifier: Apache-2.0

// A ledger in a folder of its own that can be closed and opened again.

#pragma once

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"
#include "webstrata/fetch/ledger/ledger.h"

namespace webstrata {

inline constexpr const char* kPage = "http://a.example/x";
inline constexpr Moment kHour = 3'600'000;

struct LedgerTest : testing::Test {
  Ledger create(const PolitenessRules& rules = {}, const Budget& budget = {}) {
    Ledger ledger = Ledger::create(folder.path(), 0);
    ledger.set_rules(rules, budget);
    return ledger;
  }
  Ledger reopen(Moment now, const PolitenessRules& rules = {}, const Budget& budget = {}) {
    Ledger ledger = Ledger::open(folder.path(), now);
    ledger.set_rules(rules, budget);
    return ledger;
  }
  TemporaryFolder folder;
};

}  // namespace webstrata
