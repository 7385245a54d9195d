// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/law_test.cpp.

#include "webstrata/archive/merge/input_merge.h"

#include <algorithm>

#include <fmt/format.h>

namespace webstrata {
namespace {

// The next key of each input that is not empty, the smallest first.
class KeyHeap {
 public:
  explicit KeyHeap(std::vector<std::unique_ptr<FactInput>>& inputs)
      : inputs_(inputs), keys_(inputs.size()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i]->next_key(keys_[i])) heap_.push_back(i);
    }
    std::make_heap(heap_.begin(), heap_.end(), is_later_);
  }
  [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
  [[nodiscard]] const std::string& key() const noexcept { return keys_[heap_.front()]; }
  // Removes the smallest key and returns its input.
  std::size_t pop() {
    const std::size_t input = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), is_later_);
    if (inputs_[input]->next_key(keys_[input])) {
      std::push_heap(heap_.begin(), heap_.end(), is_later_);
    } else {
      heap_.pop_back();
    }
    return input;
  }

 private:
  std::vector<std::unique_ptr<FactInput>>& inputs_;
  std::vector<std::string> keys_;
  std::vector<std::size_t> heap_;
  std::function<bool(std::size_t, std::size_t)> is_later_ = [this](std::size_t a, std::size_t b) {
    const int order = keys_[a].compare(keys_[b]);
    return order != 0 ? order > 0 : a > b;
  };
};

}  // namespace

InputMerge::InputMerge(std::vector<std::unique_ptr<FactInput>> inputs,
                       const std::filesystem::path& scratch, std::size_t memory_bytes)
    : inputs_(std::move(inputs)), numbers_(inputs_.size()), next_(inputs_.size(), kNone) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    translations_.emplace_back(scratch / fmt::format("translation{:04}", i),
                               memory_bytes / inputs_.size());
  }
}

void InputMerge::merge_keys(const TakeKey& take) {
  KeyHeap heap(inputs_);
  std::string key;
  std::vector<std::size_t> owners;
  while (!heap.empty()) {
    key = heap.key();
    owners.clear();
    while (!heap.empty() && heap.key() == key) owners.push_back(heap.pop());
    const bool is_kept = take(key, owners.front() == 0);
    for (const std::size_t owner : owners) {
      if (is_kept) {
        translations_[owner].add(uid_count_);
      } else {
        translations_[owner].add_dropped();
      }
    }
    uid_count_ += is_kept ? 1 : 0;
  }
  for (Translation& translation : translations_) translation.finish();
  for (std::size_t i = 0; i < inputs_.size(); ++i) find_next(i);
}

void InputMerge::find_next(std::size_t input) {
  PageFacts dropped;
  while (inputs_[input]->next_page(numbers_[input])) {
    if (!translations_[input].is_dropped(numbers_[input])) {
      next_[input] = translations_[input][numbers_[input]];
      return;
    }
    inputs_[input]->read_page(dropped);
  }
  next_[input] = kNone;
}

Uid InputMerge::next_uid(std::size_t first_input) const noexcept {
  const auto first = next_.begin() + static_cast<std::ptrdiff_t>(first_input);
  return first == next_.end() ? kNone : *std::min_element(first, next_.end());
}

void InputMerge::read(std::size_t input, PageFacts& page) {
  inputs_[input]->read_page(page);
  translate(page, translations_[input]);
  find_next(input);
}

void InputMerge::skip(std::size_t input, std::uint64_t number) {
  inputs_[input]->skip_pages(number);
  find_next(input);
}

namespace {

void translate_sightings(PageFacts& page, const Translation& translation) {
  const auto is_lost = [&](const SightingRecord& sighting) {
    return sighting.refers_to && translation.is_dropped(*sighting.refers_to);
  };
  if (translation.drops()) std::erase_if(page.sightings, is_lost);
  for (SightingRecord& sighting : page.sightings) {
    if (sighting.redirect && translation.is_dropped(*sighting.redirect)) sighting.redirect.reset();
    if (sighting.redirect) sighting.redirect = translation[*sighting.redirect];
    if (sighting.refers_to) sighting.refers_to = translation[*sighting.refers_to];
  }
}

void drop_links(PageFacts& page, const Translation& translation) {
  std::size_t kept = 0;
  std::size_t place = 0;
  for (std::uint32_t& end : page.row_ends) {
    for (; place < end; ++place) {
      if (translation.is_dropped(page.targets[place])) continue;
      page.targets[kept] = page.targets[place];
      page.values[kept++] = page.values[place];
    }
    end = static_cast<std::uint32_t>(kept);
  }
  page.targets.resize(kept);
  page.values.resize(kept);
  std::erase_if(page.texts.uses,
                [&](const TextUse& use) { return translation.is_dropped(use.target); });
}

}  // namespace

void translate(PageFacts& page, const Translation& translation) {
  if (translation.is_identity()) return;
  translate_sightings(page, translation);
  if (translation.drops()) drop_links(page, translation);
  for (Uid& target : page.targets) target = translation[target];
  for (TextUse& use : page.texts.uses) use.target = translation[use.target];
}

}  // namespace webstrata
