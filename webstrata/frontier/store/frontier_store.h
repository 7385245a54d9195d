// SPDX-License-Identifier: Apache-2.0

// The bytes of a frontier: a sorted map on disk (RocksDB), changed in atomic batches.
//
//   Changes changes;
//   changes.put(key, value);
//   store.write(changes);  // visible to all threads; survives the end of the process
//   store.sync();          // survives the end of power
//
// Threads may share a store.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace webstrata::frontier {

class Changes {
 public:
  Changes();
  Changes(Changes&&) noexcept;
  Changes& operator=(Changes&&) noexcept;
  ~Changes();

  void put(std::string_view key, std::string_view value);
  void remove(std::string_view key);
  // All keys that begin with `prefix`, which must not be all 0xff.
  void remove_all(std::string_view prefix);
  [[nodiscard]] bool empty() const;
  [[nodiscard]] std::size_t size() const;  // number of changes

 private:
  friend class FrontierStore;
  struct State;
  std::unique_ptr<State> state_;
};

class FrontierStore {
 public:
  // Creates it if there is none. One process at a time: throws Error(Io) if another has it.
  static FrontierStore open(const std::filesystem::path& folder);
  FrontierStore(FrontierStore&&) noexcept;
  ~FrontierStore();

  void write(Changes& changes);  // and clears them
  void sync();
  [[nodiscard]] std::optional<std::string> get(std::string_view key) const;
  // Calls `visit` with the records whose keys begin with `prefix`, ascending from `from` (empty:
  // from the first), as they are at this moment, until it returns false. Keys are passed whole.
  using Visit = std::function<bool(std::string_view key, std::string_view value)>;
  void scan(std::string_view prefix, std::string_view from, const Visit& visit) const;

 private:
  struct State;
  explicit FrontierStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace webstrata::frontier
