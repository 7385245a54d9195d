// SPDX-License-Identifier: Apache-2.0

// The answers of an archive: links with their kinds, pages at a time, histories of links, ranges of
// nodes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/base/time.h"
#include "webstrata/facts/link.h"
#include "webstrata/facts/page_state.h"

namespace webstrata {

// Nodes from `first` up to, but without, `end`.
struct UidRange {
  Uid first = 0;
  Uid end = 0;
  [[nodiscard]] bool empty() const noexcept { return first >= end; }
  friend bool operator==(const UidRange&, const UidRange&) = default;
};

struct LinkAt {
  Uid node = 0;  // the other end
  LinkKinds kinds;
  std::uint8_t count = 0;
  friend bool operator==(const LinkAt&, const LinkAt&) = default;
};

// A page as it was at a time, from what was known by then.
struct PageAt {
  PageState state = PageState::Unknown;
  Time since = 0;                // time of the sighting that decided the state
  std::optional<Time> captured;  // when the links were seen; empty if there are none
  std::vector<LinkAt> links;     // ascending; none unless present or moved
};

// The history of a link: in how many of its page's captures it was, and the first and last of them.
struct LinkHistory {
  Uid source = 0;
  Uid target = 0;
  Time first = 0;
  Time last = 0;
  std::uint64_t captures = 0;
  LinkKinds kinds;  // all kinds it ever had
  friend bool operator==(const LinkHistory&, const LinkHistory&) = default;
};

// A text of a link: in how many of its page's captures it had this text, and the first and last of
// them.
struct LinkText {
  Uid target = 0;
  std::string text;
  Time first = 0;
  Time last = 0;
  std::uint64_t captures = 0;
  friend bool operator==(const LinkText&, const LinkText&) = default;
};

}  // namespace webstrata
