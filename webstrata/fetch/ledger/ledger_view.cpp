// SPDX-License-Identifier: Apache-2.0

// The store is opened to read. Its writer may delete a file between the moment at which the list of
// files is read and the one at which they are opened; then opening is tried again.
// Tested by tests/fetch/ledger_view_test.cpp.

#include "webstrata/fetch/ledger/ledger_view.h"

#include <fcntl.h>
#include <unistd.h>

#include "webstrata/base/error.h"
#include "webstrata/fetch/ledger/ledger_keys.h"
#include "webstrata/fetch/ledger/ledger_store.h"
#include "webstrata/fetch/wire/origin.h"

namespace webstrata {
namespace {

using namespace ledger_keys;

constexpr int kTriesMax = 4;

LedgerStore open_patiently(const std::filesystem::path& folder) {
  for (int tries = 1;; ++tries) {
    try {
      return LedgerStore::open_to_read(folder);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::NotFound || tries == kTriesMax) throw;
    }
  }
}

}  // namespace

struct LedgerView::State {
  LedgerStore store;
};

LedgerView::LedgerView(std::unique_ptr<State> state) : state_(std::move(state)) {}
LedgerView::LedgerView(LedgerView&&) noexcept = default;
LedgerView::~LedgerView() = default;

LedgerView LedgerView::open(const std::filesystem::path& folder) {
  return LedgerView(std::make_unique<State>(State{open_patiently(folder / "ledger")}));
}

LedgerTotals LedgerView::totals() const {
  LedgerTotals totals;
  if (const auto bytes = state_->store.get(kTotals)) decode(*bytes, totals);
  return totals;
}

std::uint64_t LedgerView::bytes_reserved() const {
  std::uint64_t reserved = 0;
  each_charge([&](const Charge& charge) {
    if (!charge.is_settled || charge.is_lost) reserved += charge.bytes;
    return true;
  });
  return reserved;
}

std::optional<std::string> LedgerView::setting(std::string_view name) const {
  return state_->store.get(named(kSetting, name));
}

std::uint64_t LedgerView::host_count() const {
  std::uint64_t count = 0;
  state_->store.scan(kPlace, [&](std::string_view name, std::string_view) {
    if (!name.starts_with('@') && !is_origin(name)) ++count;
    return true;
  });
  return count;
}

std::optional<LedgerUrl> LedgerView::url(UrlNumber number) const {
  const auto bytes = state_->store.get(numbered(kUrl, number));
  if (!bytes) return std::nullopt;
  LedgerUrl url;
  decode(*bytes, url);
  return url;
}

void LedgerView::each_url(const VisitUrl& visit) const {
  LedgerUrl url;
  state_->store.scan(kUrl, [&](std::string_view key, std::string_view value) {
    decode(value, url);
    return visit(static_cast<UrlNumber>(number_of(key)), url);
  });
}

std::optional<UrlNumber> LedgerView::find(std::string_view wanted) const {
  std::optional<UrlNumber> found;
  if (wanted.empty()) return found;
  each_url([&](UrlNumber number, const LedgerUrl& url) {
    if (url.url == wanted) found = number;
    return !found;
  });
  return found;
}

void LedgerView::each_charge(const std::function<bool(const Charge&)>& visit) const {
  Charge charge;
  state_->store.scan(kCharge, [&](std::string_view, std::string_view value) {
    decode(value, charge);
    return visit(charge);
  });
}

void LedgerView::each_learned(const std::function<bool(const LearnedPage&)>& visit) const {
  LearnedPage page;
  state_->store.scan(kLearned, [&](std::string_view, std::string_view value) {
    decode(value, page);
    return visit(page);
  });
}

bool is_job(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::exists(folder / "ledger" / "CURRENT", error);
}

// Who writes a store holds a lock on its file LOCK.
bool is_job_running(const std::filesystem::path& folder) {
  const int file = ::open((folder / "ledger" / "LOCK").c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool is_known = ::fcntl(file, F_GETLK, &lock) == 0;
  ::close(file);
  return is_known && lock.l_type != F_UNLCK;
}

}  // namespace webstrata
