// SPDX-License-Identifier: Apache-2.0

// The simplest possible archive: maps of facts straight from captures, every question answered by
// scanning everything. Slow, but obviously correct.

#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/facts/sighting.h"
#include "webstrata/url/key.h"

namespace webstrata {

struct ReferenceLink {
  std::uint8_t kinds = 0;
  std::uint8_t count = 0;
  std::set<std::string> texts = {};
  friend bool operator==(const ReferenceLink&, const ReferenceLink&) = default;
};
using ReferenceRow = std::map<std::string, ReferenceLink>;  // by URL of the target

struct ReferencePage {
  std::vector<std::pair<Sighting, bool>> sightings;  // with: links known
  std::map<Time, ReferenceRow> rows;                 // of captures; then derived ones too
  std::set<Time> captured;                           // seconds with a capture
};

struct ReferenceHistory {
  Time first = 0;
  Time last = 0;
  std::uint64_t captures = 0;
  std::uint8_t kinds = 0;
};

struct ReferenceState {
  PageState state = PageState::Unknown;
  Time since = 0;
  std::optional<Time> captured;
  ReferenceRow links;
};

class Reference {
 public:
  // Links of other kinds are left out.
  Reference(const std::vector<Capture>& crawl, LinkKinds kinds) {
    for (const Capture& capture : crawl) add(capture, kinds);
    for (auto& [url, page] : pages_) derive(url, page);
    std::map<std::string, std::string> by_key;
    for (const std::string& url : urls_) by_key[key_of(url)] = url;
    for (const auto& [key, url] : by_key) {
      uids_[url] = names_.size();
      names_.push_back(url);
    }
  }

  static std::string key_of(const std::string& url) {
    Url parsed;
    std::string key;
    if (parse_url(url, parsed)) append_key(parsed, key);
    return key;
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }  // uid → URL
  [[nodiscard]] Uid uid(const std::string& url) const { return uids_.at(url); }
  [[nodiscard]] const std::map<std::string, ReferencePage>& pages() const { return pages_; }
  [[nodiscard]] const ReferencePage& page(Uid uid) const {
    static const ReferencePage kNothing;
    const auto found = pages_.find(names_[uid]);
    return found == pages_.end() ? kNothing : found->second;
  }

  [[nodiscard]] std::vector<Uid> links(Uid uid, Time first, Time last) const {
    std::set<Uid> targets;
    for (const auto& [time, row] : page(uid).rows) {
      if (time < first || time > last) continue;
      for (const auto& [target, link] : row) targets.insert(uids_.at(target));
    }
    return {targets.begin(), targets.end()};
  }

  [[nodiscard]] std::vector<Uid> in_links(Uid uid, Time first, Time last) const {
    std::set<Uid> sources;
    for (const auto& [url, page] : pages_) {
      for (const auto& [time, row] : page.rows) {
        if (time >= first && time <= last && row.contains(names_[uid])) {
          sources.insert(uids_.at(url));
        }
      }
    }
    return {sources.begin(), sources.end()};
  }

  [[nodiscard]] std::map<Uid, ReferenceHistory> history(Uid uid, Time first, Time last) const {
    std::map<Uid, ReferenceHistory> histories;
    for (const auto& [time, row] : page(uid).rows) {
      if (time < first || time > last) continue;
      for (const auto& [target, link] : row) {
        ReferenceHistory& history = histories[uids_.at(target)];
        if (history.captures == 0) history.first = time;
        history.last = time;
        ++history.captures;
        history.kinds |= link.kinds;
      }
    }
    return histories;
  }

  // The texts of a page's links.
  [[nodiscard]] std::vector<LinkText> texts(Uid uid, Time first, Time last) const {
    std::map<std::pair<Uid, std::string>, LinkText> found;
    for (const auto& [time, row] : page(uid).rows) {
      if (time < first || time > last) continue;
      for (const auto& [target, link] : row) {
        for (const std::string& text : link.texts) {
          LinkText& seen = found[{uids_.at(target), text}];
          if (seen.captures == 0) seen = {uids_.at(target), text, time, time, 0};
          seen.last = time;
          ++seen.captures;
        }
      }
    }
    std::vector<LinkText> texts;
    for (auto& [key, text] : found) texts.push_back(text);
    return texts;
  }

  // The rules of a page's state, read slowly: go back second by second to the first that decides.
  [[nodiscard]] ReferenceState at(Uid uid, Time time) const {
    const ReferencePage& page = this->page(uid);
    std::set<Time> seconds;
    for (const auto& [sighting, has_links] : page.sightings) {
      if (sighting.time <= time) seconds.insert(sighting.time);
    }
    ReferenceState found;
    for (auto second = seconds.rbegin(); second != seconds.rend(); ++second) {
      found.state = state_in_second(page, *second);
      found.since = *second;
      if (found.state != PageState::Unknown) break;
    }
    if (found.state == PageState::Unknown) return {};
    if (found.state == PageState::Present) {
      for (const auto& [row_time, row] : page.rows) {
        if (row_time > time || !is_present_row(page, row_time)) continue;
        found.captured = row_time;
        found.links = row;
      }
    }
    if (found.state == PageState::Moved) fill_redirect(uid, page, found);
    return found;
  }

 private:
  static PageState meaning(const Sighting& sighting, bool has_links) {
    switch (sighting.outcome) {
      case Outcome::Alive:
        return PageState::Present;
      case Outcome::Moved:
        return PageState::Moved;
      case Outcome::Gone:
      case Outcome::SoftGone:
        return PageState::Gone;
      case Outcome::Unknown:
        return has_links || sighting.kind == SightingKind::Revisit ? PageState::Present
                                                                   : PageState::Unknown;
      default:
        return PageState::Unknown;
    }
  }

  static PageState state_in_second(const ReferencePage& page, Time second) {
    for (const PageState wanted : {PageState::Present, PageState::Moved, PageState::Gone}) {
      for (const auto& [sighting, has_links] : page.sightings) {
        if (sighting.time == second && meaning(sighting, has_links) == wanted) return wanted;
      }
    }
    return PageState::Unknown;
  }

  // A row is a capture's or, if its second has none, a revisit's.
  static bool is_present_row(const ReferencePage& page, Time second) {
    for (const auto& [sighting, has_links] : page.sightings) {
      if (sighting.time != second || meaning(sighting, has_links) != PageState::Present) continue;
      if (page.captured.contains(second) ? has_links : sighting.kind == SightingKind::Revisit) {
        return true;
      }
    }
    return false;
  }

  void fill_redirect(Uid uid, const ReferencePage& page, ReferenceState& found) const {
    const auto row = page.rows.find(found.since);
    if (row != page.rows.end()) {
      found.captured = found.since;
      for (const auto& [target, link] : row->second) {
        const bool is_redirect = LinkKinds::from_bits(link.kinds).has(LinkKind::Redirect);
        if (is_redirect && uids_.at(target) != uid) found.links[target] = link;
      }
      return;
    }
    for (const auto& [sighting, has_links] : page.sightings) {
      const bool decides = sighting.time == found.since && sighting.outcome == Outcome::Moved;
      if (!decides || sighting.redirect_target.empty()) continue;
      if (sighting.redirect_target == names_[uid]) continue;
      found.links[sighting.redirect_target] = {4, 1};
      found.captured = found.since;
    }
  }

  void add(const Capture& capture, LinkKinds kinds) {
    const Sighting& sighting = capture.sighting;
    urls_.insert(sighting.url);
    if (!sighting.redirect_target.empty()) urls_.insert(sighting.redirect_target);
    if (!sighting.refers_to_url.empty()) urls_.insert(sighting.refers_to_url);
    ReferencePage& page = pages_[sighting.url];
    page.sightings.emplace_back(sighting, capture.links_known);
    if (!capture.links_known) return;
    page.captured.insert(sighting.time);
    ReferenceRow& row = page.rows[sighting.time];
    for (std::size_t i = 0; i < capture.links.size(); ++i) {
      const Link link = capture.links[i];
      if (!link.kinds.intersects(kinds)) continue;
      urls_.insert(std::string(link.target));
      ReferenceLink& known = row[std::string(link.target)];
      known.kinds |= link.kinds.bits();
      known.count = std::max(known.count, link.count);
      if (!link.text.empty()) known.texts.emplace(link.text);
      std::vector<std::string_view> more;
      capture.links.more_texts(i, more);
      known.texts.insert(more.begin(), more.end());
    }
  }

  // The capture that a revisit refers to, searched among all captures of the page.
  static std::optional<Time> original(const std::string& url, const ReferencePage& page,
                                      const Sighting& revisit) {
    const bool is_of_another = !revisit.refers_to_url.empty() && revisit.refers_to_url != url;
    if (is_of_another) return std::nullopt;
    std::optional<Time> before;
    std::optional<Time> after;
    for (const auto& [sighting, has_links] : page.sightings) {
      if (!has_links || revisit.digest.empty() || sighting.digest != revisit.digest) continue;
      if (sighting.kind == SightingKind::Revisit) continue;
      if (sighting.time <= revisit.time)
        before = std::max(before.value_or(sighting.time), sighting.time);
      if (sighting.time > revisit.time)
        after = std::min(after.value_or(sighting.time), sighting.time);
    }
    if (before) return before;
    if (after) return after;
    if (revisit.revisit_profile != RevisitProfile::NotModified) return std::nullopt;
    if (revisit.refers_to_time && page.captured.contains(*revisit.refers_to_time)) {
      return revisit.refers_to_time;
    }
    for (const Time time : page.captured) {
      if (time <= revisit.time) before = time;
    }
    return before;
  }

  static void derive(const std::string& url, ReferencePage& page) {
    std::map<Time, ReferenceRow> derived;
    for (const auto& [sighting, has_links] : page.sightings) {
      if (sighting.kind != SightingKind::Revisit || page.captured.contains(sighting.time)) continue;
      const auto time = original(url, page, sighting);
      if (!time) continue;
      ReferenceRow& row = derived[sighting.time];
      for (const auto& [target, link] : page.rows.at(*time)) {
        row[target].kinds |= link.kinds;
        row[target].count = std::max(row[target].count, link.count);
        row[target].texts.insert(link.texts.begin(), link.texts.end());
      }
    }
    page.rows.merge(derived);
  }

  std::set<std::string> urls_;
  std::vector<std::string> names_;
  std::map<std::string, Uid> uids_;
  std::map<std::string, ReferencePage> pages_;
};

}  // namespace webstrata
