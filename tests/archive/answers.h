// SPDX-License-Identifier: Apache-2.0

// What an archive answers, as texts that can be compared.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "webstrata/archive/ask/archive.h"

namespace webstrata {

// All answers about a node, as one text.
inline std::string answers(const Archive& archive, Uid uid) {
  std::string text = archive.url(uid) + " ";
  const auto add = [&](auto value) { text += std::to_string(value) + " "; };
  const auto add_links = [&](const std::vector<LinkAt>& links) {
    for (const LinkAt& link : links) add(link.node * 1000 + link.kinds.bits() + link.count);
  };
  add(archive.uid(archive.url(uid)).value_or(~Uid{0}));
  for (const Time time : archive.capture_times(uid)) {
    add(time);
    const PageAt page = archive.links_at(uid, time);
    add(static_cast<int>(page.state));
    add_links(page.links);
    add_links(archive.in_links_at(uid, time));
  }
  for (const Uid source : archive.links(uid, Direction::In)) add(source);
  for (const Sighting& sighting : archive.sightings(uid)) text += sighting.digest + " ";
  return text;
}

inline std::vector<std::string> answers(const Archive& archive) {
  std::vector<std::string> texts;
  for (Uid uid = 0; uid < archive.node_count(); ++uid) texts.push_back(answers(archive, uid));
  return texts;
}

inline std::vector<std::string> answers(const std::filesystem::path& path) {
  return answers(Archive::open(path));
}

}  // namespace webstrata
