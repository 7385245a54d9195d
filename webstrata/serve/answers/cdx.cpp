// SPDX-License-Identifier: Apache-2.0

// A CDX server: pywb can use it as the index of a collection.
//
// Keys in the answers are those of pywb, which unite spellings that an archive keeps apart. So the
// names in question are gathered and sorted by that key first; the lines of one key are brought
// into the order of time, and then streamed. Filters apply before lines are counted: pages, offsets
// and resume keys count what is shown. Tested by tests/serve/cdx_test.cpp and
// tests/serve/pywb_test.py.

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "webstrata/base/json.h"
#include "webstrata/base/text.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/serve/answers/cdx_query.h"
#include "webstrata/url/dialect.h"
#include "webstrata/url/url.h"

namespace webstrata::serve {
namespace {

constexpr std::uint64_t kNamesMax = 500'000;
constexpr std::string_view kUnknown = "-";

struct CdxName {
  std::string urlkey;
  Uid uid = 0;
  friend auto operator<=>(const CdxName&, const CdxName&) = default;
};

std::string or_unknown(std::string text) { return text.empty() ? std::string(kUnknown) : text; }

CdxRow row_of(const std::string& urlkey, const Sighting& sighting) {
  CdxRow row;
  row.urlkey = urlkey;
  row.time = sighting.time;
  row.timestamp = to_timestamp14(sighting.time);
  row.url = sighting.spelling.empty() ? sighting.url : sighting.spelling;
  const bool is_revisit = sighting.kind == SightingKind::Revisit;
  row.mime = is_revisit ? "warc/revisit" : or_unknown(sighting.mime);
  row.status = sighting.status ? std::to_string(*sighting.status) : std::string(kUnknown);
  row.digest = or_unknown(sighting.digest);
  row.redirect = or_unknown(sighting.redirect_target);
  row.length = sighting.length ? std::to_string(*sighting.length) : std::string(kUnknown);
  row.offset = sighting.offset ? std::to_string(*sighting.offset) : std::string(kUnknown);
  row.filename = or_unknown(sighting.file);
  return row;
}

// Without "www." and the like, which keys of pywb do not have.
std::string_view plain_host(std::string_view host) {
  if (!host.starts_with("www")) return host;
  const std::size_t dot = host.find('.');
  const bool is_www =
      dot != std::string_view::npos && dot + 1 < host.size() &&
      std::all_of(host.begin() + 3, host.begin() + static_cast<std::ptrdiff_t>(dot), is_digit);
  return is_www ? host.substr(dot + 1) : host;
}

// The keys that begin with `prefix` in pywb's dialect, among those of the host and what is below.
std::vector<CdxName> names_below(const Question& question, const CdxQuery& query) {
  Url url;
  const std::string text =
      query.url.find("://") == std::string::npos ? "http://" + query.url : query.url;
  if (!parse_url(text, url) || url.host().empty()) {
    throw Problem(400, fmt::format("url: {} is not a URL", query.url));
  }
  const Archive& archive = question.archive();
  const std::string host(plain_host(url.host()));
  std::string prefix = fold(Dialect::Pywb, fmt::format("http://{}/", host));
  prefix.pop_back();                                       // the slash
  if (query.match == CdxMatch::Domain) prefix.pop_back();  // the ')'
  if (query.match == CdxMatch::Prefix) prefix = fold(Dialect::Pywb, text);
  const UidRange range = archive.range(domain_keys(host));
  if (!range.empty() && range.end - range.first > kNamesMax) {
    throw Problem(400, fmt::format("url: {} and the hosts below it have {} URLs; an index query "
                                   "covers at most {}",
                                   host, range.end - range.first, kNamesMax));
  }
  std::vector<CdxName> names;
  for (Uid uid = range.first; uid < range.end; ++uid) {
    if (uid % 256 == 0) question.check_time();
    std::string key = fold(Dialect::Pywb, archive.url(uid));
    const bool fits = key.starts_with(prefix) &&
                      (query.match != CdxMatch::Domain || key.size() == prefix.size() ||
                       key[prefix.size()] == ')' || key[prefix.size()] == ',');
    if (fits) names.push_back({std::move(key), uid});
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<CdxName> names_of(const Question& question, const CdxQuery& query) {
  if (query.match != CdxMatch::Exact) return names_below(question, query);
  std::vector<CdxName> names;
  const std::string url =
      query.url.find("://") == std::string::npos ? "http://" + query.url : query.url;
  const std::string key = fold(Dialect::Pywb, url);
  for (const Uid uid : question.archive().folded(url, Dialect::Pywb)) {
    names.push_back({key, uid});
  }
  return names;
}

// The lines of an answer, one after the other.
class CdxRows {
 public:
  CdxRows(Archive archive, CdxQuery query, std::vector<CdxName> names)
      : archive_(std::move(archive)), query_(std::move(query)), names_(std::move(names)) {}

  // False at the end. Collapsed and filtered lines are passed over.
  bool next(CdxRow& row) {
    while (true) {
      if (at_ >= rows_.size() && !read_group()) return false;
      row = std::move(rows_[at_++]);
      if (is_collapsed(row)) continue;
      ++number_in_group_;
      return true;
    }
  }
  // "com,example)/ 3": three lines of that key were already returned.
  [[nodiscard]] std::string resume_key() const {
    return fmt::format("{} {}", group_key_, number_in_group_);
  }
  // Goes to where resume_key() was taken.
  void resume(const std::string& key) {
    const std::size_t space = key.rfind(' ');
    const std::string digits = space == std::string::npos ? "" : key.substr(space + 1);
    if (digits.empty() || digits.size() > 9 ||
        digits.find_first_not_of("0123456789") != std::string::npos) {
      throw Problem(400, "resumeKey: not a key that an answer gave");
    }
    const std::string urlkey = key.substr(0, space);
    while (name_ < names_.size() && names_[name_].urlkey < urlkey) ++name_;
    if (name_ >= names_.size() || names_[name_].urlkey != urlkey) return;
    CdxRow ignored;
    for (std::uint64_t i = std::stoull(digits); i > 0 && next(ignored); --i) {
    }
  }

 private:
  // The lines of the next key that has some.
  bool read_group() {
    rows_.clear();
    at_ = 0;
    while (rows_.empty()) {
      if (name_ >= names_.size()) return false;
      group_key_ = names_[name_].urlkey;
      number_in_group_ = 0;
      for (; name_ < names_.size() && names_[name_].urlkey == group_key_; ++name_) {
        for (const Sighting& sighting : archive_.sightings(names_[name_].uid)) {
          if (sighting.kind == SightingKind::Probe) continue;  // nothing to replay
          CdxRow row = row_of(group_key_, sighting);
          if (passes(row, query_)) rows_.push_back(std::move(row));
        }
      }
    }
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const CdxRow& a, const CdxRow& b) { return a.time < b.time; });
    if (query_.sort == CdxSort::Reverse) std::reverse(rows_.begin(), rows_.end());
    if (query_.sort == CdxSort::Closest) {
      std::stable_sort(rows_.begin(), rows_.end(), [&](const CdxRow& a, const CdxRow& b) {
        return std::abs(a.time - query_.closest) < std::abs(b.time - query_.closest);
      });
    }
    return true;
  }

  bool is_collapsed(const CdxRow& row) {
    if (query_.collapse.empty()) return false;
    std::string value = *cdx_field(row, query_.collapse);
    if (query_.collapse_length > 0) value.resize(std::min(value.size(), query_.collapse_length));
    if (query_.collapse != "urlkey") value = row.urlkey + " " + value;
    if (value == collapsed_) return true;
    collapsed_ = std::move(value);
    return false;
  }

  Archive archive_;
  CdxQuery query_;
  std::vector<CdxName> names_;
  std::size_t name_ = 0;
  std::string group_key_;
  std::uint64_t number_in_group_ = 0;
  std::vector<CdxRow> rows_;
  std::size_t at_ = 0;
  std::string collapsed_;
};

void append_fields(std::string& out, const CdxRow& row, const std::vector<std::string>& fields) {
  JsonWriter json(out);
  json.begin_object();
  for (const std::string& name : fields) {
    const std::string& value = *cdx_field(row, name);
    if (value != kUnknown || name == "status" || name == "digest") json.field(name, value);
  }
  json.end_object();
}

void append_row(std::string& out, const CdxRow& row, const CdxQuery& query) {
  static const std::vector<std::string> kCdxj = {"url",    "mime",   "status",  "digest",
                                                 "length", "offset", "filename"};
  static const std::vector<std::string> kJson = {
      "urlkey", "timestamp", "url", "mime", "status", "digest", "length", "offset", "filename"};
  static const std::vector<std::string> kText = {"urlkey",     "timestamp", "original", "mimetype",
                                                 "statuscode", "digest",    "length"};
  if (query.output == "text") {
    const auto& fields = query.fields.empty() ? kText : query.fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) out += ' ';
      out += *cdx_field(row, fields[i]);
    }
  } else {
    if (query.output == "cdxj") out += fmt::format("{} {} ", row.urlkey, row.timestamp);
    const auto& all = query.output == "cdxj" ? kCdxj : kJson;
    append_fields(out, row, query.fields.empty() ? all : query.fields);
  }
  out += '\n';
}

Response page_count(const CdxQuery& query, CdxRows& rows, const Question& question) {
  std::uint64_t lines = 0;
  for (CdxRow row; rows.next(row); ++lines) {
    if (lines % 256 == 0) question.check_time();
  }
  const std::uint64_t pages = (lines + query.page_size - 1) / query.page_size;
  if (query.output == "json") {
    return json_response(fmt::format("{{\"pages\":{},\"pageSize\":{},\"blocks\":{}}}", pages,
                                     query.page_size, pages));
  }
  Response response;
  response.content_type = "text/plain; charset=utf-8";
  response.body = fmt::format("{}\n", pages);
  return response;
}

}  // namespace

Response answer_cdx(const Question& question) {
  const CdxQuery query = parse_cdx_query(question);
  const auto rows = std::make_shared<CdxRows>(question.archive(), query, names_of(question, query));
  if (query.shows_page_count) return page_count(query, *rows, question);
  if (query.resume) rows->resume(*query.resume);
  std::uint64_t skipped = query.offset;
  std::uint64_t limit = query.limit;
  if (query.page) {
    skipped += *query.page * query.page_size;
    limit = std::min(limit, query.page_size);
  }
  CdxRow row;
  for (std::uint64_t i = 0; i < skipped && rows->next(row); ++i) {
    if (i % 256 == 0) question.check_time();
  }
  Response response;
  response.content_type =
      query.output == "json" ? "application/x-ndjson" : "text/plain; charset=utf-8";
  response.more = [rows, query, limit, count = std::uint64_t{0}](std::string& out) mutable {
    CdxRow next_row;
    const std::string resume = count == limit ? rows->resume_key() : std::string();
    if (!rows->next(next_row)) return More::End;
    if (count == limit) {
      if (query.shows_resume_key) out += fmt::format("\n{}\n", resume);
      return More::End;
    }
    append_row(out, next_row, query);
    ++count;
    return More::Data;
  };
  return response;
}

}  // namespace webstrata::serve
