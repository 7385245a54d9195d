// SPDX-License-Identifier: Apache-2.0

// Words of users become dates, kinds and nodes by the room `words`; here they only get the names of
// their parameters. A list is made element by element: as JSON up to its limit, with one more to
// see whether it goes on; as lines in pieces, while the client reads them.
// Tested by tests/serve/answers_test.cpp.

#include "webstrata/serve/ask/question.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "webstrata/base/json.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/find_url.h"
#include "webstrata/words/kinds.h"
#include "webstrata/words/url_word.h"

namespace webstrata::serve {
namespace {

constexpr std::string_view kLinesType = "application/x-ndjson";

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

bool wants_lines(const Question& question) {
  return accepts_by_name(question.request.accept, kLinesType) ||
         accepts_by_name(question.request.accept, "application/jsonl");
}

Response json_response(std::string body) {
  Response response;
  response.body = std::move(body);
  if (!response.body.ends_with('\n')) response.body += '\n';
  return response;
}

namespace {

std::string next_field(const std::string& resume) {
  std::string text = "\"next\":";
  append_json_string(text, resume);
  return text;
}

Response list_as_json(const Question& question, const ListAnswer& list) {
  std::string body = "{" + list.head;
  if (!list.head.empty()) body += ',';
  body += fmt::format("\"{}\":[", list.name);
  std::string next_key;
  for (std::uint64_t count = 0;; ++count) {
    if (count % 64 == 0) question.check_time();
    // One more than the limit says whether there are more.
    const std::string resume = count == list.limit ? list.resume() : std::string();
    const std::size_t before = body.size();
    if (count > 0) body += ',';
    const bool has_more = list.next(body);
    if (has_more && count < list.limit) continue;
    body.resize(before);
    if (has_more) next_key = resume;
    break;
  }
  body += ']';
  if (!next_key.empty()) body += "," + next_field(next_key);
  return json_response(body + "}\n");
}

Response list_as_lines(const Question& question, ListAnswer list) {
  Response response;
  response.content_type = kLinesType;
  const std::uint64_t limit =
      question.text("limit") ? list.limit : std::numeric_limits<std::uint64_t>::max();
  // The stream outlives the question: it holds the generation itself.
  response.more = [held = question.served, list = std::move(list), limit,
                   count = std::uint64_t{0}](std::string& out) mutable {
    const std::string resume = count == limit ? list.resume() : std::string();
    const std::size_t before = out.size();
    if (!list.next(out)) return More::End;
    if (count == limit) {
      out.resize(before);
      out += "{" + next_field(resume) + "}\n";
      return More::End;
    }
    out += '\n';
    ++count;
    return More::Data;
  };
  return response;
}

}  // namespace

Response list_response(const Question& question, ListAnswer list) {
  list.limit = question.whole("limit", 1, question.settings.list_max, list.limit);
  Response response = wants_lines(question) ? list_as_lines(question, std::move(list))
                                            : list_as_json(question, list);
  response.headers.emplace_back("Vary", "Accept, Accept-Encoding");
  return response;
}

}  // namespace webstrata::serve
