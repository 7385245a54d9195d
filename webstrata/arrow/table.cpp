// SPDX-License-Identifier: Apache-2.0

// Tested by tests/arrow/export_test.cpp and tests/python/arrow_test.py.

#include "webstrata/arrow/table.h"

#include <algorithm>

#include "webstrata/base/utf8.h"

namespace webstrata::arrow {

bool Column::is_null(std::int64_t row) const noexcept {
  if (buffers.empty() || buffers.front() == nullptr) return false;
  const auto* bits = static_cast<const std::uint8_t*>(buffers.front().get());
  return (bits[row / 8] >> (row % 8) & 1) == 0;
}

std::string_view Column::text(std::int64_t row) const noexcept {
  const auto* offsets = static_cast<const std::int64_t*>(buffers[1].get());
  const auto* bytes = static_cast<const char*>(buffers[2].get());
  return {bytes + offsets[row], static_cast<std::size_t>(offsets[row + 1] - offsets[row])};
}

Column Column::named(std::string_view other) const {
  Column column = *this;
  column.name = other;
  return column;
}

const Column* Table::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(columns, name, &Column::name);
  return found == columns.end() ? nullptr : &*found;
}

void Validity::add(bool is_known) {
  if (rows_ % 8 == 0) bits_.push_back(0);
  if (is_known) bits_.back() |= static_cast<std::uint8_t>(1u << (rows_ % 8));
  if (!is_known) ++nulls_;
  ++rows_;
}

Buffer Validity::finish() { return nulls_ == 0 ? nullptr : buffer_of(std::exchange(bits_, {})); }

Column BoolBuilder::finish(std::string_view name) {
  // Validity does not keep a bit map of all ones: then every value is true.
  Buffer bits = bits_.finish();
  if (bits == nullptr) bits = buffer_of(std::vector<std::uint8_t>(rows_ / 8 + 1, 0xff));
  Column column{std::string(name), "b", rows_};
  column.buffers = {nullptr, std::move(bits)};
  *this = {};
  return column;
}

void TextBuilder::add(std::string_view text) {
  if (is_utf8(text)) {
    text_.insert(text_.end(), text.begin(), text.end());
  } else {
    std::string mended;
    while (!text.empty()) append_utf8(mended, take_utf8(text));
    text_.insert(text_.end(), mended.begin(), mended.end());
  }
  offsets_.push_back(static_cast<std::int64_t>(text_.size()));
  validity_.add(true);
}

void TextBuilder::add_null() {
  offsets_.push_back(offsets_.back());
  validity_.add(false);
}

Column TextBuilder::finish(std::string_view name) {
  Column column{std::string(name), "U", static_cast<std::int64_t>(offsets_.size()) - 1,
                validity_.null_count()};
  column.buffers = {validity_.finish(), buffer_of(std::move(offsets_)),
                    buffer_of(std::move(text_))};
  *this = {};
  return column;
}

Column borrowed_column(std::string_view name, std::string format, const void* values,
                       std::size_t length, std::shared_ptr<const void> owner) {
  if (values == nullptr) {
    owner = std::make_shared<const std::uint64_t>(0);
    values = owner.get();
  }
  Column column{std::string(name), std::move(format), static_cast<std::int64_t>(length)};
  column.buffers = {nullptr, Buffer(std::move(owner), values)};
  return column;
}

Column list_column(std::string_view name, std::vector<std::int64_t> offsets, Validity validity,
                   Column items) {
  Column column{std::string(name), "+L", static_cast<std::int64_t>(offsets.size()) - 1,
                validity.null_count()};
  column.buffers = {validity.finish(), buffer_of(std::move(offsets))};
  column.children.push_back(items.named("item"));
  return column;
}

Column struct_column(std::string_view name, std::vector<Column> children) {
  Column column{std::string(name), "+s", children.empty() ? 0 : children.front().length};
  column.buffers = {nullptr};
  column.children = std::move(children);
  return column;
}

Column dictionary_column(Column numbers, std::shared_ptr<const Column> dictionary) {
  numbers.dictionary = std::move(dictionary);
  return numbers;
}

}  // namespace webstrata::arrow
