// SPDX-License-Identifier: Apache-2.0

// The store of a ledger in a shared library of its own, which the program loads when a ledger is
// opened. RocksDB takes longer to load than everything else in the program
// (docs/decisions/017-start-up.md).
//
// module_proxy.cpp is the program's side: it defines LedgerStore by forwarding to a StoreBackend.
// module_store.cpp is the library's side, with ledger_store.cpp inside. Programs of others, tests
// and Python link ledger_store.cpp directly and need none of this.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace webstrata {

// As LedgerStore.
class StoreBackend {
 public:
  virtual ~StoreBackend() = default;
  virtual void put(std::string_view key, std::string_view value) = 0;
  virtual void remove(std::string_view key) = 0;
  [[nodiscard]] virtual bool is_clean() const = 0;
  virtual void commit() = 0;
  virtual void compact() = 0;
  [[nodiscard]] virtual std::optional<std::string> get(std::string_view key) const = 0;
  using Visit = std::function<bool(std::string_view key, std::string_view value)>;
  virtual void scan(std::string_view prefix, const Visit& visit) const = 0;
  virtual void scan_backwards(std::string_view prefix, const Visit& visit) const = 0;
};

enum class StoreUse : int { Create, Open, OpenToRead };

inline constexpr const char* kStoreLibrary = "libwebstrata_store.so";
inline constexpr const char* kStoreFunction = "webstrata_open_store";
using OpenStore = void(const std::filesystem::path& folder, StoreUse use,
                       std::unique_ptr<StoreBackend>& store);

}  // namespace webstrata
