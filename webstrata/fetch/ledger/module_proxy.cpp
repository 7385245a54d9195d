// SPDX-License-Identifier: Apache-2.0

// The program's side of store_module.h. Tested by tests/fetch/crawl_kill_test.py.

#include <dlfcn.h>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/fetch/ledger/ledger_store.h"
#include "webstrata/fetch/ledger/store_module.h"

namespace webstrata {
namespace {

[[noreturn]] void fail() {
  const char* reason = dlerror();
  throw Error(ErrorKind::Io, fmt::format("cannot load {}: {}. Install webstrata again, with all "
                                         "of its files",
                                         kStoreLibrary, reason != nullptr ? reason : "damaged"));
}

// The library is found next to the program or where `cmake --install` puts it (RUNPATH).
OpenStore* load() {
  void* library = dlopen(kStoreLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail();
  auto* function = reinterpret_cast<OpenStore*>(dlsym(library, kStoreFunction));
  if (function == nullptr) fail();
  return function;
}

std::unique_ptr<StoreBackend> open_store(const std::filesystem::path& folder, StoreUse use) {
  static OpenStore* const open = load();
  std::unique_ptr<StoreBackend> store;
  open(folder, use, store);
  return store;
}

}  // namespace

struct LedgerStore::State {
  std::unique_ptr<StoreBackend> store;
};

LedgerStore::LedgerStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
LedgerStore::LedgerStore(LedgerStore&&) noexcept = default;
LedgerStore::~LedgerStore() = default;

LedgerStore LedgerStore::create(const std::filesystem::path& folder) {
  return LedgerStore(std::make_unique<State>(State{open_store(folder, StoreUse::Create)}));
}
LedgerStore LedgerStore::open(const std::filesystem::path& folder) {
  return LedgerStore(std::make_unique<State>(State{open_store(folder, StoreUse::Open)}));
}
LedgerStore LedgerStore::open_to_read(const std::filesystem::path& folder) {
  return LedgerStore(std::make_unique<State>(State{open_store(folder, StoreUse::OpenToRead)}));
}

void LedgerStore::put(std::string_view key, std::string_view value) {
  state_->store->put(key, value);
}
void LedgerStore::remove(std::string_view key) { state_->store->remove(key); }
bool LedgerStore::is_clean() const { return state_->store->is_clean(); }
void LedgerStore::commit() { state_->store->commit(); }
void LedgerStore::compact() { state_->store->compact(); }
std::optional<std::string> LedgerStore::get(std::string_view key) const {
  return state_->store->get(key);
}
void LedgerStore::scan(std::string_view prefix, const Visit& visit) const {
  state_->store->scan(prefix, visit);
}
void LedgerStore::scan_backwards(std::string_view prefix, const Visit& visit) const {
  state_->store->scan_backwards(prefix, visit);
}

}  // namespace webstrata
