// SPDX-License-Identifier: Apache-2.0

// Removes from a ledger's records what an archive has forgotten. Private to ledger.cpp.

#pragma once

#include <cstdint>
#include <functional>

#include "webstrata/fetch/ledger/ledger_store.h"
#include "webstrata/url/url.h"

namespace webstrata {

// Rewrites the records of a store in which nothing is uncommitted and nothing is in flight, and
// commits. Returns the number of records that changed.
//
// - A forgotten URL keeps only its number, so that the others' numbers stay valid. What the
//   frontier learned from it is deleted, and so are links to it.
// - A charge stays, since budgets count it and crawl files refer to it, but no longer says for
//   which URL or why.
// - A host is deleted if its robots.txt is forgotten, which is the case if all of the host is.
std::uint64_t forget_records(LedgerStore& store,
                             const std::function<bool(const Url&)>& is_forgotten);

}  // namespace webstrata
