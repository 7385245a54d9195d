// SPDX-License-Identifier: Apache-2.0

// pywb and the Wayback Machine write filters differently: in pywb "=" means equal, "~" a regular
// expression that the value begins with, and nothing means that the value contains the text; in the
// Wayback Machine a filter is a regular expression for the whole value. Both are understood: a
// filter without a sign matches if the value contains the text or matches it as a whole.
// Expressions are those of RE2, whose time is linear in the length of the value.
// Tested by tests/serve/cdx_test.cpp.

#include "webstrata/serve/answers/cdx_query.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "webstrata/base/text.h"
#include "webstrata/words/dates.h"

namespace webstrata::serve {
namespace {

constexpr std::size_t kExpressionBytesMax = 256;
constexpr std::size_t kFiltersMax = 16;

std::shared_ptr<const re2::RE2> expression_of(std::string_view text) {
  if (text.size() > kExpressionBytesMax) {
    throw Problem(400,
                  fmt::format("filter: an expression has at most {} bytes", kExpressionBytesMax));
  }
  auto expression =
      std::make_shared<const re2::RE2>(re2::StringPiece(text.data(), text.size()), re2::RE2::Quiet);
  if (!expression->ok()) {
    throw Problem(
        400, fmt::format("filter: {} is not a regular expression: {}", text, expression->error()));
  }
  return expression;
}

re2::StringPiece piece_of(const std::string& text) { return {text.data(), text.size()}; }

using Matches = std::function<bool(const std::string&)>;

Matches matcher_of(char sign, const std::string& text) {
  if (sign == '=') return [text](const std::string& value) { return value == text; };
  if (sign == '~') {
    return [rule = expression_of(text)](const std::string& value) {
      return rule->Match(piece_of(value), 0, value.size(), re2::RE2::ANCHOR_START, nullptr, 0);
    };
  }
  std::shared_ptr<const re2::RE2> rule;
  try {
    rule = expression_of(text);
  } catch (const Problem&) {  // then it can only be meant as text
  }
  return [text, rule](const std::string& value) {
    return value.find(text) != std::string::npos ||
           (rule && re2::RE2::FullMatch(piece_of(value), *rule));
  };
}

std::function<bool(const CdxRow&)> filter_of(std::string_view word) {
  const bool inverts = word.starts_with('!');
  if (inverts) word.remove_prefix(1);
  const char sign = word.empty() ? '\0' : word.front();
  if (sign == '=' || sign == '~') word.remove_prefix(1);
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) {
    throw Problem(400, fmt::format("filter: {} is not FIELD:VALUE, as in statuscode:200", word));
  }
  const std::string field(word.substr(0, colon));
  if (cdx_field(CdxRow(), field) == nullptr) {
    throw Problem(400, fmt::format("filter: there is no field called {}", field));
  }
  const Matches matches = matcher_of(sign, std::string(word.substr(colon + 1)));
  return [field, matches, inverts](const CdxRow& row) {
    return matches(*cdx_field(row, field)) != inverts;
  };
}

void take_match(const Question& question, CdxQuery& query) {
  query.url = question.needed("url");
  const std::string word = question.choice("matchType", {"", "exact", "prefix", "host", "domain"});
  if (word == "prefix") query.match = CdxMatch::Prefix;
  if (word == "host") query.match = CdxMatch::Host;
  if (word == "domain") query.match = CdxMatch::Domain;
  if (!word.empty()) return;
  if (query.url.starts_with("*.")) {
    query.match = CdxMatch::Domain;
    query.url.erase(0, 2);
  } else if (query.url.ends_with('*')) {
    query.match = CdxMatch::Prefix;
    query.url.pop_back();
  }
}

std::vector<std::string> fields_of(const std::string& list) {
  std::vector<std::string> fields;
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    fields.emplace_back(trim(rest.substr(0, comma)));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    if (cdx_field(CdxRow(), fields.back()) == nullptr) {
      throw Problem(400, fmt::format("fl: there is no field called {}", fields.back()));
    }
  }
  return fields;
}

void take_collapse(const std::string& word, CdxQuery& query) {
  const std::size_t colon = word.find(':');
  query.collapse = word.substr(0, colon);
  if (cdx_field(CdxRow(), query.collapse) == nullptr) {
    throw Problem(400, fmt::format("collapse: there is no field called {}", query.collapse));
  }
  if (colon == std::string::npos) return;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data() + colon + 1, end, query.collapse_length);
  if (error != std::errc() || rest != end || query.collapse_length == 0) {
    throw Problem(400, fmt::format("collapse: {} is not FIELD:LENGTH, as in timestamp:8", word));
  }
}

void take_order(const Question& question, CdxQuery& query) {
  const std::string sort = question.choice("sort", {"default", "reverse", "closest"});
  if (sort == "reverse" || question.text("reverse").value_or("") == "true") {
    query.sort = CdxSort::Reverse;
  }
  if (const auto closest = question.text("closest")) {
    query.sort = CdxSort::Closest;
    query.closest = parse_date_word("closest", *closest).first;
  } else if (sort == "closest") {
    throw Problem(400, "sort=closest needs the parameter closest");
  }
  if (query.sort != CdxSort::Forward && query.match != CdxMatch::Exact) {
    throw Problem(400, "reverse and closest order are possible for one URL only");
  }
}

bool says_yes(const Question& question, std::string_view name) {
  const std::string word = question.text(name).value_or("false");
  return word == "true" || word == "1";
}

}  // namespace

const std::string* cdx_field(const CdxRow& row, std::string_view name) {
  if (name == "urlkey") return &row.urlkey;
  if (name == "timestamp") return &row.timestamp;
  if (name == "url" || name == "original") return &row.url;
  if (name == "mime" || name == "mimetype") return &row.mime;
  if (name == "status" || name == "statuscode") return &row.status;
  if (name == "digest") return &row.digest;
  if (name == "redirect") return &row.redirect;
  if (name == "length") return &row.length;
  if (name == "offset") return &row.offset;
  if (name == "filename") return &row.filename;
  return nullptr;
}

CdxQuery parse_cdx_query(const Question& question) {
  CdxQuery query;
  take_match(question, query);
  if (const auto from = question.text("from")) {
    query.interval.first = parse_date_word("from", *from).first;
  }
  if (const auto to = question.text("to")) query.interval.last = parse_date_word("to", *to).last;
  for (const auto& [name, value] : question.given) {
    if (name == "filter" && !value.empty()) query.filters.push_back(filter_of(value));
  }
  if (query.filters.size() > kFiltersMax) {
    throw Problem(400, fmt::format("filter: at most {} filters", kFiltersMax));
  }
  take_order(question, query);
  query.limit = question.whole("limit", 1, question.settings.list_max, question.settings.list_max);
  query.offset = question.whole("offset", 0, 1'000'000'000, 0);
  query.output = question.choice("output", {"cdxj", "json", "text"});
  query.fields = fields_of(question.text("fl").value_or(question.text("fields").value_or("")));
  if (const auto collapse = question.text("collapse")) take_collapse(*collapse, query);
  query.resume = question.text("resumeKey");
  query.shows_resume_key = says_yes(question, "showResumeKey");
  query.shows_page_count = says_yes(question, "showNumPages");
  if (question.text("page")) query.page = question.whole("page", 0, 1'000'000'000, 0);
  query.page_size = question.whole("pageSize", 1, question.settings.list_max, query.page_size);
  return query;
}

bool passes(const CdxRow& row, const CdxQuery& query) {
  return row.time >= query.interval.first && row.time <= query.interval.last &&
         std::all_of(query.filters.begin(), query.filters.end(),
                     [&](const auto& filter) { return filter(row); });
}

}  // namespace webstrata::serve
