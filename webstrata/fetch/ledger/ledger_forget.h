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
// - A URL that is forgotten keeps its number, so that others still count on theirs, and nothing
//   else. What it taught the frontier goes, and so do links to it.
// - A charge stays, since budgets count it and crawl files are known by it, but no longer says for
//   which URL or why.
// - A host goes if its robots.txt is forgotten, which is so if all of it is.
std::uint64_t forget_records(LedgerStore& store,
                             const std::function<bool(const Url&)>& is_forgotten);

}  // namespace webstrata
