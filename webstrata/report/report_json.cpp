// SPDX-License-Identifier: Apache-2.0

// The data of a page. Characters that could end the script element occur only inside JSON strings,
// so they can be escaped after writing.
// Tested by tests/report/html_report_test.cpp.

#include "webstrata/report/report_json.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace webstrata::report {
namespace {

constexpr std::array<std::string_view, 3> kScales = {"linear", "log", "time"};
constexpr std::array<std::string_view, 3> kPlotKinds = {"line", "scatter", "bar"};
constexpr std::array<std::string_view, 4> kColumnKinds = {"text", "number", "percent", "link"};

template <std::size_t size, typename Enum>
std::string_view name_of(const std::array<std::string_view, size>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

template <typename Value>
void append_values(JsonWriter& json, std::string_view name, const std::vector<Value>& values) {
  if (values.empty()) return;
  json.key(name).begin_array();
  for (const Value& value : values) json.value(value);
  json.end_array();
}

// ---- the parts ----------------------------------------------------------------------------------

void append(JsonWriter& json, const Text& text) {
  json.field("part", "text").field("title", text.title).field("text", text.text);
}

void append(JsonWriter& json, const KeyFigures& part) {
  json.field("part", "figures").key("figures").begin_array();
  for (const KeyFigures::Figure& figure : part.figures) {
    json.begin_object().field("label", figure.label).field("value", figure.value);
    json.field("note", figure.note).end_object();
  }
  json.end_array();
}

void append_axis(JsonWriter& json, std::string_view name, const Axis& axis) {
  json.key(name).begin_object().field("label", axis.label);
  json.field("scale", name_of(kScales, axis.scale)).field("downward", axis.downward).end_object();
}

void append_series(JsonWriter& json, const Series& series) {
  json.begin_object().field("name", series.name);
  append_values(json, "x", series.x);
  append_values(json, "y", series.y);
  append_values(json, "low", series.low);
  append_values(json, "high", series.high);
  append_values(json, "labels", series.labels);
  if (series.quiet) json.field("quiet", true);
  json.end_object();
}

void append(JsonWriter& json, const Plot& plot) {
  json.field("part", "plot").field("title", plot.title).field("caption", plot.caption);
  json.field("kind", name_of(kPlotKinds, plot.kind)).field("stacked", plot.stacked);
  append_axis(json, "x", plot.x);
  append_axis(json, "y", plot.y);
  append_values(json, "categories", plot.categories);
  json.key("series").begin_array();
  for (const Series& series : plot.series) append_series(json, series);
  json.end_array();
}

void append_nothing(JsonWriter& json) { json.value(NAN); }  // JsonWriter writes null

// An infinite number in a table is an answer ("no way leads there") and is kept as a word.
void append_cell(JsonWriter& json, const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    if (std::isinf(*number)) {
      json.value(*number > 0 ? "inf" : "-inf");
    } else {
      json.value(*number);
    }
  } else if (const auto* count = std::get_if<std::uint64_t>(&cell)) {
    json.value(*count);
  } else if (const auto* text = std::get_if<std::string>(&cell)) {
    json.value(*text);
  } else {
    append_nothing(json);
  }
}

void append(JsonWriter& json, const Table& table) {
  json.field("part", "table").field("title", table.title).field("caption", table.caption);
  json.key("columns").begin_array();
  for (const Column& column : table.columns) {
    json.begin_object().field("name", column.name);
    json.field("kind", name_of(kColumnKinds, column.kind)).end_object();
  }
  json.end_array().key("rows").begin_array();
  for (const auto& row : table.rows) {
    json.begin_array();
    for (const Cell& cell : row) append_cell(json, cell);
    json.end_array();
  }
  json.end_array();
}

void append(JsonWriter& json, const Drawing& drawing) {
  json.field("part", "drawing").field("title", drawing.title).field("caption", drawing.caption);
  json.field("directed", drawing.directed).key("nodes").begin_array();
  for (const Drawing::Node& node : drawing.nodes) {
    json.begin_object().field("x", node.x).field("y", node.y).field("label", node.label);
    json.field("size", node.size).field("note", node.note).end_object();
  }
  json.end_array().key("links").begin_array();
  for (const Drawing::Link& link : drawing.links) {
    json.begin_object().field("from", link.from).field("to", link.to);
    json.field("label", link.label).end_object();
  }
  json.end_array();
}

void append(JsonWriter& json, const Strata& strata) {
  json.field("part", "strata");
  append_strata(json, strata);
}

std::string to_json(const HtmlReport& report) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().field("title", report.title).field("result", report.result);
  json.field("subtitle", report.subtitle);
  json.field("generated_by", report.generated_by).key("sections").begin_array();
  for (const Section& section : report.sections) {
    json.begin_object();
    std::visit([&](const auto& part) { append(json, part); }, section);
    json.end_object();
  }
  json.end_array().end_object();
  return out;
}

// ---- safe inside a script element ---------------------------------------------------------------

// The escape of the character at the front of `text`; empty if it may stay.
std::string_view escape_for(std::string_view text) {
  switch (text.front()) {
    case '<':
      return "\\u003c";
    case '>':
      return "\\u003e";
    case '&':
      return "\\u0026";
    case '\xe2':
      if (text.starts_with("\xe2\x80\xa8")) return "\\u2028";
      if (text.starts_with("\xe2\x80\xa9")) return "\\u2029";
      [[fallthrough]];
    default:
      return {};
  }
}

}  // namespace

void append_strata(JsonWriter& json, const Strata& strata) {
  const auto numbers = [&](const auto& values) {
    json.begin_array();
    for (const auto value : values) json.value(value);
    json.end_array();
  };
  const auto texts = [&](std::string_view name, std::string Strata::Row::*text) {
    json.key(name).begin_array();
    for (const Strata::Row& row : strata.rows) json.value(row.*text);
    json.end_array();
  };
  json.field("title", strata.title).field("caption", strata.caption).key("times");
  numbers(strata.times);
  texts("names", &Strata::Row::name);
  const bool has_notes =
      std::ranges::any_of(strata.rows, [](const Strata::Row& row) { return !row.note.empty(); });
  if (has_notes) texts("notes", &Strata::Row::note);
  json.key("runs").begin_array();
  for (const Strata::Row& row : strata.rows) numbers(row.runs);
  json.end_array().key("groupings").begin_array();
  for (const Strata::Grouping& grouping : strata.groupings) {
    json.begin_object().field("name", grouping.name).key("groups").begin_array();
    for (const std::string& group : grouping.groups) json.value(group);
    json.end_array().key("of");
    numbers(grouping.of);
    json.end_object();
  }
  json.end_array().field("left_out", strata.left_out);
}

std::string to_script_json(const HtmlReport& report) {
  const std::string json = to_json(report);
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view escape = escape_for(std::string_view(json).substr(i));
    out += escape.empty() ? std::string_view(&json[i], 1) : escape;
    if (escape.starts_with("\\u20")) i += 2;  // three bytes of UTF-8
  }
  return out;
}

}  // namespace webstrata::report
