// SPDX-License-Identifier: Apache-2.0

// Real pages with keywords as simulated webs: the selection of Wikipedia for schools, and Debian's
// packages. beta is f(times the keyword is in the text), alpha f(times it is in the 100 characters
// around the link, or in the link's own text where there are none).

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "webstrata/explore/simulator.h"

namespace webstrata {

// Keywords that are reported together.
struct TopicGroup {
  std::string data;
  std::string note;
  bool is_development = false;  // parameters were chosen on them
  std::vector<std::string> topics;
};
const std::vector<TopicGroup>& topic_groups();

class TopicPages {
 public:
  // "schools-wiki", "debpkg" (bookworm) or "debpkg-trixie", "debpkg-bullseye", below shared/data;
  // or a file of JSON lines, plain or zstd.
  TopicPages(const std::string& name, const std::filesystem::path& shared);

  // Whole words, ASCII letters folded.
  [[nodiscard]] SimulatedWeb web(const std::string& keyword) const;

 private:
  struct LinkText {
    Node target;
    std::string text;
  };
  Snapshot graph_;
  std::vector<std::string> texts_;
  std::vector<std::vector<LinkText>> links_;
};

}  // namespace webstrata
