// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/url_grouping_test.cpp.

#include "webstrata/explore/url_grouping.h"

#include <string>

#include "webstrata/base/checksum.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr std::string_view kWordEnds = "-_.,()";

struct Words {
  std::string_view first;
  std::string_view last;  // empty if there is one word only
};

// Of a file name without its extension.
Words words_of(std::string_view file) {
  file = file.substr(0, file.find('?'));
  const std::size_t dot = file.rfind('.');
  if (dot != std::string_view::npos && dot > 0) file = file.substr(0, dot);
  const std::size_t begin = file.find_first_not_of(kWordEnds);
  if (begin == std::string_view::npos) return {};
  file = file.substr(begin, file.find_last_not_of(kWordEnds) + 1 - begin);
  const std::size_t first_end = file.find_first_of(kWordEnds);
  if (first_end == std::string_view::npos) return {file, {}};
  return {file.substr(0, first_end), file.substr(file.find_last_of(kWordEnds) + 1)};
}

}  // namespace

// Among 2^32 groups two different texts collide once in a billion runs.
Group UrlGrouping::number(std::size_t level, std::string_view a, std::string_view b) {
  if (a.empty() && b.empty()) return kNoGroup;
  std::string key(1, static_cast<char>('0' + level));
  key.append(a).append(1, '\n').append(b);
  const auto [place, is_new] = numbers_.try_emplace(checksum64(key), group_counts_[level]);
  if (is_new) ++group_counts_[level];
  return place->second;
}

void UrlGrouping::groups_of(std::string_view name, std::span<Group> groups) {
  Url url;
  std::string_view host;
  std::string_view directory;
  std::string_view file = name;
  if (parse_url(name, url) && url.is_web()) {
    const std::string_view path = url.path();
    const std::size_t slash = path.rfind('/');
    host = url.host();
    directory = path.substr(0, slash);
    file = path.substr(slash + 1);
  }
  const Words words = words_of(file);
  groups[0] = number(0, host, {});
  groups[1] = host.empty() ? kNoGroup : number(1, host, directory);
  groups[2] = number(2, words.first, {});
  groups[3] = number(3, words.last, {});
}

std::vector<Group> url_groups_of(const Snapshot& graph) {
  if (!graph.has_names()) return {};
  std::vector<Group> groups(graph.node_count() * kUrlGroupLevels);
  UrlGrouping grouping;
  for (Node node = 0; node < graph.node_count(); ++node) {
    grouping.groups_of(graph.name(node), {groups.data() + node * kUrlGroupLevels, kUrlGroupLevels});
  }
  return groups;
}

}  // namespace webstrata
