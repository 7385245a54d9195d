// SPDX-License-Identifier: Apache-2.0

// Writes the metadata of Arrow's messages in the format of FlatBuffers, from the front to the back:
// a table first has places for what it refers to, which are filled in when that is appended.
//
//   FlatBuffer buffer;
//   const auto places = buffer.add_table(FlatBuffer::kRoot, {{0, 8, 3}, FlatBuffer::reference(1)});
//   buffer.add_text(places[1], "name");
//
// https://flatbuffers.dev/internals/ has the layout: a reference is the distance to what it points
// to; a table begins with the distance back to the list of where its fields are. All numbers are
// little endian, as on every machine that this program runs on.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata::arrow {

class FlatBuffer {
 public:
  // Where a reference is; the first one of all is that to the root table.
  using Place = std::size_t;
  static constexpr Place kRoot = 0;

  // A field of a table: its number in the schema, its size in bytes and its value.
  struct Field {
    std::uint16_t number = 0;
    std::uint16_t size = 0;
    std::uint64_t value = 0;
  };
  static constexpr Field reference(std::uint16_t number) { return {number, 4, 0}; }

  FlatBuffer() : bytes_(4, '\0') {}

  // Each of these makes `from` refer to what is appended. The places of the table's fields, in the
  // order in which they were given.
  std::vector<Place> add_table(Place from, const std::vector<Field>& fields);
  void add_text(Place from, std::string_view text);
  // A list of `count` references: their places.
  std::vector<Place> add_references(Place from, std::size_t count);
  // A list of structures that are made of 64-bit numbers, `width` in each.
  void add_structures(Place from, const std::vector<std::int64_t>& numbers, std::size_t width);

  // Padded with zeros to a multiple of eight bytes.
  [[nodiscard]] std::string finish();

 private:
  void pad_to(std::size_t alignment, std::size_t ahead = 0);
  template <typename Number>
  void append(Number number);
  template <typename Number>
  void write(Place place, Number number);
  void refer_to_end(Place from);

  std::string bytes_;
};

}  // namespace webstrata::arrow
