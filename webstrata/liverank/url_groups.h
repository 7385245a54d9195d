// SPDX-License-Identifier: Apache-2.0

// Pages grouped by their URLs: on a host, in a directory, with similar names.
//
// Pages die in such groups, even if no links connect them. Each *level* is a partition of the
// pages; groups are numbered in the order of their first page.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/graph/snapshot.h"

namespace webstrata {

struct UrlLevel {
  std::string_view name;
  std::vector<std::uint32_t> group_of;  // for each page
  std::vector<std::uint32_t> sizes;     // for each group
};

enum class UrlLevelKind : std::uint8_t {
  Host,
  Directory1,  // host and first directory
  Directory2,  // host and two directories
  Directory,   // all directories
  NameInHost,  // first five letters of the file name, all digits equal, on one host
  Name,        // first twelve letters of the file name, on any host
  FirstWord,   // of the file name, on any host
  LastWord,    // likewise; pages whose name is one word form one group
  Extension,
  HostFamily,  // first six letters of the host, all digits equal
};
inline constexpr std::size_t kUrlLevels = 10;

// Without names there are no levels. Time O(pages), names are read once. `origins` gets the
// partition by scheme, host and port: one host may have live servers next to dead ones.
std::vector<UrlLevel> url_levels(const Snapshot& pages, UrlLevel* origins = nullptr);
// The site of a URL: its host and the first `depth` directories; 0: the host.
std::string site_of_url(std::string_view name, std::uint32_t depth);
// The partition by that.
UrlLevel url_directories(const Snapshot& pages, std::uint32_t depth);
// The partition by registered domain; an address and a public suffix are domains of their own, and
// so is a name that is not a URL.
UrlLevel url_domains(const Snapshot& pages);

}  // namespace webstrata
