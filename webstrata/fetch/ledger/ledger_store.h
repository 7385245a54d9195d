// SPDX-License-Identifier: Apache-2.0

// The bytes of a ledger: a sorted map on disk (RocksDB), changed in batches that are durable when
// commit() returns. Private to ledger.cpp.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace webstrata {

class LedgerStore {
 public:
  // One process at a time. create() also opens an existing store; open() throws Error(NotFound) if
  // there is none. Both throw Error(Io) if another process has it.
  static LedgerStore create(const std::filesystem::path& folder);
  static LedgerStore open(const std::filesystem::path& folder);
  // To read while another process may write: what was durable at this moment.
  static LedgerStore open_to_read(const std::filesystem::path& folder);
  LedgerStore(LedgerStore&&) noexcept;
  ~LedgerStore();

  // Part of the batch until commit(); get() sees it, scan() does not.
  void put(std::string_view key, std::string_view value);
  void remove(std::string_view key);
  [[nodiscard]] bool is_clean() const;
  // With one fsync; nothing is written if nothing was put.
  void commit();

  // Rewrites the files, so that they no longer contain what was removed or replaced. Everything
  // must be committed.
  void compact();

  [[nodiscard]] std::optional<std::string> get(std::string_view key) const;
  // Calls `visit` with the records under `prefix`, ascending or descending, until it returns false.
  // The key is passed without the prefix.
  using Visit = std::function<bool(std::string_view key, std::string_view value)>;
  void scan(std::string_view prefix, const Visit& visit) const;
  void scan_backwards(std::string_view prefix, const Visit& visit) const;

 private:
  struct State;
  explicit LedgerStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
