// SPDX-License-Identifier: Apache-2.0

// One list of fields serves both directions: `visit_fields` hands every field with its name to a
// writer or to a reader. A field that a record lacks keeps its default; whoever adds a field whose
// absence means something else raises the version.
// Tested by tests/jobs/crawl_job_test.cpp.

#include "webstrata/jobs/crawl_settings.h"

#include <algorithm>
#include <concepts>
#include <limits>
#include <map>
#include <new>

#include <fmt/format.h>
#include <simdjson.h>

#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/base/utf8.h"
#include "webstrata/words/amounts.h"
#include "webstrata/words/dated_archive.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

constexpr std::uint64_t kRecordVersion = 1;

// ---- words --------------------------------------------------------------------------------------

using Settings = CrawlJobSettings;

struct CrawlSettingName {
  std::string_view name;
  void (*set)(Settings& settings, const GivenWord& word);
};

template <typename Number>
Number small(const GivenWord& word, std::uint64_t least = 0) {
  return static_cast<Number>(word.number(least, std::numeric_limits<Number>::max()));
}

LinkWindow window_of(const GivenWord& word) {
  if (word.text() == "100") return LinkWindow::Context;
  if (word.text() == "anchor") return LinkWindow::Anchor;
  throw Error(ErrorKind::BadInput, fmt::format("{} {}: not 100 or anchor", word.what, word.text()));
}

constexpr CrawlSettingName kNames[] = {
    {"backoff", [](Settings& s, const GivenWord& word) { s.backoff_ms = word.duration_ms(); }},
    {"give-up",
     [](Settings& s, const GivenWord& word) {
       s.failures_max = static_cast<unsigned>(word.number(1, 1000));
     }},
    {"timeout", [](Settings& s, const GivenWord& word) { s.timeout_ms = word.duration_ms(); }},
    {"max-body", [](Settings& s, const GivenWord& word) { s.body_bytes_max = word.bytes(); }},
    {"budget", [](Settings& s, const GivenWord& word) { s.budget.requests = word.number(); }},
    {"bytes", [](Settings& s, const GivenWord& word) { s.budget.bytes = word.bytes(); }},
    {"time", [](Settings& s, const GivenWord& word) { s.budget.time_ms = word.duration_ms(); }},
    {"host-budget",
     [](Settings& s, const GivenWord& word) { s.budget.host_requests = word.number(); }},
    {"rate",
     [](Settings& s, const GivenWord& word) {
       s.budget.rate = parse_rate_word(word.what, word.text());
     }},
    {"host", [](Settings& s, const GivenWord& word) { s.hosts = word.values; }},
    {"domain", [](Settings& s, const GivenWord& word) { s.domains = word.values; }},
    {"prefix", [](Settings& s, const GivenWord& word) { s.prefixes = word.values; }},
    {"surt", [](Settings& s, const GivenWord& word) { s.surts = word.values; }},
    {"anywhere", [](Settings& s, const GivenWord& word) { s.anywhere = word.truth(); }},
    {"depth", [](Settings& s, const GivenWord& word) { s.depth_max = small<std::uint32_t>(word); }},
    {"links", [](Settings& s,
                 const GivenWord& word) { s.kinds = parse_kinds_word(word.what, word.text()); }},
    {"sitemaps", [](Settings& s, const GivenWord& word) { s.with_sitemaps = word.truth(); }},
    {"by", [](Settings& s, const GivenWord& word) { s.order = word.text(); }},
    {"seed", [](Settings& s, const GivenWord& word) { s.seed = word.number(); }},
    {"topic", [](Settings& s, const GivenWord& word) { s.topics = word.values; }},
    {"link-window", [](Settings& s, const GivenWord& word) { s.window = window_of(word); }},
    {"host-urls", [](Settings& s, const GivenWord& word) { s.host_urls_max = word.number(); }},
    {"pattern-urls",
     [](Settings& s, const GivenWord& word) { s.pattern_urls_max = word.number(); }},
    {"copies", [](Settings& s, const GivenWord& word) { s.copies_max = word.number(); }},
    {"tries", [](Settings& s, const GivenWord& word) { s.tries_max = small<unsigned>(word); }},
    {"frontier", [](Settings& s, const GivenWord& word) { s.frontier = word.text(); }},
    {"crawl-id", [](Settings& s, const GivenWord& word) { s.crawl_id = word.text(); }},
    {"frontier-token", [](Settings& s, const GivenWord& word) { s.frontier_token = word.text(); }},
    {"frontier-ca-file",
     [](Settings& s, const GivenWord& word) { s.frontier_ca_file = word.text(); }},
    {"archive",
     [](Settings& s, const GivenWord& word) {
       s.archive =
           undated_archive(word.text(), "a crawl compares with all that an archive has").string();
     }},
    {"prefix-name", [](Settings& s, const GivenWord& word) { s.file_prefix = word.text(); }},
    {"wacz", [](Settings& s, const GivenWord& word) { s.with_wacz = word.truth(); }},
};

// ---- the record ---------------------------------------------------------------------------------

template <typename Record>
void visit_fields(Record& record, Settings& s) {
  record.field("agent", s.fetch.agent);
  record.field("delay_ms", s.fetch.delay_ms);
  record.field("address_delay_ms", s.fetch.address_delay_ms);
  record.field("connections", s.fetch.connections);
  record.field("allow_private", s.fetch.allow_private);
  record.field("connect_to", s.fetch.connect_to);
  record.field("hosts_file", s.fetch.hosts_file);
  record.field("ca_file", s.fetch.ca_file);
  record.field("backoff_ms", s.backoff_ms);
  record.field("failures_max", s.failures_max);
  record.field("timeout_ms", s.timeout_ms);
  record.field("body_bytes_max", s.body_bytes_max);
  record.field("budget_requests", s.budget.requests);
  record.field("budget_bytes", s.budget.bytes);
  record.field("budget_time_ms", s.budget.time_ms);
  record.field("budget_host_requests", s.budget.host_requests);
  record.field("budget_rate", s.budget.rate);
  record.field("hosts", s.hosts);
  record.field("domains", s.domains);
  record.field("prefixes", s.prefixes);
  record.field("surts", s.surts);
  record.field("anywhere", s.anywhere);
  record.field("depth_max", s.depth_max);
  record.field("kinds", s.kinds);
  record.field("with_sitemaps", s.with_sitemaps);
  record.field("order", s.order);
  record.field("seed", s.seed);
  record.field("topics", s.topics);
  record.field("window", s.window);
  record.field("host_urls_max", s.host_urls_max);
  record.field("pattern_urls_max", s.pattern_urls_max);
  record.field("copies_max", s.copies_max);
  record.field("tries_max", s.tries_max);
  record.field("frontier", s.frontier);
  record.field("crawl_id", s.crawl_id);
  record.field("frontier_token", s.frontier_token);
  record.field("frontier_ca_file", s.frontier_ca_file);
  record.field("archive", s.archive);
  record.field("file_prefix", s.file_prefix);
  record.field("with_wacz", s.with_wacz);
}

class RecordWriter {
 public:
  template <typename Value>
  void field(std::string_view name, const Value& value) {
    json_.key(name);
    put(value);
  }
  std::string finish() {
    json_.end_object();
    return std::move(text_);
  }

 private:
  template <std::integral Number>
  void put(Number number) {
    json_.value(number);
  }
  // File names may be any bytes; JSON holds UTF-8 alone.
  void put(const std::string& text) {
    if (is_utf8(text)) {
      json_.value(std::string_view(text));
      return;
    }
    json_.begin_object().key("bytes").begin_array();
    for (const char byte : text)
      json_.value(static_cast<unsigned>(static_cast<unsigned char>(byte)));
    json_.end_array().end_object();
  }
  void put(const std::vector<std::string>& texts) {
    json_.begin_array();
    for (const std::string& text : texts) put(text);
    json_.end_array();
  }
  void put(LinkKinds kinds) { json_.value(std::string_view(to_string(kinds))); }
  void put(LinkWindow window) { json_.value(window == LinkWindow::Anchor ? "anchor" : "context"); }
  void put(const Rate& rate) {
    json_.begin_object().field("count", rate.count).field("period_ms", rate.period_ms).end_object();
  }
  template <typename Value>
  void put(const std::optional<Value>& value) {
    if (value) {
      put(*value);
    } else {
      json_.null();
    }
  }

  std::string text_;
  JsonWriter json_{text_};

 public:
  RecordWriter() { json_.begin_object().field("version", kRecordVersion); }
};

class RecordReader {
 public:
  using Element = simdjson::dom::element;

  explicit RecordReader(std::string_view text) {
    const auto error = parser_.parse(text.data(), text.size()).get(object_);
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    if (error != simdjson::SUCCESS) {
      throw Error(ErrorKind::Corrupt, "the settings of the job are not a JSON object");
    }
    std::uint64_t version = 0;
    field("version", version);
    if (version == kRecordVersion) return;
    throw Error(ErrorKind::BadInput,
                fmt::format("the settings of the job have version {}, this program reads version "
                            "{}: resume it with the program that wrote them",
                            version, kRecordVersion));
  }

  template <typename Value>
  void field(std::string_view name, Value& value) {
    Element element;
    if (object_[name].get(element) != simdjson::SUCCESS) return;
    if (take(element, value)) return;
    throw Error(ErrorKind::Corrupt, fmt::format("the settings of the job: {} is wrong", name));
  }

 private:
  static bool take(Element element, bool& truth) { return element.get(truth) == simdjson::SUCCESS; }
  template <std::integral Number>
  static bool take(Element element, Number& number) {
    std::uint64_t found = 0;
    if (element.get(found) != simdjson::SUCCESS) return false;
    if (found > static_cast<std::uint64_t>(std::numeric_limits<Number>::max())) return false;
    number = static_cast<Number>(found);
    return true;
  }
  static bool take(Element element, std::string& text) {
    std::string_view found;
    if (element.get(found) == simdjson::SUCCESS) {
      text = found;
      return true;
    }
    simdjson::dom::array bytes;
    if (element["bytes"].get(bytes) != simdjson::SUCCESS) return false;
    text.clear();
    for (const Element byte : bytes) {
      std::uint64_t number = 0;
      if (byte.get(number) != simdjson::SUCCESS || number > 0xff) return false;
      text += static_cast<char>(number);
    }
    return true;
  }
  static bool take(Element element, std::vector<std::string>& texts) {
    simdjson::dom::array found;
    if (element.get(found) != simdjson::SUCCESS) return false;
    texts.clear();
    for (const Element one : found) {
      if (!take(one, texts.emplace_back())) return false;
    }
    return true;
  }
  static bool take(Element element, LinkKinds& kinds) {
    std::string word;
    if (!take(element, word)) return false;
    const auto found = word.empty() ? LinkKinds() : parse_link_kinds(word);
    if (found) kinds = *found;
    return found.has_value();
  }
  static bool take(Element element, LinkWindow& window) {
    std::string word;
    if (!take(element, word) || (word != "anchor" && word != "context")) return false;
    window = word == "anchor" ? LinkWindow::Anchor : LinkWindow::Context;
    return true;
  }
  static bool take(Element element, Rate& rate) {
    Element count;
    Element period;
    return element["count"].get(count) == simdjson::SUCCESS &&
           element["period_ms"].get(period) == simdjson::SUCCESS && take(count, rate.count) &&
           take(period, rate.period_ms);
  }
  template <typename Value>
  static bool take(Element element, std::optional<Value>& value) {
    value.reset();
    return element.is_null() || take(element, value.emplace());
  }

  simdjson::dom::parser parser_;
  simdjson::dom::object object_;
};

}  // namespace

void set_crawl_setting(CrawlJobSettings& settings, std::string_view name, const GivenWord& word) {
  if (set_fetch_setting(settings.fetch, name, word)) return;
  const auto* const known = std::ranges::find(kNames, name, &CrawlSettingName::name);
  if (known == std::end(kNames)) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: not a setting of a crawl", word.what));
  }
  known->set(settings, word);
}

std::string record_of(const CrawlJobSettings& settings) {
  RecordWriter record;
  CrawlJobSettings copy = settings;  // a reader needs to write to the same fields
  visit_fields(record, copy);
  return record.finish();
}

CrawlJobSettings read_crawl_record(std::string_view record) {
  RecordReader reader(record);
  CrawlJobSettings settings;
  visit_fields(reader, settings);
  return settings;
}

CrawlJobSettings read_crawl_words(std::string_view lines) {
  std::map<std::string, GivenWord, std::less<>> words;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    const std::size_t tab = std::min(line.find('\t'), line.size());
    GivenWord& word = words[std::string(line.substr(0, tab))];
    word.what = line.substr(0, tab);
    word.values.emplace_back(line.substr(std::min(tab + 1, line.size())));
  }
  CrawlJobSettings settings;
  for (const auto& [flag, word] : words) {
    set_crawl_setting(settings, flag.starts_with("--") ? flag.substr(2) : flag, word);
  }
  return settings;
}

}  // namespace webstrata
