// SPDX-License-Identifier: Apache-2.0

// Several sorted inputs read as one: first their keys, then their pages.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/gather/fact_input.h"
#include "webstrata/archive/gather/translation.h"

namespace webstrata {

class InputMerge {
 public:
  // Translations may take `memory_bytes` in total; the rest goes to `scratch`.
  InputMerge(std::vector<std::unique_ptr<FactInput>> inputs, const std::filesystem::path& scratch,
             std::size_t memory_bytes);

  // Calls `take` with every distinct key, ascending, until the inputs are empty. `from_first` says
  // whether the first input has it. If `take` returns false, the key gets no uid.
  using TakeKey = std::function<bool(std::string_view key, bool from_first)>;
  void merge_keys(const TakeKey& take);
  [[nodiscard]] std::uint64_t uid_count() const noexcept { return uid_count_; }
  [[nodiscard]] const Translation& translation(std::size_t input) const {
    return translations_[input];
  }

  // Pages come in order of uid. The uid of the next page among the inputs from `first_input` on;
  // kNone if there is none left.
  static constexpr Uid kNone = ~Uid{0};
  [[nodiscard]] Uid next_uid(std::size_t first_input = 0) const noexcept;
  // Whether input number `input` has facts about `uid`, which is next_uid().
  [[nodiscard]] bool has(std::size_t input, Uid uid) const noexcept { return next_[input] == uid; }
  // Its facts in the new numbering; facts that mention a dropped key are left out.
  void read(std::size_t input, PageFacts& page);
  // The number of the next page in that input.
  [[nodiscard]] std::uint64_t number(std::size_t input) const noexcept { return numbers_[input]; }
  // Pages of that input with a smaller number need not be read.
  void skip(std::size_t input, std::uint64_t number);
  // FactInput::want_times_only() of that input.
  void want_times_only(std::size_t input) { inputs_[input]->want_times_only(); }
  [[nodiscard]] std::size_t size() const noexcept { return inputs_.size(); }

 private:
  void find_next(std::size_t input);

  std::vector<std::unique_ptr<FactInput>> inputs_;
  std::vector<Translation> translations_;
  std::uint64_t uid_count_ = 0;
  std::vector<std::uint64_t> numbers_;
  std::vector<Uid> next_;  // uid of each input's next page, or kNone
};

// Renumbers a page; links and redirects to dropped keys are removed, and so are revisits of dropped
// URLs.
void translate(PageFacts& page, const Translation& translation);

}  // namespace webstrata
