// SPDX-License-Identifier: Apache-2.0

// The library's side of store_module.h. Tested by tests/fetch/crawl_kill_test.py.

#include "webstrata/fetch/ledger/ledger_store.h"
#include "webstrata/fetch/ledger/store_module.h"

namespace webstrata {
namespace {

class Backend : public StoreBackend {
 public:
  explicit Backend(LedgerStore store) : store_(std::move(store)) {}

  void put(std::string_view key, std::string_view value) override { store_.put(key, value); }
  void remove(std::string_view key) override { store_.remove(key); }
  [[nodiscard]] bool is_clean() const override { return store_.is_clean(); }
  void commit() override { store_.commit(); }
  void compact() override { store_.compact(); }
  [[nodiscard]] std::optional<std::string> get(std::string_view key) const override {
    return store_.get(key);
  }
  void scan(std::string_view prefix, const Visit& visit) const override {
    store_.scan(prefix, visit);
  }
  void scan_backwards(std::string_view prefix, const Visit& visit) const override {
    store_.scan_backwards(prefix, visit);
  }

 private:
  LedgerStore store_;
};

LedgerStore opened(const std::filesystem::path& folder, StoreUse use) {
  switch (use) {
    case StoreUse::Create:
      return LedgerStore::create(folder);
    case StoreUse::Open:
      return LedgerStore::open(folder);
    case StoreUse::OpenToRead:
      break;
  }
  return LedgerStore::open_to_read(folder);
}

}  // namespace
}  // namespace webstrata

extern "C" __attribute__((visibility("default"))) void webstrata_open_store(
    const std::filesystem::path& folder, webstrata::StoreUse use,
    std::unique_ptr<webstrata::StoreBackend>& store) {
  store = std::make_unique<webstrata::Backend>(webstrata::opened(folder, use));
}
