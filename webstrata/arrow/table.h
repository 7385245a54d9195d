// SPDX-License-Identifier: Apache-2.0

// Tables in Arrow's memory layout, without Arrow: columns that share memory and never change.
//
//   TextBuilder url;
//   url.add("http://example.org/");
//   const Table table = {{url.finish("url"), number_column<double>("score", std::move(scores))}};
//   export_array(table, &array);   // export.h: for pyarrow, polars, DuckDB, Spark, without a copy
//
// A column's `format` is Arrow's own word for its type: "U" text with 64-bit offsets, "l" 64-bit
// numbers, "tss:UTC" seconds since 1970, "+L" lists, "+s" structures.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace webstrata::arrow {

// Bytes, and the owner that keeps them alive.
using Buffer = std::shared_ptr<const void>;

// Takes ownership of the values; the buffer is never null.
template <typename Value>
Buffer buffer_of(std::vector<Value> values) {
  if (values.capacity() == 0) values.reserve(1);  // some consumers reject null even for no rows
  const auto owner = std::make_shared<const std::vector<Value>>(std::move(values));
  return {owner, owner->data()};
}

struct Column {
  std::string name;
  std::string format;
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::vector<Buffer> buffers = {};  // as the format wants them; the first is the bit map, or null
  std::vector<Column> children = {};
  std::shared_ptr<const Column> dictionary = nullptr;
  bool is_nullable = true;

  [[nodiscard]] bool is_null(std::int64_t row) const noexcept;
  template <typename Value>
  [[nodiscard]] std::span<const Value> values(std::size_t buffer = 1) const noexcept {
    return {static_cast<const Value*>(buffers[buffer].get()), static_cast<std::size_t>(length)};
  }
  // Of columns of text.
  [[nodiscard]] std::string_view text(std::int64_t row) const noexcept;
  // The same under another name.
  [[nodiscard]] Column named(std::string_view other) const;
};

struct Table {
  std::vector<Column> columns;

  [[nodiscard]] std::int64_t row_count() const noexcept {
    return columns.empty() ? 0 : columns.front().length;
  }
  // Null if there is none of that name.
  [[nodiscard]] const Column* find(std::string_view name) const noexcept;
};

// Arrow's word for a type of numbers.
template <typename Value>
constexpr const char* format_of() {
  constexpr bool is_signed = std::is_signed_v<Value>;
  if constexpr (std::is_same_v<Value, double>) return "g";
  if constexpr (sizeof(Value) == 1) return is_signed ? "c" : "C";
  if constexpr (sizeof(Value) == 2) return is_signed ? "s" : "S";
  if constexpr (sizeof(Value) == 4) return is_signed ? "i" : "I";
  return is_signed ? "l" : "L";
}
inline constexpr const char* kTimeFormat = "tss:UTC";

// Which rows have a value: one bit each.
class Validity {
 public:
  void add(bool is_known);
  [[nodiscard]] std::int64_t null_count() const noexcept { return nulls_; }
  // Null while every row has a value.
  [[nodiscard]] Buffer finish();

 private:
  std::vector<std::uint8_t> bits_;
  std::int64_t rows_ = 0;
  std::int64_t nulls_ = 0;
};

// Numbers, or whatever `format` says has their size.
template <typename Value>
class NumberBuilder {
 public:
  explicit NumberBuilder(std::string format = format_of<Value>()) : format_(std::move(format)) {}
  void add(std::optional<Value> value) {
    values_.push_back(value.value_or(Value{}));
    validity_.add(value.has_value());
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return values_.size() * sizeof(Value); }
  Column finish(std::string_view name) {
    Column column{std::string(name), format_, static_cast<std::int64_t>(values_.size()),
                  validity_.null_count()};
    column.buffers = {validity_.finish(), buffer_of(std::exchange(values_, {}))};
    validity_ = {};
    return column;
  }

 private:
  std::string format_;
  std::vector<Value> values_;
  Validity validity_;
};

class BoolBuilder {
 public:
  void add(bool value) { bits_.add(value), ++rows_; }
  Column finish(std::string_view name);

 private:
  Validity bits_;  // the values themselves are one bit each, too
  std::int64_t rows_ = 0;
};

// UTF-8; ill-formed bytes become U+FFFD.
class TextBuilder {
 public:
  void add(std::string_view text);
  // Null, which is not the same as an empty text.
  void add_null();
  void add_or_null(std::string_view text) { text.empty() ? add_null() : add(text); }
  [[nodiscard]] std::size_t bytes() const noexcept { return text_.size() + offsets_.size() * 8; }
  Column finish(std::string_view name);

 private:
  std::vector<std::int64_t> offsets_ = {0};
  std::vector<char> text_;
  Validity validity_;
};

// Known values in memory that belongs to `owner`: nothing is copied.
Column borrowed_column(std::string_view name, std::string format, const void* values,
                       std::size_t length, std::shared_ptr<const void> owner);
template <typename Value>
Column number_column(std::string_view name, std::vector<Value> values,
                     std::string format = format_of<Value>()) {
  Column column{std::string(name), std::move(format), static_cast<std::int64_t>(values.size())};
  column.buffers = {nullptr, buffer_of(std::move(values))};
  return column;
}
// Rows of `items`, each ending where the next begins; `offsets` has one more than there are rows.
Column list_column(std::string_view name, std::vector<std::int64_t> offsets, Validity validity,
                   Column items);
Column struct_column(std::string_view name, std::vector<Column> children);
// Indices into the rows of `dictionary`.
Column dictionary_column(Column numbers, std::shared_ptr<const Column> dictionary);

}  // namespace webstrata::arrow
