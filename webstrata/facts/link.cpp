// SPDX-License-Identifier: Apache-2.0

// A small open-addressing table over one text buffer; duplicates on a page are common (menus,
// footers), so the look-up is on the hot path of extraction.
// Tested by tests/facts/link_test.cpp.

#include "webstrata/facts/link.h"

#include <algorithm>
#include <array>
#include <utility>

#include "webstrata/base/checksum.h"

namespace webstrata {
namespace {

constexpr std::array<std::string_view, 8> kKindNames = {
    "navigation", "embed", "redirect", "relation", "form", "refresh", "sitemap", "nofollow"};

}  // namespace

std::string to_string(LinkKinds kinds) {
  std::string names;
  for (std::size_t bit = 0; bit < kKindNames.size(); ++bit) {
    if ((kinds.bits() >> bit & 1) == 0) continue;
    if (!names.empty()) names.push_back('+');
    names += kKindNames[bit];
  }
  return names;
}

std::optional<LinkKinds> parse_link_kinds(std::string_view text) {
  LinkKinds kinds;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of("+,"), text.size());
    const auto name = std::find(kKindNames.begin(), kKindNames.end(), text.substr(0, end));
    if (name == kKindNames.end()) return std::nullopt;
    kinds =
        kinds | LinkKinds::from_bits(static_cast<std::uint8_t>(1 << (name - kKindNames.begin())));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return kinds;
}

std::size_t LinkSet::add(const Link& link) {
  if ((entries_.size() + 1) * 2 > slots_.size()) grow_slots();
  const std::uint64_t hash = checksum64(link.target);
  const std::size_t slot = slot_of(hash, link.target);
  if (slots_[slot] == 0) {
    store(link, hash);
    slots_[slot] = static_cast<std::uint32_t>(entries_.size());
    return entries_.size() - 1;
  }
  const std::size_t position = slots_[slot] - 1;
  Entry& entry = entries_[position];
  again(position, link.kinds, link.count);
  if (!link.text.empty()) add_text(position, link.text);
  if (entry.context_size == 0 && !link.context.empty()) {
    move_texts(position, (*this)[position].text, link.context);
  }
  return position;
}

// Targets, texts and contexts follow each other: a new one needs a new place for all three.
void LinkSet::move_texts(std::size_t position, std::string_view text, std::string_view context) {
  const std::string moved = std::string((*this)[position].target).append(text).append(context);
  Entry& entry = entries_[position];
  entry.start = text_.size();
  entry.text_size = static_cast<std::uint32_t>(text.size());
  entry.context_size = static_cast<std::uint32_t>(context.size());
  text_ += moved;
}

void LinkSet::add_text(std::size_t position, std::string_view text) {
  const Link link = (*this)[position];
  if (text.empty() || text == link.text) return;
  if (link.text.empty()) return move_texts(position, text, link.context);
  Entry& entry = entries_[position];
  more_texts_.push_back({text_.size(), static_cast<std::uint32_t>(text.size()), entry.last_more});
  entry.last_more = static_cast<std::uint32_t>(more_texts_.size());
  text_.append(text);
}

void LinkSet::more_texts(std::size_t position, std::vector<std::string_view>& out) const {
  out.clear();
  for (std::uint32_t at = entries_[position].last_more; at != 0; at = more_texts_[at - 1].before) {
    out.emplace_back(text_.data() + more_texts_[at - 1].start, more_texts_[at - 1].size);
  }
  std::ranges::reverse(out);
}

void LinkSet::again(std::size_t position, LinkKinds kinds, std::uint8_t times) noexcept {
  Entry& entry = entries_[position];
  entry.kinds = entry.kinds | kinds;
  entry.count = static_cast<std::uint8_t>(std::min(255, entry.count + times));
}

void LinkSet::clear() noexcept {
  mentions_.clear();
  more_texts_.clear();
  // A page with very many links must not slow down all that follow.
  if (slots_.size() > 1024 && entries_.size() * 16 < slots_.size()) slots_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
  entries_.clear();
  text_.clear();
}

Link LinkSet::operator[](std::size_t position) const noexcept {
  const Entry& entry = entries_[position];
  const char* start = text_.data() + entry.start;
  return {{start, entry.target_size},
          entry.kinds,
          entry.count,
          {start + entry.target_size, entry.text_size},
          {start + entry.target_size + entry.text_size, entry.context_size},
          entry.shape};
}

void LinkSet::store(const Link& link, std::uint64_t hash) {
  entries_.push_back({hash, text_.size(), static_cast<std::uint32_t>(link.target.size()),
                      static_cast<std::uint32_t>(link.text.size()),
                      static_cast<std::uint32_t>(link.context.size()), link.kinds, link.count,
                      link.shape, 0});
  text_.append(link.target).append(link.text).append(link.context);
}

void LinkSet::grow_slots() {
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), 0);
  for (std::size_t position = 0; position < entries_.size(); ++position) place(position);
}

std::size_t LinkSet::slot_of(std::uint64_t hash, std::string_view target) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0) {
    const Entry& entry = entries_[slots_[slot] - 1];
    const std::string_view known(text_.data() + entry.start, entry.target_size);
    if (entry.hash == hash && known == target) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

void LinkSet::place(std::size_t position) noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = entries_[position].hash & mask;
  while (slots_[slot] != 0) slot = (slot + 1) & mask;
  slots_[slot] = static_cast<std::uint32_t>(position + 1);
}

}  // namespace webstrata
