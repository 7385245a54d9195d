// SPDX-License-Identifier: Apache-2.0

// Words of users become dates, kinds and nodes by the room `words`; here they only get the names of
// their parameters.
// Tested by tests/serve/answers_test.cpp.

#include "webstrata/serve/ask/question.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "webstrata/words/dates.h"
#include "webstrata/words/find_url.h"
#include "webstrata/words/kinds.h"
#include "webstrata/words/url_word.h"

namespace webstrata::serve {
namespace {

// A wildcard may cover more than fits in memory: it is counted first.
void check_range(const Question& question, std::string_view name, const std::string& word) {
  const auto parsed = parse_url_word(word);
  if (!parsed || !parsed->is_wildcard()) return;
  const UidRange range = question.archive().range(keys_of(*parsed));
  const std::uint64_t count = range.empty() ? 0 : range.end - range.first;
  if (count > kNodesPerQuestion) {
    throw Problem(400, fmt::format("{}: {} covers {} URLs; at most {} can be asked about at once",
                                   name, word, count, kNodesPerQuestion));
  }
}

}  // namespace

std::optional<std::string> Question::text(std::string_view name) const {
  for (const auto& [key, value] : given) {
    if (key == name && !value.empty()) return value;
  }
  return std::nullopt;
}

std::string Question::needed(std::string_view name) const {
  auto value = text(name);
  if (!value) throw Problem(400, fmt::format("the parameter {} is missing", name));
  return *std::move(value);
}

std::uint64_t Question::whole(std::string_view name, std::uint64_t low, std::uint64_t high,
                              std::uint64_t otherwise) const {
  const auto word = text(name);
  return word ? parse_whole(name, *word, low, high) : otherwise;
}

std::uint64_t parse_whole(std::string_view name, const std::string& word, std::uint64_t low,
                          std::uint64_t high) {
  std::uint64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  const bool has_zeros = word.size() > 1 && word.front() == '0';
  if (error != std::errc() || rest != end || has_zeros || number < low || number > high) {
    throw Problem(400,
                  fmt::format("{}: {} is not a whole number from {} to {}", name, word, low, high));
  }
  return number;
}

std::string Question::choice(std::string_view name, const std::vector<std::string>& words) const {
  const auto word = text(name);
  if (!word) return words.front();
  if (std::find(words.begin(), words.end(), *word) == words.end()) {
    throw Problem(400, fmt::format("{}: {} is not one of {}", name, *word, fmt::join(words, ", ")));
  }
  return *word;
}

bool Question::truth(std::string_view name) const {
  return choice(name, {"false", "true"}) == "true";
}

std::optional<Time> Question::at(std::string_view name) const {
  const auto word = text(name);
  if (!word) return std::nullopt;
  return parse_date_word(name, *word).last;
}

std::optional<TimeInterval> Question::during(std::string_view name) const {
  const auto word = text(name);
  if (!word) return std::nullopt;
  return parse_dates_word(name, *word);
}

LinkKinds Question::kinds(std::string_view otherwise) const {
  return parse_kinds_word("kinds", text("kinds").value_or(std::string(otherwise)));
}

std::vector<Uid> Question::nodes(std::string_view name) const {
  const std::string word = needed(name);
  check_range(*this, name, word);
  std::vector<Uid> found = find_urls(archive(), word, std::nullopt);
  if (found.empty()) {
    throw Problem(404, fmt::format("{} is not in the archive {}", word, served->name));
  }
  return found;
}

std::optional<UidRange> Question::covered(std::string_view name) const {
  const std::string word = needed(name);
  const auto parsed = parse_url_word(word);
  if (!parsed || !parsed->is_wildcard()) return std::nullopt;
  const UidRange range = archive().range(keys_of(*parsed));
  if (range.empty()) {
    throw Problem(404, fmt::format("{} is not in the archive {}", word, served->name));
  }
  return range;
}

Uid Question::node(std::string_view name) const {
  const std::vector<Uid> found = nodes(name);
  const auto is_wildcard = [](const auto& word) { return word && word->is_wildcard(); };
  if (is_wildcard(parse_url_word(needed(name)))) {
    throw Problem(400,
                  fmt::format("{}: {} covers many URLs; this is about one", name, needed(name)));
  }
  Uid best = found.front();
  std::size_t most = 0;
  for (const Uid uid : found) {
    const std::size_t count = archive().capture_times(uid).size();
    if (count > most) {
      most = count;
      best = uid;
    }
  }
  return best;
}

void Question::check_time() const {
  if (std::chrono::steady_clock::now() > request.deadline) {
    throw Problem(503, "the answer took too long; ask for less");
  }
}

void Question::leave_loop() const {
  if (request.is_in_loop) throw NeedsWorker();
}

Response json_response(std::string body) {
  Response response;
  response.body = std::move(body);
  if (!response.body.ends_with('\n')) response.body += '\n';
  return response;
}

}  // namespace webstrata::serve
