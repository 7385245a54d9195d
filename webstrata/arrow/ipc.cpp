// SPDX-License-Identifier: Apache-2.0

// A stream is a sequence of messages: four bytes of ones, the size of the metadata, the metadata
// (a FlatBuffer, format/Message.fbs and Schema.fbs of Arrow) and, of a batch, its buffers one after
// the other, each padded to eight bytes. The numbers of fields and types are those of these files.
// Tested by tests/arrow/ipc_test.cpp and tests/serve/arrow_test.py.

#include "webstrata/arrow/ipc.h"

#include <cstdint>
#include <cstring>
#include <optional>

#include "webstrata/arrow/flat_buffer.h"
#include "webstrata/base/error.h"

namespace webstrata::arrow {
namespace {

using Field = FlatBuffer::Field;
using Place = FlatBuffer::Place;

constexpr std::uint64_t kVersion5 = 4;
constexpr std::uint64_t kSchemaMessage = 1;
constexpr std::uint64_t kBatchMessage = 3;

// Numbers of the union Type.
enum class TypeCode : std::uint8_t {
  Int = 2,
  FloatingPoint = 3,
  Bool = 6,
  Timestamp = 10,
  Struct = 13,
  LargeBinary = 19,
  LargeText = 20,
  LargeList = 21,
};

// What a format of the C data interface means here.
struct ColumnType {
  TypeCode code = TypeCode::Int;
  unsigned bytes = 0;  // of a value that has a fixed size of whole bytes
  bool is_signed = false;
  std::uint64_t unit = 0;  // of a time: seconds, milliseconds
  std::string_view zone = {};
};

ColumnType number_type(char format) {
  constexpr std::string_view kFormats = "cCsSiIlL";
  const std::size_t place = kFormats.find(format);
  return {.code = TypeCode::Int, .bytes = 1u << (place / 2), .is_signed = place % 2 == 0};
}

ColumnType type_of(const Column& column) {
  const std::string_view format = column.format;
  if (column.dictionary == nullptr) {
    if (format == "U") return {.code = TypeCode::LargeText};
    if (format == "Z") return {.code = TypeCode::LargeBinary};
    if (format == "b") return {.code = TypeCode::Bool};
    if (format == "g") return {.code = TypeCode::FloatingPoint, .bytes = 8};
    if (format == "+L") return {.code = TypeCode::LargeList};
    if (format == "+s") return {.code = TypeCode::Struct};
    if (format.starts_with("tss:") || format.starts_with("tsm:")) {
      return {.code = TypeCode::Timestamp,
              .bytes = 8,
              .unit = format[2] == 'm' ? 1u : 0u,
              .zone = format.substr(4)};
    }
    const bool is_number =
        format.size() == 1 && std::string_view("cCsSiIlL").find(format) != format.npos;
    if (is_number) return number_type(format.front());
  }
  refuse("the column " + column.name + " has a type that cannot be sent as an Arrow stream");
}

// The table that describes the type; those without fields are there, too.
void add_type(FlatBuffer& buffer, Place from, const ColumnType& type) {
  switch (type.code) {
    case TypeCode::Int:
      buffer.add_table(from, {{0, 4, std::uint64_t{8} * type.bytes}, {1, 1, type.is_signed}});
      return;
    case TypeCode::FloatingPoint:
      buffer.add_table(from, {{0, 2, 2}});  // double precision
      return;
    case TypeCode::Timestamp: {
      const auto places = buffer.add_table(from, {{0, 2, type.unit}, FlatBuffer::reference(1)});
      buffer.add_text(places[1], type.zone);
      return;
    }
    case TypeCode::Bool:
    case TypeCode::Struct:
    case TypeCode::LargeBinary:
    case TypeCode::LargeText:
    case TypeCode::LargeList:
      buffer.add_table(from, {});
      return;
  }
}

void add_columns(FlatBuffer& buffer, Place from, const std::vector<Column>& columns) {
  const auto places = buffer.add_references(from, columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    const ColumnType type = type_of(column);
    const auto fields = buffer.add_table(
        places[i], {FlatBuffer::reference(0),
                    {1, 1, column.is_nullable},
                    {2, 1, static_cast<std::uint64_t>(type.code)},
                    FlatBuffer::reference(3),
                    FlatBuffer::reference(5)});
    buffer.add_text(fields[0], column.name);
    add_type(buffer, fields[3], type);
    add_columns(buffer, fields[4], column.children);
  }
}

void add_notes(FlatBuffer& buffer, Place from, const IpcNotes& notes) {
  const auto places = buffer.add_references(from, notes.size());
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const auto pair =
        buffer.add_table(places[i], {FlatBuffer::reference(0), FlatBuffer::reference(1)});
    buffer.add_text(pair[0], notes[i].first);
    buffer.add_text(pair[1], notes[i].second);
  }
}

// The place of the header, which the caller adds.
Place begin_message(FlatBuffer& buffer, std::uint64_t kind, std::size_t body_bytes,
                    const IpcNotes& notes) {
  std::vector<Field> fields = {
      {0, 2, kVersion5}, {1, 1, kind}, FlatBuffer::reference(2), {3, 8, body_bytes}};
  if (!notes.empty()) fields.push_back(FlatBuffer::reference(4));
  const auto places = buffer.add_table(FlatBuffer::kRoot, fields);
  if (!notes.empty()) add_notes(buffer, places[4], notes);
  return places[2];
}

void append_size(std::string& out, std::size_t size) {
  const auto number = static_cast<std::uint32_t>(size);
  out.append(4, '\xff');
  out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void append_message(std::string& out, FlatBuffer& buffer) {
  const std::string metadata = buffer.finish();
  append_size(out, metadata.size());
  out += metadata;
}

// The rows of a batch: length and number of nulls of each column, and the bytes of each buffer.
struct Body {
  std::vector<std::int64_t> nodes;
  std::vector<std::int64_t> buffers;  // offset and length
  std::string bytes;

  void add_buffer(const void* data, std::size_t size) {
    buffers.push_back(static_cast<std::int64_t>(bytes.size()));
    buffers.push_back(static_cast<std::int64_t>(size));
    if (size > 0) bytes.append(static_cast<const char*>(data), size);
    bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
  }
};

std::int64_t last_offset(const Column& column) {
  return static_cast<const std::int64_t*>(column.buffers[1].get())[column.length];
}

void add_rows(Body& body, const Column& column) {
  const ColumnType type = type_of(column);
  const auto rows = static_cast<std::size_t>(column.length);
  const void* const bits = column.buffers.front().get();
  body.nodes.insert(body.nodes.end(), {column.length, column.null_count});
  body.add_buffer(bits, column.null_count == 0 ? 0 : (rows + 7) / 8);
  const auto add = [&](std::size_t number, std::size_t size) {
    body.add_buffer(column.buffers[number].get(), size);
  };
  switch (type.code) {
    case TypeCode::Struct:
      break;
    case TypeCode::Bool:
      add(1, (rows + 7) / 8);
      break;
    case TypeCode::LargeList:
      add(1, (rows + 1) * sizeof(std::int64_t));
      break;
    case TypeCode::LargeText:
    case TypeCode::LargeBinary:
      add(1, (rows + 1) * sizeof(std::int64_t));
      add(2, static_cast<std::size_t>(last_offset(column)));
      break;
    case TypeCode::Int:
    case TypeCode::FloatingPoint:
    case TypeCode::Timestamp:
      add(1, rows * type.bytes);
      break;
  }
  for (const Column& child : column.children) add_rows(body, child);
}

}  // namespace

void append_ipc_schema(std::string& out, const Table& table) {
  FlatBuffer buffer;
  const Place header = begin_message(buffer, kSchemaMessage, 0, {});
  const auto places = buffer.add_table(header, {{0, 2, 0}, FlatBuffer::reference(1)});
  add_columns(buffer, places[1], table.columns);
  append_message(out, buffer);
}

void append_ipc_batch(std::string& out, const Table& table, const IpcNotes& notes) {
  Body body;
  for (const Column& column : table.columns) add_rows(body, column);
  FlatBuffer buffer;
  const Place header = begin_message(buffer, kBatchMessage, body.bytes.size(), notes);
  const auto places =
      buffer.add_table(header, {{0, 8, static_cast<std::uint64_t>(table.row_count())},
                                FlatBuffer::reference(1),
                                FlatBuffer::reference(2)});
  buffer.add_structures(places[1], body.nodes, 2);
  buffer.add_structures(places[2], body.buffers, 2);
  append_message(out, buffer);
  out += body.bytes;
}

void append_ipc_end(std::string& out) { append_size(out, 0); }

}  // namespace webstrata::arrow
