// SPDX-License-Identifier: Apache-2.0

// URLs are numbered through a hash table with open addressing that compares 128-bit hashes, never
// the texts. A fact is appended as a record followed by its links; an index holds where each begins
// and which page it belongs to, and sorting happens later, in run.cpp. Whatever a tombstone covers
// is left out here, before it reaches a file, and is counted.
// Tested by tests/archive/law_test.cpp.

#include "webstrata/archive/gather/fact_batch.h"

#include <algorithm>

#include "webstrata/archive/gather/fact_bytes.h"
#include "webstrata/archive/gather/sighting_record.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/text.h"
#include "webstrata/facts/anchor_text.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr std::size_t kSlotsAtFirst = 1 << 10;
constexpr std::size_t kDigestHexOf64Bits = 16;
// A capture that is made of links to waste memory keeps the texts of its first links only.
constexpr std::size_t kTextsMax = std::size_t{1} << 16;

// A digest as the archive keeps it: whole, as 64 bits of a hash of it, or not at all.
std::string kept_digest(const std::string& digest, DigestMode mode) {
  if (mode == DigestMode::Full || digest.empty()) return digest;
  if (mode == DigestMode::None) return {};
  constexpr std::string_view kPrefix = "xxh3:";
  // A digest that was already shortened, in an export of an archive, is not shortened again.
  if (digest.starts_with(kPrefix) && digest.size() == kPrefix.size() + kDigestHexOf64Bits) {
    return digest;
  }
  constexpr std::string_view kHex = "0123456789abcdef";
  const std::uint64_t hash = checksum64(digest);
  std::string cut(kPrefix);
  for (int shift = 60; shift >= 0; shift -= 4) cut += kHex[(hash >> shift) & 15];
  return cut;
}

}  // namespace

FactBatch::FactBatch(const ArchiveOptions& options, const IsForgotten& is_forgotten)
    : options_(options),
      is_forgotten_(is_forgotten),
      has_texts_(keeps_texts(options)),
      slots_(kSlotsAtFirst) {}

std::size_t FactBatch::bytes() const noexcept {
  return keys_.capacity() + key_ends_.capacity() * sizeof(std::uint32_t) +
         mentioned_.capacity() / 8 + slots_.capacity() * sizeof(Slot) + facts_.capacity() +
         index_.capacity() * sizeof(Fact);
}

std::string_view FactBatch::key(std::size_t number) const noexcept {
  const std::size_t start = number == 0 ? 0 : key_ends_[number - 1];
  return std::string_view(keys_).substr(start, key_ends_[number] - start);
}

void FactBatch::grow_slots() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (!slot.is_used) continue;
    std::size_t place = slot.low & mask;
    while (slots_[place].is_used) place = (place + 1) & mask;
    slots_[place] = slot;
  }
}

std::uint32_t FactBatch::add_key(std::string_view url, const UrlShape& shape) {
  if (!restore_url(url, shape, url_)) return kNone;
  if (!url_.is_web() && !options_.keep_other_schemes) return kNone;
  const std::size_t start = keys_.size();
  append_key(url_, keys_);
  if (!is_kept(std::string_view(keys_).substr(start), std::nullopt)) {
    keys_.resize(start);
    return kNone;
  }
  key_ends_.push_back(static_cast<std::uint32_t>(keys_.size()));
  mentioned_.push_back(false);
  return static_cast<std::uint32_t>(key_ends_.size() - 1);
}

bool FactBatch::is_kept(std::string_view key, std::optional<Time> time) {
  if (!is_forgotten_ || !is_forgotten_(key, time)) return true;
  report_.count(time ? "sightings of forgotten urls" : "forgotten urls");
  return false;
}

std::uint32_t FactBatch::number_of(std::string_view url, const UrlShape& shape) {
  if (used_slots_ * 2 >= slots_.size()) grow_slots();
  const Checksum128 hash = checksum128(url);
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = hash.low & mask;
  while (slots_[place].is_used) {
    if (slots_[place].low == hash.low && slots_[place].high == hash.high) {
      return slots_[place].number;
    }
    place = (place + 1) & mask;
  }
  const std::uint32_t number = add_key(url, shape);
  slots_[place] = {hash.low, hash.high, number, true};
  ++used_slots_;
  return number;
}

bool FactBatch::to_record(const Sighting& sighting, bool links_known, SightingRecord& record) {
  copy_fields(sighting, record);
  record.has_links = links_known;
  record.digest = kept_digest(sighting.digest, options_.digests);
  record.text_digest = kept_digest(sighting.text_digest, options_.digests);
  const auto number = [&](const std::string& url) -> std::optional<Uid> {
    if (url.empty()) return std::nullopt;
    const std::uint32_t known = number_of(url);
    return known == kNone ? std::nullopt : std::optional<Uid>(known);
  };
  record.redirect = number(sighting.redirect_target);
  const bool refers_elsewhere =
      !sighting.refers_to_url.empty() && sighting.refers_to_url != sighting.url;
  record.refers_to = refers_elsewhere ? number(sighting.refers_to_url) : std::nullopt;
  // Without its other URL a revisit would look like one of this page.
  return !refers_elsewhere || record.refers_to.has_value();
}

// The distinct texts of a link: their number, and each of them.
void FactBatch::append_texts(const LinkSet& links, std::size_t position) {
  kept_texts_.clear();
  const auto keep = [&](std::string_view text) {
    append_anchor_text(kept_texts_.emplace_back(), text);
    if (kept_texts_.back().empty()) kept_texts_.pop_back();
  };
  keep(links[position].text);
  links.more_texts(position, more_texts_);
  for (const std::string_view text : more_texts_) keep(text);
  std::ranges::sort(kept_texts_);
  kept_texts_.erase(std::unique(kept_texts_.begin(), kept_texts_.end()), kept_texts_.end());
  if (kept_texts_.size() > texts_left_) kept_texts_.resize(texts_left_);
  texts_left_ -= kept_texts_.size();
  append_varint(links_, kept_texts_.size());
  for (const std::string& text : kept_texts_) append_text(links_, text);
}

void FactBatch::add(const Capture& capture) {
  const Sighting& sighting = capture.sighting;
  // A URL that is forgotten only at some times passes number_of() and is checked again.
  const std::uint32_t source = number_of(sighting.url);
  if (source == kNone || !is_kept(key(source), sighting.time)) return;
  if (!to_record(sighting, capture.links_known, record_)) return;

  // Nothing of the fact is left out from here on.
  mentioned_[source] = true;
  for (const auto& other : {record_.redirect, record_.refers_to}) {
    if (other) mentioned_[*other] = true;
  }
  links_.clear();
  texts_left_ = kTextsMax;
  std::size_t link_count = 0;
  for (std::size_t i = 0; capture.links_known && i < capture.links.size(); ++i) {
    const Link link = capture.links[i];
    if (!link.kinds.intersects(options_.kinds)) continue;
    const std::uint32_t target = number_of(link.target, link.shape);
    if (target == kNone) continue;
    mentioned_[target] = true;
    append_varint(links_, target);
    links_ += static_cast<char>(link.kinds.bits());
    links_ += static_cast<char>(link.count);
    if (has_texts_) append_texts(capture.links, i);
    ++link_count;
  }
  index_.push_back({facts_.size(), source});
  append_record(facts_, record_);
  append_varint(facts_, link_count);
  facts_ += links_;
}

}  // namespace webstrata
