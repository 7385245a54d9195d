// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/rows_test.cpp and tests/serve/arrow_test.py.

#include "webstrata/serve/ask/rows.h"

#include <simdjson.h>

#include <charconv>
#include <optional>
#include <utility>

#include "webstrata/base/error.h"
#include "webstrata/base/time.h"

namespace webstrata::serve {
namespace {

using simdjson::dom::element;

std::optional<element> field_of(const simdjson::dom::object& object, std::string_view name) {
  element value;
  if (object.at_key(name).get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

template <typename Value>
std::optional<Value> value_of(const std::optional<element>& field) {
  Value value{};
  if (!field || field->get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

std::optional<Time> moment_of(const std::optional<element>& field) {
  const auto text = value_of<std::string_view>(field);
  return text ? parse_time(*text) : std::nullopt;
}

const std::vector<ListColumn>& parts_of(const ListColumn& column) {
  static const std::vector<ListColumn> year_parts = {{"year", ColumnKind::Whole},
                                                     {"count", ColumnKind::Whole}};
  return column.kind == ColumnKind::Years ? year_parts : column.parts;
}

// The values of one column so far. A field that is missing, or of another kind, is null.
class ColumnRows {
 public:
  explicit ColumnRows(const ListColumn& column);
  void add(const std::optional<simdjson::dom::element>& value);
  arrow::Column finish();

 private:
  void add_years(const std::optional<simdjson::dom::object>& years);
  void add_records(const std::optional<simdjson::dom::array>& records);
  void begin_list(bool is_known);

  std::string_view name_;
  ColumnKind kind_;
  arrow::TextBuilder texts_;
  arrow::NumberBuilder<std::int64_t> wholes_;
  arrow::NumberBuilder<double> numbers_;
  arrow::BoolBuilder truths_;
  // Of lists: where each ends among their items, and the columns of the items.
  std::vector<std::int64_t> ends_ = {0};
  arrow::Validity known_;
  std::vector<std::pair<std::string_view, ColumnRows>> parts_;
};

ColumnRows::ColumnRows(const ListColumn& column)
    : name_(column.name),
      kind_(column.kind),
      wholes_(column.kind == ColumnKind::Moment ? arrow::kTimeFormat : "l") {
  for (const ListColumn& part : parts_of(column)) parts_.emplace_back(part.name, part);
}

void ColumnRows::add(const std::optional<element>& value) {
  switch (kind_) {
    case ColumnKind::Text: {
      const auto text = value_of<std::string_view>(value);
      text ? texts_.add(*text) : texts_.add_null();
      return;
    }
    case ColumnKind::Whole:
      return wholes_.add(value_of<std::int64_t>(value));
    case ColumnKind::Number:
      return numbers_.add(value_of<double>(value));
    case ColumnKind::Truth:
      return truths_.add(value_of<bool>(value).value_or(false));
    case ColumnKind::Moment:
      return wholes_.add(moment_of(value));
    case ColumnKind::Years:
      return add_years(value_of<simdjson::dom::object>(value));
    case ColumnKind::Records:
      return add_records(value_of<simdjson::dom::array>(value));
  }
}

void ColumnRows::begin_list(bool is_known) {
  ends_.push_back(ends_.back());
  known_.add(is_known);
}

void ColumnRows::add_years(const std::optional<simdjson::dom::object>& years) {
  begin_list(years.has_value());
  if (!years) return;
  for (const auto& [year, count] : *years) {
    std::int64_t number = 0;
    std::from_chars(year.data(), year.data() + year.size(), number);
    parts_[0].second.wholes_.add(number);
    parts_[1].second.add(count);
    ++ends_.back();
  }
}

void ColumnRows::add_records(const std::optional<simdjson::dom::array>& records) {
  begin_list(records.has_value());
  if (!records) return;
  for (const element record : *records) {
    const auto object = value_of<simdjson::dom::object>(record);
    for (auto& [name, part] : parts_) {
      part.add(object ? field_of(*object, name) : std::nullopt);
    }
    ++ends_.back();
  }
}

arrow::Column ColumnRows::finish() {
  switch (kind_) {
    case ColumnKind::Text:
      return texts_.finish(name_);
    case ColumnKind::Number:
      return numbers_.finish(name_);
    case ColumnKind::Truth:
      return truths_.finish(name_);
    case ColumnKind::Whole:
    case ColumnKind::Moment:
      return wholes_.finish(name_);
    case ColumnKind::Years:
    case ColumnKind::Records:
      break;
  }
  std::vector<arrow::Column> parts;
  for (auto& [name, part] : parts_) parts.push_back(part.finish());
  return arrow::list_column(name_, std::exchange(ends_, {0}), std::exchange(known_, {}),
                            arrow::struct_column("item", std::move(parts)));
}

}  // namespace

struct ListRows::State {
  simdjson::dom::parser parser;
  std::vector<std::pair<std::string_view, ColumnRows>> columns;
  std::size_t size = 0;
};

ListRows::ListRows(const std::vector<ListColumn>& columns) : state_(std::make_unique<State>()) {
  for (const ListColumn& column : columns) state_->columns.emplace_back(column.name, column);
}

ListRows::ListRows(ListRows&&) noexcept = default;
ListRows& ListRows::operator=(ListRows&&) noexcept = default;
ListRows::~ListRows() = default;

void ListRows::add(std::string_view object) {
  simdjson::dom::object fields;
  if (state_->parser.parse(object.data(), object.size()).get(fields) != simdjson::SUCCESS) {
    throw Error(ErrorKind::Corrupt, "an element of a list is not a JSON object");
  }
  for (auto& [name, column] : state_->columns) column.add(field_of(fields, name));
  ++state_->size;
}

std::size_t ListRows::size() const noexcept { return state_->size; }

arrow::Table ListRows::finish() {
  arrow::Table table;
  for (auto& [name, column] : state_->columns) table.columns.push_back(column.finish());
  state_->size = 0;
  return table;
}

}  // namespace webstrata::serve
