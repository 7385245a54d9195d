// SPDX-License-Identifier: Apache-2.0

// Every form is appended to a string of the caller. JSON cannot hold bytes that are not UTF-8:
// those are written as hexadecimal digits under a name that ends in _hex, which the reader
// understands. Cells of tables have no tabs or line breaks, and control characters are escaped.
// Tested by tests/capture/capture_lines_test.cpp.

#include "webstrata/capture/capture_lines.h"

#include <set>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/json.h"
#include "webstrata/base/printable.h"
#include "webstrata/base/time.h"
#include "webstrata/base/utf8.h"

namespace webstrata {
namespace {

void add_text(JsonWriter& json, std::string_view name, std::string_view text) {
  if (!text.empty()) json.field(name, text);
}

// The same for bytes that may not be UTF-8, which JSON cannot represent: then as hexadecimal digits
// under another name.
void add_bytes(JsonWriter& json, std::string_view name, std::string_view bytes) {
  if (is_utf8(bytes)) return add_text(json, name, bytes);
  std::string digits;
  for (const char c : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  json.field(fmt::format("{}_hex", name), digits);
}

template <typename Number>
void add_number(JsonWriter& json, std::string_view name, const std::optional<Number>& number) {
  if (number) json.field(name, *number);
}

void add_revisit(JsonWriter& json, const Sighting& sighting) {
  if (sighting.revisit_profile != RevisitProfile::None) {
    json.field("profile", sighting.revisit_profile == RevisitProfile::NotModified
                              ? "server-not-modified"
                              : "identical-payload-digest");
  }
  if (sighting.refers_to_url.empty() && !sighting.refers_to_time) return;
  json.key("refers_to").begin_object();
  add_text(json, "url", sighting.refers_to_url);
  if (sighting.refers_to_time) json.field("time", to_rfc3339(*sighting.refers_to_time));
  json.end_object();
}

// An unknown file is written explicitly, because a reader would otherwise assume the file it reads.
void add_place(JsonWriter& json, const Sighting& sighting) {
  if (sighting.file.empty()) {
    json.field("file", "");
  } else {
    add_bytes(json, "file", sighting.file);
  }
  add_number(json, "offset", sighting.offset);
  add_number(json, "length", sighting.length);
}

// The score of each link in turn.
class LinkScoreWalk {
 public:
  explicit LinkScoreWalk(const TopicScores& scores)
      : next_(scores.links.begin()), end_(scores.links.end()) {}
  // `position`s ascend.
  double score(std::size_t position) {
    while (next_ != end_ && next_->link < position) ++next_;
    return next_ != end_ && next_->link == position ? next_->score : 0;
  }

 private:
  std::vector<TopicLinkScore>::const_iterator next_;
  std::vector<TopicLinkScore>::const_iterator end_;
};

void add_page_scores(JsonWriter& json, std::span<const NamedScores> topics) {
  if (topics.empty()) return;
  json.key("topics").begin_object();
  for (const NamedScores& topic : topics) json.field(topic.name, topic.scores->page);
  json.end_object();
}

// All texts of a link, each once.
void add_texts(JsonWriter& json, std::string_view first, std::span<const std::string_view> more) {
  std::set<std::string_view> written = {first};
  json.key("texts").begin_array();
  if (!first.empty()) json.value(first);
  for (const std::string_view text : more) {
    if (written.insert(text).second) json.value(text);
  }
  json.end_array();
}

void add_links(JsonWriter& json, const LinkSet& links, std::span<const NamedScores> topics) {
  std::vector<LinkScoreWalk> walks;
  for (const NamedScores& topic : topics) walks.emplace_back(*topic.scores);
  std::vector<std::string_view> more;
  json.key("links").begin_array();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link link = links[i];
    json.begin_object().field("url", link.target).field("kinds", to_string(link.kinds));
    if (link.count > 1) json.field("count", link.count);
    add_text(json, "text", link.text);
    links.more_texts(i, more);
    if (!more.empty()) add_texts(json, link.text, more);
    add_text(json, "context", link.context);
    if (!topics.empty()) json.key("topics").begin_object();
    for (std::size_t t = 0; t < topics.size(); ++t) json.field(topics[t].name, walks[t].score(i));
    if (!topics.empty()) json.end_object();
    json.end_object();
  }
  json.end_array();
}

// Tabs and line ends would break the table; other control characters, a terminal.
void append_cell(std::string& out, std::string_view text) {
  std::string cell(text);
  for (char& c : cell) c = c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
  append_printable(out, cell, {.keep_ill_formed = true});
}

}  // namespace

void append_jsonl(std::string& out, const Capture& capture, std::span<const NamedScores> topics) {
  const Sighting& sighting = capture.sighting;
  JsonWriter json(out);
  json.begin_object().field("url", sighting.url).field("time", to_rfc3339(sighting.time));
  json.field("kind", to_string(sighting.kind));
  add_number(json, "status", sighting.status);
  json.field("outcome", to_string(sighting.outcome));
  add_text(json, "mime", sighting.mime);
  add_bytes(json, "digest", sighting.digest);
  add_bytes(json, "text_digest", sighting.text_digest);
  add_number(json, "text_length", sighting.text_length);
  const bool has_only_hash = sighting.title_hash && capture.title.empty();
  if (has_only_hash) json.field("title_hash", fmt::format("{:016x}", *sighting.title_hash));
  add_text(json, "redirect", sighting.redirect_target);
  if (sighting.truncated) json.field("truncated", true);
  add_bytes(json, "spelling", sighting.spelling);
  add_revisit(json, sighting);
  add_place(json, sighting);
  add_bytes(json, "crawl", sighting.crawl);
  add_text(json, "title", capture.title);
  add_text(json, "text", capture.text);
  add_page_scores(json, topics);
  if (capture.links_known) add_links(json, capture.links, topics);
  json.end_object();
  out.push_back('\n');
}

void append_tsv(std::string& out, const Capture& capture) {
  const std::string time = to_rfc3339(capture.sighting.time);
  for (std::size_t i = 0; i < capture.links.size(); ++i) {
    const Link link = capture.links[i];
    out.append(time).append(1, '\t').append(capture.sighting.url).append(1, '\t');
    out.append(link.target).append(1, '\t');
    append_cell(out, link.text);
    out.push_back('\n');
  }
}

void append_score(std::string& out, const Capture& capture, const TopicScores& scores) {
  out += fmt::format("{}\t{}\n", capture.sighting.url, scores.page);
}

void append_link_scores(std::string& out, const Capture& capture, const TopicScores& scores) {
  LinkScoreWalk walk(scores);
  for (std::size_t i = 0; i < capture.links.size(); ++i) {
    out +=
        fmt::format("{}\t{}\t{}\n", capture.sighting.url, capture.links[i].target, walk.score(i));
  }
}

void append_cdxj(std::string& out, const Capture& capture, Dialect dialect) {
  const Sighting& sighting = capture.sighting;
  const bool is_revisit = sighting.kind == SightingKind::Revisit;
  const std::string& spelling = sighting.spelling.empty() ? sighting.url : sighting.spelling;
  out.append(fold(dialect, spelling)).append(1, ' ').append(to_timestamp14(sighting.time));
  out.push_back(' ');
  JsonWriter json(out);
  json.begin_object().field("url", spelling);
  json.field("mime",
             is_revisit ? std::string_view("warc/revisit") : std::string_view(sighting.mime));
  json.field("status", sighting.status ? std::to_string(*sighting.status) : "-");
  json.field("digest", sighting.digest.empty() ? std::string_view("-") : sighting.digest);
  if (sighting.length) json.field("length", std::to_string(*sighting.length));
  if (sighting.offset) json.field("offset", std::to_string(*sighting.offset));
  json.field("filename", sighting.file);
  json.end_object();
  out.push_back('\n');
}

}  // namespace webstrata
