// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/ask_test.py.

#include "webstrata/show/link_forms.h"

#include <string_view>

#include <fmt/format.h>

#include "webstrata/base/json.h"
#include "webstrata/words/dates.h"

namespace webstrata {
namespace {

void append_state(JsonWriter& json, const PageAt& page) {
  json.field("state", to_string(page.state));
  if (page.state != PageState::Unknown) json.field("since", to_rfc3339(page.since));
  if (page.captured) json.field("captured", to_rfc3339(*page.captured));
}

void append_question(JsonWriter& json, const Archive& archive, const std::vector<Uid>& nodes,
                     const LinkQuestion& question) {
  json.key("nodes").begin_array();
  for (const Uid node : nodes) {
    json.begin_object().field("url", archive.url(node)).field("uid", node);
    if (question.at) append_state(json, archive.links_at(node, *question.at));
    json.end_object();
  }
  json.end_array().field("direction", question.direction == Direction::In ? "in" : "out");
  if (question.at) json.field("at", to_rfc3339(*question.at));
  const auto bound = [&](std::string_view name, Time time, Time open) {
    if (time != open) json.field(name, to_rfc3339(time));
  };
  if (question.during) {
    bound("from", question.during->first, kEver.first);
    bound("to", question.during->last, kEver.last);
  }
}

// Ends the object of a text.
void append_text(JsonWriter& json, const FoundText& text) {
  json.field("captures", text.captures).field("first", to_rfc3339(text.seen.first));
  json.field("last", to_rfc3339(text.seen.last)).end_object();
}

}  // namespace

Cells link_columns(const LinkQuestion& question) {
  Cells columns = {"url"};
  if (question.at) columns.insert(columns.end(), {"kinds", "count"});
  if (question.wants_history) {
    columns.insert(columns.end(), {"first", "last", "captures", "kinds"});
  }
  if (question.wants_texts) {
    columns.insert(columns.end(), {"text", "text_captures", "text_first", "text_last"});
  }
  return columns;
}

Cells link_cells(const Archive& archive, const FoundLinks::value_type& found, const FoundText* text,
                 const LinkQuestion& question) {
  const auto& [node, link] = found;
  Cells cells = {archive.url(node)};
  if (question.at) cells.insert(cells.end(), {to_string(link.kinds), std::to_string(link.count)});
  if (question.wants_history && link.seen) {
    cells.insert(cells.end(), {to_rfc3339(link.seen->first), to_rfc3339(link.seen->last),
                               std::to_string(link.captures), to_string(link.kinds)});
  }
  if (text != nullptr) {
    cells.insert(cells.end(), {text->text, std::to_string(text->captures),
                               to_rfc3339(text->seen.first), to_rfc3339(text->seen.last)});
  } else if (question.wants_texts) {
    cells.insert(cells.end(), {"", "0", "", ""});
  }
  return cells;
}

Cells text_columns() { return {"text", "pages", "captures", "first", "last"}; }

Cells text_cells(const FoundText& text) {
  return {text.text, std::to_string(text.links), std::to_string(text.captures),
          to_rfc3339(text.seen.first), to_rfc3339(text.seen.last)};
}

void append_link(std::string& out, const Archive& archive, Uid node, const FoundLink& link) {
  JsonWriter json(out);
  json.begin_object().field("url", archive.url(node)).field("uid", node);
  if (!link.kinds.empty()) json.field("kinds", to_string(link.kinds));
  if (link.count > 0) json.field("count", link.count);
  if (link.seen) {
    json.field("first", to_rfc3339(link.seen->first)).field("last", to_rfc3339(link.seen->last));
    json.field("captures", link.captures);
  }
  if (!link.texts.empty()) {
    json.key("texts").begin_array();
    for (const FoundText& text : link.texts) {
      append_text(json.begin_object().field("text", text.text), text);
    }
    json.end_array();
  }
  json.end_object();
}

bool tells_anchor_texts(const LinkQuestion& question) {
  return question.wants_texts && question.direction == Direction::In;
}

std::string anchor_texts_as_json(const FoundLinks& links) {
  std::string out;
  JsonWriter json(out);
  json.begin_array();
  for (const FoundText& text : anchor_texts(links)) {
    append_text(json.begin_object().field("text", text.text).field("pages", text.links), text);
  }
  json.end_array();
  return out;
}

std::string links_as_json(const Archive& archive, const std::vector<Uid>& nodes,
                          const FoundLinks& links, const LinkQuestion& question) {
  std::string text;
  JsonWriter json(text);
  append_question(json.begin_object(), archive, nodes, question);
  json.key("links").begin_array();
  for (const auto& [node, link] : links) {
    if (text.back() != '[') text += ',';
    append_link(text, archive, node, link);
  }
  json.end_array().end_object();
  if (tells_anchor_texts(question)) {
    text.pop_back();
    text += ",\"texts\":" + anchor_texts_as_json(links) + "}";
  }
  text += "\n";
  return text;
}

std::string state_text(const Archive& archive, Uid node, Time at) {
  const PageAt page = archive.links_at(node, at);
  std::string text(to_string(page.state));
  if (page.state != PageState::Unknown) text += fmt::format(" since {}", to_rfc3339(page.since));
  if (page.captured) text += fmt::format(", links as captured {}", to_rfc3339(*page.captured));
  return fmt::format("{}: {} at {}", archive.url(node), text, to_rfc3339(at));
}

}  // namespace webstrata
