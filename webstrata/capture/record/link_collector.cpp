// SPDX-License-Identifier: Apache-2.0

// The table of seen references is a direct-mapped cache: a collision only costs a second
// resolution, and LinkSet::add joins equal targets in any case.
// Tested by tests/capture/link_collector_test.cpp.

#include "webstrata/capture/record/link_collector.h"

#include "webstrata/base/checksum.h"

namespace webstrata {
namespace {

constexpr std::size_t kSeenSlots = 2048;

// The URL standard strips control characters too.
std::string_view strip(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

std::string_view without_fragment(std::string_view reference) {
  return reference.substr(0, reference.find('#'));
}

}  // namespace

LinkCollector::LinkCollector(const ReadOptions& options, Report& report)
    : options_(options), report_(report) {
  if (options.keywords != nullptr) counter_.emplace(*options.keywords);
}

void LinkCollector::begin(const Url& page, LinkSet& links) {
  page_ = &page;
  links_ = &links;
  has_base_ = false;
  if (seen_.empty()) seen_.resize(kSeenSlots);
  ++page_number_;
}

void LinkCollector::set_base(std::string_view reference) {
  if (has_base_ || !resolve_url(*page_, strip(reference), base_) || !base_.is_web()) return;
  has_base_ = true;
  ++page_number_;  // links resolved before stay; later references are resolved again
}

void LinkCollector::add(std::string_view reference, LinkKinds kinds, std::string_view text,
                        std::string_view context, std::string_view window) {
  last_position_ = kDropped;
  if (!wants(kinds)) return;
  reference = without_fragment(strip(reference));
  const Link link{{}, kinds, 1, text, context};
  const bool has_text = !text.empty() || !context.empty();  // the set decides which text to keep
  const std::uint32_t position = has_text ? take(reference, link) : take_again(reference, link);
  if (counter_ && position != kDropped && !window.empty()) count_keywords(position, window);
  last_position_ = position;
}

void LinkCollector::add_text(std::string_view text) {
  if (last_position_ != kDropped) links_->add_text(last_position_, text);
}

std::uint32_t LinkCollector::take_again(std::string_view reference, const Link& link) {
  const std::uint64_t hash = checksum64(reference);
  Seen& seen = seen_[hash % kSeenSlots];
  if (seen.hash != hash || seen.page_number != page_number_) {
    seen = {hash, page_number_, take(reference, link)};
  } else if (seen.position != kDropped) {
    links_->again(seen.position, link.kinds);
  }
  return seen.position;
}

void LinkCollector::count_keywords(std::uint32_t position, std::string_view window) {
  for (const KeywordCount& found : counter_->count(window)) {
    links_->mention({position, found.keyword, found.times});
  }
}

std::uint32_t LinkCollector::take(std::string_view reference, const Link& link) {
  if (!resolve_url(has_base_ ? base_ : *page_, reference, target_)) {
    ++not_urls_;
    return kDropped;
  }
  if (!target_.is_web() && !options_.keep_other_schemes) {
    ++other_schemes_;
    return kDropped;
  }
  if (target_.had_userinfo()) ++with_userinfo_;
  Link stored = link;
  stored.target = target_.href();
  stored.shape = target_.shape();
  return static_cast<std::uint32_t>(links_->add(stored));
}

void LinkCollector::end() {
  const auto tell = [this](std::string_view what, std::uint64_t& count) {
    if (count > 0) report_.count(what, count);
    count = 0;
  };
  tell("links of other schemes left out", other_schemes_);
  tell("links that are no URLs left out", not_urls_);
  tell("links stripped of userinfo", with_userinfo_);
}

}  // namespace webstrata
