// SPDX-License-Identifier: Apache-2.0

// Facts being imported: what a reader's captures become before they are sorted into a run.
//
// A batch belongs to one thread. It numbers the URLs it meets in the order of appearance and keeps
// each once; facts refer to them by number. run.h sorts batches into a run.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/disk/options.h"
#include "webstrata/base/report.h"
#include "webstrata/codec/sightings.h"
#include "webstrata/facts/sighting.h"
#include "webstrata/url/key.h"

namespace webstrata {

// Whether a URL is forgotten: altogether (no time given), or what was seen of it at a time.
using IsForgotten = std::function<bool(std::string_view key, std::optional<Time> time)>;

class FactBatch {
 public:
  // What `is_forgotten` covers is left out and counted; it may be empty. Both outlive the batch.
  FactBatch(const ArchiveOptions& options, const IsForgotten& is_forgotten);

  // Adds a capture or sighting, and its links if they are known.
  void add(const Capture& capture);
  // What was left out.
  [[nodiscard]] const Report& report() const noexcept { return report_; }

  [[nodiscard]] bool empty() const noexcept { return index_.empty(); }
  // Its size in memory.
  [[nodiscard]] std::size_t bytes() const noexcept;

  // For run.cpp: the keys by number, and the facts in order.
  [[nodiscard]] std::size_t key_count() const noexcept { return key_ends_.size(); }
  [[nodiscard]] std::string_view key(std::size_t number) const noexcept;
  // False: the key came with a fact that was left out, and no other has it.
  [[nodiscard]] bool is_mentioned(std::size_t number) const { return mentioned_[number]; }
  struct Fact {
    std::uint64_t start = 0;   // in facts()
    std::uint32_t source = 0;  // the number of its key
  };
  [[nodiscard]] std::span<const Fact> index() const noexcept { return index_; }
  // Records and links as bytes (fact_bytes.h).
  [[nodiscard]] std::string_view facts() const noexcept { return facts_; }
  // Whether a link in them is followed by its texts.
  [[nodiscard]] bool has_texts() const noexcept { return has_texts_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // The number of a normalised URL; kNone if it must stay out. The URL is parsed if it is new here
  // and comes without its shape.
  std::uint32_t number_of(std::string_view url, const UrlShape& shape = {});
  std::uint32_t add_key(std::string_view url, const UrlShape& shape);
  [[nodiscard]] bool is_kept(std::string_view key, std::optional<Time> time);
  void grow_slots();
  void append_texts(const LinkSet& links, std::size_t position);
  bool to_record(const Sighting& sighting, bool links_known, SightingRecord& record);

  const ArchiveOptions& options_;
  const IsForgotten& is_forgotten_;
  bool has_texts_;
  Report report_;

  std::string keys_;
  std::vector<std::uint32_t> key_ends_;
  std::vector<bool> mentioned_;  // by number
  // Urls by hash: 64 bits choose the slot, 128 bits are the identity.
  struct Slot {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint32_t number = kNone;
    bool is_used = false;
  };
  std::vector<Slot> slots_;
  std::size_t used_slots_ = 0;
  std::string facts_;
  std::vector<Fact> index_;
  Url url_;
  SightingRecord record_;
  std::string links_;
  std::size_t texts_left_ = 0;  // of the capture that is being added
  std::vector<std::string_view> more_texts_;
  std::vector<std::string> kept_texts_;
};

}  // namespace webstrata
