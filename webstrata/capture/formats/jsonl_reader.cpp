// SPDX-License-Identifier: Apache-2.0

// JSON lines: one object per capture or sighting.
//
// Two vocabularies are understood. Ours, as `extract --as jsonl` prints it: url, time, kind,
// status, outcome, digest, text_digest, text_length, mime, redirect, truncated, spelling, file,
// offset, length, crawl, refers_to {url, time}, profile, title, links [{url, kinds, count, text,
// texts [], context}]; title_hash instead of a title, and digest_hex, text_digest_hex,
// spelling_hex, file_hex, crawl_hex instead of words that are not UTF-8. And the simpler one that
// people write by hand: ts for time, sha1 for digest, text_sha1 and text_len, text (from which
// digest and length follow if they are missing), links as strings, links with rel. Other fields are
// ignored.
//
// With `links` a line is a capture, even if the list is empty; otherwise it is a sighting. Without
// a status, a page whose links are known counts as alive.
// Tested by tests/capture/jsonl_reader_test.cpp.

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string>

#include "webstrata/capture/formats/json_line.h"
#include "webstrata/capture/formats/line_format_reader.h"
#include "webstrata/capture/html/html_values.h"
#include "webstrata/capture/record/link_collector.h"
#include "webstrata/capture/record/sighting_fields.h"

namespace webstrata {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// Dates are written as numbers too: 8, 14 or 17 digits are a date, others seconds since 1970.
bool is_date_in_digits(std::string_view digits) {
  return digits.size() == 8 || digits.size() == 14 || digits.size() == 17;
}

// What RFC 3339 can write: the years 1 to 9999.
bool is_in_calendar(Time time) {
  constexpr Time kFirst = -62'135'596'800;
  constexpr Time kLast = 253'402'300'799;
  return time >= kFirst && time <= kLast;
}

std::string bytes_of_hex(std::string_view digits) {
  std::string bytes;
  for (; digits.size() >= 2; digits.remove_prefix(2)) {
    unsigned value = 0;
    std::from_chars(digits.data(), digits.data() + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

std::optional<SightingKind> parse_kind(std::string_view name) {
  for (const SightingKind kind : {SightingKind::Response, SightingKind::Revisit,
                                  SightingKind::Probe, SightingKind::IndexLine}) {
    if (to_string(kind) == name) return kind;
  }
  return std::nullopt;
}

// Accepts the profile's short name and the URI that WARC records use.
RevisitProfile parse_profile(std::string_view name) {
  if (name.find("not-modified") != std::string_view::npos) return RevisitProfile::NotModified;
  if (name.find("identical") != std::string_view::npos) return RevisitProfile::IdenticalDigest;
  return RevisitProfile::None;
}

class JsonlReader : public LineFormatReader {
 public:
  explicit JsonlReader(const ReadContext& context)
      : LineFormatReader(context), collector_(context_.options, context_.report) {}

 private:
  bool read_line(std::string_view line, std::uint64_t offset, Capture& capture) override {
    if (line.find_first_not_of(" \t") == std::string_view::npos) return false;
    if (!json_.parse(line)) return damaged(offset, "JSON: " + std::string(json_.error()));
    if (is_header()) {
      --record_count_;
      return false;
    }
    Sighting& sighting = capture.sighting;
    if (!set_url(sighting, first_word({"url"}), context_.options, context_.report, offset, url_) ||
        !read_time(sighting, offset)) {
      return false;
    }
    return read_kind(sighting, offset) && read_answer(sighting, offset) &&
           read_place(sighting, offset) && read_content(capture) && read_links(capture, offset);
  }

  bool damaged(std::uint64_t offset, std::string reason) {
    context_.report.damaged(offset, reason);
    return false;
  }

  // The first line of a WACZ's pages.jsonl names its format.
  [[nodiscard]] bool is_header() {
    return json_.word("url").empty() && !json_.word("format").empty();
  }

  // The value of the first of several alternative names that has one.
  std::string_view first_word(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      const std::string_view word = json_.word(name);
      if (!word.empty()) return word;
    }
    return {};
  }

  bool read_time(Sighting& sighting, std::uint64_t offset) {
    for (const std::string_view name : {"time", "ts", "timestamp"}) {
      element value;
      if (json_.object()[name].get(value) != simdjson::SUCCESS || value.is_null()) continue;
      if (value.is_string()) {
        return set_time(sighting, value.get_string().value_unsafe(), context_.report, offset);
      }
      const std::string_view digits = json_.word(value);
      if (is_date_in_digits(digits)) return set_time(sighting, digits, context_.report, offset);
      const auto time = parse_number<Time>(digits.substr(0, digits.find('.')));
      if (!time || !is_in_calendar(*time)) return damaged(offset, "not a time");
      sighting.time = *time;
      return true;
    }
    return damaged(offset, "no time");
  }

  bool read_kind(Sighting& sighting, std::uint64_t offset) {
    const std::string_view name = json_.word("kind");
    const auto links = array_field(json_.object(), "links");
    if (name.empty()) {
      sighting.kind = links ? SightingKind::Response : SightingKind::IndexLine;
      return true;
    }
    const auto kind = parse_kind(name);
    if (!kind) return damaged(offset, "not a kind of sighting: " + in_quotes(name));
    sighting.kind = *kind;
    sighting.revisit_profile = parse_profile(json_.word("profile"));
    return read_refers_to(sighting, offset);
  }

  bool read_refers_to(Sighting& sighting, std::uint64_t offset) {
    const auto original = object_field(json_.object(), "refers_to");
    if (!original) return true;
    Url url;
    if (parse_url(json_.word(*original, "url"), url)) sighting.refers_to_url = url.href();
    set_refers_to_time(sighting, json_.word(*original, "time"), context_.report, offset);
    return true;
  }

  bool read_answer(Sighting& sighting, std::uint64_t offset) {
    set_redirect(sighting, url_, json_.word("redirect"));
    if (!set_status(sighting, json_.word("status"))) return damaged(offset, "not a status");
    const std::string_view outcome = json_.word("outcome");
    if (!outcome.empty()) {
      const auto parsed = parse_outcome(outcome);
      if (!parsed) return damaged(offset, "not an outcome: " + in_quotes(outcome));
      sighting.outcome = *parsed;
    }
    set_mime(sighting, json_.word("mime"));
    sighting.truncated = !is_absent(json_.word("truncated"));
    return true;
  }

  // A word that may be any bytes.
  std::string bytes(std::string_view name) {
    const std::string_view digits = json_.word(std::string(name) + "_hex");
    return digits.empty() ? std::string(json_.word(name)) : bytes_of_hex(digits);
  }

  bool read_place(Sighting& sighting, std::uint64_t offset) {
    std::string spelling = bytes("spelling");
    if (!spelling.empty() && !url_.had_userinfo()) sighting.spelling = std::move(spelling);
    std::string crawl = bytes("crawl");
    if (!crawl.empty() && sighting.crawl.empty()) sighting.crawl = std::move(crawl);
    const std::string file = bytes("file");
    // Without the field the line itself is the place; an empty field means that none is known.
    if (file.empty() && json_.object()["file"].error() != simdjson::SUCCESS) return true;
    sighting.file = base_name(file);
    return read_number({"offset"}, sighting.offset, offset) &&
           read_number({"length"}, sighting.length, offset);
  }

  bool read_number(std::initializer_list<std::string_view> names,
                   std::optional<std::uint64_t>& field, std::uint64_t offset) {
    field.reset();
    const std::string_view word = first_word(names);
    if (word.empty()) return true;
    field = parse_number<std::uint64_t>(word);
    return field || damaged(offset, std::string(*names.begin()) + " is not a number");
  }

  std::string digest_of(std::string_view name, std::string_view plain_name) {
    std::string digest = bytes(name);
    return digest.empty() ? std::string(json_.word(plain_name)) : digest;
  }
  // People leave the algorithm out when it is SHA-1; we do when it is not known.
  std::string_view bare_algorithm() { return json_.word("kind").empty() ? "sha1" : ""; }

  void read_title(Capture& capture) {
    set_title(capture, json_.word("title"), context_.options);
    const std::string_view digits = json_.word("title_hash");
    if (capture.sighting.title_hash || digits.empty()) return;
    std::uint64_t hash = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, hash, 16);
    if (error == std::errc() && rest == end) capture.sighting.title_hash = hash;
  }

  bool read_content(Capture& capture) {
    Sighting& sighting = capture.sighting;
    set_digest(sighting.digest, digest_of("digest", "sha1"), bare_algorithm());
    set_digest(sighting.text_digest, digest_of("text_digest", "text_sha1"), bare_algorithm());
    sighting.text_length = parse_number<std::uint64_t>(first_word({"text_length", "text_len"}));
    read_title(capture);
    const std::string_view text = json_.word("text");
    capture.text_known =
        context_.options.with_text && json_.object()["text"].error() == simdjson::SUCCESS;
    if (text.empty()) return true;
    if (sighting.text_digest.empty()) sighting.text_digest = sha1_digest(text);
    if (!sighting.text_length) sighting.text_length = character_count(text);
    if (context_.options.with_text) capture.text = text;
    return true;
  }

  bool read_links(Capture& capture, std::uint64_t offset) {
    element value;
    if (json_.object()["links"].get(value) != simdjson::SUCCESS || value.is_null()) return true;
    array links;
    if (value.get(links) != simdjson::SUCCESS) return damaged(offset, "links is not a list");
    if (!url_.is_web()) return true;  // nothing can be resolved against it
    capture.links_known = true;
    const bool is_decided = capture.sighting.status || !json_.word("outcome").empty();
    if (!is_decided) capture.sighting.outcome = Outcome::Alive;
    collector_.begin(url_, capture.links);
    const bool all_read =
        std::all_of(links.begin(), links.end(), [this](element link) { return read_link(link); });
    collector_.end();
    return all_read || damaged(offset, "a link is neither a URL nor an object with one");
  }

  bool read_link(element link) {
    object fields;
    if (link.is_string()) {
      if (link.get_string().value_unsafe().empty()) {
        context_.report.count("links without a URL left out");
        return true;
      }
      collector_.add(link.get_string().value_unsafe(), LinkKind::Navigation);
      return true;
    }
    if (link.get(fields) != simdjson::SUCCESS) return false;
    const LinkFields found = fields_of(fields);
    if (found.url.empty()) return is_without_address(fields);
    add_link(found);
    return true;
  }

  // A link whose URL is an empty text leads nowhere. It is left out, and the page is kept.
  bool is_without_address(object fields) {
    element url;
    if (fields["url"].get(url) != simdjson::SUCCESS || !url.is_string()) return false;
    context_.report.count("links without a URL left out");
    return true;
  }

  // Visits the fields once: a page may have many thousand links.
  struct LinkFields {
    std::string_view url, text, context, rel, kinds, count;
    element texts = {};
    bool has_texts = false;
  };
  LinkFields fields_of(object fields) {
    LinkFields found;
    for (const auto& [name, value] : fields) {
      if (name == "url") found.url = json_.word(value);
      if (name == "text") found.text = json_.word(value);
      if (name == "context") found.context = json_.word(value);
      if (name == "rel") found.rel = json_.word(value);
      if (name == "kinds") found.kinds = json_.word(value);
      if (name == "count") found.count = json_.word(value);
      if (name == "texts") {
        found.texts = value;
        found.has_texts = true;
      }
    }
    return found;
  }

  void add_link(const LinkFields& link) {
    const ReadOptions& options = context_.options;
    const LinkKinds kinds = kinds_of(link);
    collector_.add(link.url, kinds, options.with_anchor_text ? link.text : std::string_view{},
                   options.with_context ? link.context : std::string_view{}, window_of(link));
    if (options.with_anchor_text && link.has_texts) add_texts(link.texts);
    const auto count = parse_number<std::uint8_t>(link.count).value_or(1);
    for (unsigned i = 1; i < count; ++i) collector_.add(link.url, kinds);
  }

  // A link with several texts lists all of them.
  void add_texts(element texts) {
    array list;
    if (texts.get(list) != simdjson::SUCCESS) return;
    for (const element text : list) collector_.add_text(json_.word(text));
  }

  // Some writers include the link's own text in the context, some (we) do not.
  std::string_view window_of(const LinkFields& link) {
    if (context_.options.keywords == nullptr) return {};
    const bool is_alone = context_.options.link_window == LinkWindow::Anchor;
    if (is_alone || link.context.empty()) return link.text;
    if (link.context.find(link.text) != std::string_view::npos) return link.context;
    constexpr char kApart = '\x1f';  // no phrase continues across it
    window_.assign(link.context).append(1, kApart).append(link.text);
    return window_;
  }

  static LinkKinds kinds_of(const LinkFields& link) {
    const auto given = link.kinds.empty() ? std::nullopt : parse_link_kinds(link.kinds);
    if (given) return *given;
    return LinkKind::Navigation | kinds_of_anchor(link.rel);
  }

  JsonLine json_;
  LinkCollector collector_;
  std::string window_;
};

}  // namespace

bool recognises_jsonl(std::string_view first_bytes) {
  std::string_view line = first_line(first_bytes);
  if (!line.starts_with('{')) return false;
  const std::size_t next = line.find_first_not_of(" \t", 1);
  return next != std::string_view::npos && line[next] == '"';
}

std::unique_ptr<CaptureReader> open_jsonl_reader(const ReadContext& context) {
  return std::make_unique<JsonlReader>(context);
}

}  // namespace webstrata
