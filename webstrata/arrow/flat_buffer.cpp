// SPDX-License-Identifier: Apache-2.0

// Tested by tests/arrow/ipc_test.cpp and tests/serve/arrow_test.py.

#include "webstrata/arrow/flat_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace webstrata::arrow {

// Zeros, until what follows `ahead` more bytes is aligned.
void FlatBuffer::pad_to(std::size_t alignment, std::size_t ahead) {
  while ((bytes_.size() + ahead) % alignment != 0) bytes_ += '\0';
}

template <typename Number>
void FlatBuffer::append(Number number) {
  bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

template <typename Number>
void FlatBuffer::write(Place place, Number number) {
  std::memcpy(bytes_.data() + place, &number, sizeof(number));
}

void FlatBuffer::refer_to_end(Place from) {
  write(from, static_cast<std::uint32_t>(bytes_.size() - from));
}

std::vector<FlatBuffer::Place> FlatBuffer::add_table(Place from, const std::vector<Field>& fields) {
  constexpr std::size_t kHead = 4;  // of a table: the distance to its list of fields
  std::size_t slots = 0;
  for (const Field& field : fields) slots = std::max<std::size_t>(slots, field.number + 1u);
  std::vector<std::uint16_t> offsets(slots, 0);  // 0: the field has its default
  std::size_t size = kHead;
  for (const Field& field : fields) {
    size = (size + field.size - 1) / field.size * field.size;
    offsets[field.number] = static_cast<std::uint16_t>(size);
    size += field.size;
  }
  const std::size_t list = bytes_.size();
  append(static_cast<std::uint16_t>(2 * (slots + 2)));
  append(static_cast<std::uint16_t>(size));
  for (const std::uint16_t offset : offsets) append(offset);
  pad_to(8);
  refer_to_end(from);
  const std::size_t table = bytes_.size();
  bytes_.resize(table + size, '\0');
  write(table, static_cast<std::int32_t>(table - list));
  std::vector<Place> places;
  for (const Field& field : fields) {
    places.push_back(table + offsets[field.number]);
    std::memcpy(bytes_.data() + places.back(), &field.value, field.size);
  }
  pad_to(4);
  return places;
}

void FlatBuffer::add_text(Place from, std::string_view text) {
  refer_to_end(from);
  append(static_cast<std::uint32_t>(text.size()));
  bytes_ += text;
  bytes_ += '\0';
  pad_to(4);
}

std::vector<FlatBuffer::Place> FlatBuffer::add_references(Place from, std::size_t count) {
  refer_to_end(from);
  append(static_cast<std::uint32_t>(count));
  std::vector<Place> places;
  for (std::size_t i = 0; i < count; ++i) {
    places.push_back(bytes_.size());
    append(std::uint32_t{0});
  }
  return places;
}

void FlatBuffer::add_structures(Place from, const std::vector<std::int64_t>& numbers,
                                std::size_t width) {
  pad_to(8, 4);
  refer_to_end(from);
  append(static_cast<std::uint32_t>(numbers.size() / width));
  for (const std::int64_t number : numbers) append(number);
}

std::string FlatBuffer::finish() {
  pad_to(8);
  return std::exchange(bytes_, std::string(4, '\0'));
}

}  // namespace webstrata::arrow
