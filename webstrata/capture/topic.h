// SPDX-License-Identifier: Apache-2.0

// A topic: keywords that say how much pages and links are about it.
//
//   # bridges.topic
//   @name bridges            optional; else the name of the file without its ending
//   @weigh tf-idf            optional; else counts
//   bridge
//   suspension bridge
//   pont <tab> 0.5           a weight, if it is not 1
//
// One keyword or phrase per line (keyword_matcher.h says how they are found), '#' begins a comment
// at the start of a line, empty lines are skipped. docs/topics.md is the user's guide.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

struct Keyword {
  std::string text;
  double weight = 1;  // above 0
  friend bool operator==(const Keyword&, const Keyword&) = default;
};

enum class Weighing : std::uint8_t { Counts, TfIdf };
std::string_view to_string(Weighing weighing) noexcept;

struct Topic {
  std::string name;  // letters, digits, '-' and '_', as columns of an archive are called
  Weighing weighing = Weighing::Counts;
  std::vector<Keyword> keywords;
  friend bool operator==(const Topic&, const Topic&) = default;
};

// Throws Error(BadInput) with file, line and remedy. `file_name` gives the name of a topic without
// `@name`.
Topic parse_topic(std::string_view text, std::string_view file_name);
// Throws Error(NotFound) too.
Topic load_topic(const std::filesystem::path& path);
// The file again.
std::string to_text(const Topic& topic);

// f(x) of the papers: 1 + ln x from 1 on, and 0 for 0. Weights may give sums in between: there it
// is x, which meets it at 1 with the same slope.
double damped(double x) noexcept;

}  // namespace webstrata
