// SPDX-License-Identifier: Apache-2.0

// The second half of verify(): decodes every block and compares the layers with each other.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "webstrata/archive/read/generation_reader.h"
#include "webstrata/archive/verify.h"

namespace webstrata {

// What was found so far. Any thread may call.
class VerifyNotes {
 public:
  explicit VerifyNotes(ProgressCallback progress) : progress_(std::move(progress)) {}

  template <typename... Arguments>
  void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    add(fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  // A problem that a killed command left.
  template <typename... Arguments>
  void tell_interrupted(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    std::string problem = fmt::format(format, std::forward<Arguments>(arguments)...);
    const std::lock_guard lock(mutex_);
    interrupted_.insert(problem);
    problems_.insert(std::move(problem));
  }
  // Not a problem: this user may not read it.
  void tell_unchecked(std::string what) {
    const std::lock_guard lock(mutex_);
    unchecked_.insert(std::move(what));
  }
  void count_file(std::uint64_t bytes) {
    ++files_;
    bytes_ += bytes;
  }
  void count_block() { ++blocks_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  void show_progress(const Progress& progress);
  // Problems in order of their text, whatever the order of threads.
  [[nodiscard]] VerifyResult result() const;

 private:
  void add(std::string problem);

  mutable std::mutex mutex_;
  std::set<std::string> problems_;
  std::set<std::string> interrupted_;
  std::set<std::string> unchecked_;
  std::atomic<std::uint64_t> files_ = 0;
  std::atomic<std::uint64_t> blocks_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  ProgressCallback progress_;
};

// Which blocks cannot be used. Any thread may call.
class BlockDamage {
 public:
  void add(Layer layer, std::uint64_t block);
  [[nodiscard]] bool has(Layer layer, std::uint64_t block) const;
  // Of a whole file.
  void set_unreadable() { is_unreadable_ = true; }
  [[nodiscard]] bool is_unreadable() const { return is_unreadable_; }

 private:
  mutable std::mutex mutex_;
  std::set<std::pair<Layer, std::uint64_t>> blocks_;
  std::atomic<bool> is_unreadable_ = false;
};

// Whether the originals of revisits must be there too: not so in a stratum on top of others.
enum class RowsOfRevisits { Derived, AsTheyAre };

// Adds to `notes` what is wrong in blocks that are not in `damage`.
void verify_blocks(const GenerationReader& generation, RowsOfRevisits rows, BlockDamage& damage,
                   const WorkOptions& work, VerifyNotes& notes);

}  // namespace webstrata
