// SPDX-License-Identifier: Apache-2.0

// A parser of one line at a time: options begin with '@', everything else is a keyword with an
// optional weight. Keywords that are equal after folding are refused with both line numbers, since
// they would be counted twice. to_text() writes the canonical form that archives compare.
// Tested by tests/capture/topic_test.cpp.

#include "webstrata/capture/topic.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/text.h"
#include "webstrata/base/utf8.h"
#include "webstrata/capture/record/folded_words.h"

namespace webstrata {
namespace {

constexpr std::size_t kTopicNameMax = 64;  // as in archive/disk/column_files.h

bool is_name(std::string_view name) {
  const auto is_good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  return !name.empty() && name.size() <= kTopicNameMax &&
         std::all_of(name.begin(), name.end(), is_good);
}

class TopicParser {
 public:
  explicit TopicParser(std::string_view file_name) : file_name_(file_name) {}

  Topic parse(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (!is_utf8(text)) refuse("is not UTF-8; save it as that");
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      ++line_;
      take_line(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    line_ = 0;
    if (topic_.keywords.empty()) refuse("has no keyword; write one on each line");
    if (topic_.name.empty()) take_name_of_file();
    return std::move(topic_);
  }

 private:
  void take_line(std::string_view line) {
    if (line.starts_with('#') || trim(line).empty()) return;
    if (line.starts_with('@')) return take_option(trim(line.substr(1)));
    const std::size_t tab = line.find('\t');
    Keyword keyword{std::string(trim(line.substr(0, tab))), 1};
    if (tab != std::string_view::npos && !trim(line.substr(tab)).empty()) {
      keyword.weight = weight_of(trim(line.substr(tab)));
    }
    std::string folded;
    fold_words(keyword.text, folded);
    if (trim(folded).empty()) refuse("the keyword before the tab is missing");
    const auto [known, is_new] = lines_.emplace(trim(folded), line_);
    if (!is_new) {
      refuse(fmt::format("'{}' is there already, in line {}; case and accents do not count",
                         keyword.text, known->second));
    }
    topic_.keywords.push_back(std::move(keyword));
  }

  void take_option(std::string_view option) {
    const std::size_t space = option.find_first_of(" \t");
    const std::string_view word = option.substr(0, space);
    const std::string_view value =
        space == std::string_view::npos ? std::string_view() : trim(option.substr(space));
    if (word == "name") {
      if (!is_name(value)) {
        refuse(fmt::format("@name '{}' must be 1 to {} letters, digits, '-' and '_'", value,
                           kTopicNameMax));
      }
      topic_.name = value;
    } else if (word == "weigh") {
      if (value != "counts" && value != "tf-idf") {
        refuse(fmt::format("@weigh is counts or tf-idf, not '{}'", value));
      }
      topic_.weighing = value == "counts" ? Weighing::Counts : Weighing::TfIdf;
    } else {
      refuse(fmt::format("'@{}' is not an option; use @name or @weigh", word));
    }
  }

  [[nodiscard]] double weight_of(std::string_view text) const {
    double weight = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, weight);
    if (error != std::errc() || rest != end || !std::isfinite(weight) || weight <= 0) {
      refuse(fmt::format("'{}' is not a weight; write a number above 0 after the tab", text));
    }
    return weight;
  }

  void take_name_of_file() {
    const std::string stem = std::filesystem::path(file_name_).stem().string();
    if (!is_name(stem)) {
      refuse(fmt::format("'{}' cannot name a topic; add a line such as '@name bridges'", stem));
    }
    topic_.name = stem;
  }

  [[noreturn]] void refuse(std::string_view why) const {
    throw Error(ErrorKind::BadInput, line_ == 0
                                         ? fmt::format("{}: {}", file_name_, why)
                                         : fmt::format("{}, line {}: {}", file_name_, line_, why));
  }

  std::string file_name_;
  std::size_t line_ = 0;
  Topic topic_;
  std::map<std::string, std::size_t, std::less<>> lines_;  // of folded keywords
};

}  // namespace

std::string_view to_string(Weighing weighing) noexcept {
  return weighing == Weighing::Counts ? "counts" : "tf-idf";
}

Topic parse_topic(std::string_view text, std::string_view file_name) {
  return TopicParser(file_name).parse(text);
}

Topic load_topic(const std::filesystem::path& path) {
  return parse_topic(read_file(path), path.string());
}

std::string to_text(const Topic& topic) {
  std::string text = fmt::format("@name {}\n@weigh {}\n", topic.name, to_string(topic.weighing));
  for (const Keyword& keyword : topic.keywords) {
    text += keyword.weight == 1 ? fmt::format("{}\n", keyword.text)
                                : fmt::format("{}\t{}\n", keyword.text, keyword.weight);
  }
  return text;
}

double damped(double x) noexcept {
  if (x <= 0) return 0;
  return x < 1 ? x : 1 + std::log(x);
}

}  // namespace webstrata
