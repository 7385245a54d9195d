// SPDX-License-Identifier: Apache-2.0

// The frame of an Arrow stream, read here as its format document draws it.
// tests/serve/arrow_test.py has whole streams read by pyarrow.

#include "webstrata/arrow/ipc.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "webstrata/base/error.h"

namespace webstrata::arrow {
namespace {

template <typename Number>
Number at(std::string_view bytes, std::size_t place) {
  Number number{};
  if (place + sizeof(number) <= bytes.size())
    std::memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}

// Where a field of a table of a FlatBuffer is; 0 if it is not there.
std::size_t field(std::string_view buffer, std::size_t table, std::size_t number) {
  const std::size_t list = table - at<std::int32_t>(buffer, table);
  if (4 + 2 * number >= at<std::uint16_t>(buffer, list)) return 0;
  const auto offset = at<std::uint16_t>(buffer, list + 4 + 2 * number);
  return offset == 0 ? 0 : table + offset;
}

std::size_t referred(std::string_view buffer, std::size_t place) {
  return place + at<std::uint32_t>(buffer, place);
}

std::string_view text(std::string_view buffer, std::size_t place) {
  const std::size_t begin = referred(buffer, place);
  return buffer.substr(begin + 4, at<std::uint32_t>(buffer, begin));
}

struct Message {
  int kind = 0;  // 1 a schema, 3 a batch
  std::string_view metadata;
  std::string_view body;
};

// Takes the next one off; without metadata at the end of the stream.
Message take_message(std::string_view& stream) {
  EXPECT_EQ(at<std::uint32_t>(stream, 0), 0xffffffffu);
  const auto size = at<std::uint32_t>(stream, 4);
  EXPECT_EQ(size % 8, 0u);
  Message message{0, stream.substr(8, size), {}};
  stream.remove_prefix(8 + size);
  if (size == 0) return message;
  const std::size_t root = referred(message.metadata, 0);
  EXPECT_EQ(at<std::int16_t>(message.metadata, field(message.metadata, root, 0)), 4);
  message.kind = at<std::uint8_t>(message.metadata, field(message.metadata, root, 1));
  const auto body = at<std::uint64_t>(message.metadata, field(message.metadata, root, 3));
  EXPECT_EQ(body % 8, 0u);
  message.body = stream.substr(0, body);
  stream.remove_prefix(body);
  return message;
}

Table two_rows() {
  TextBuilder url;
  url.add("http://a.example/");
  url.add_null();
  return {{url.finish("url"), number_column<std::int64_t>("captures", {3, 4})}};
}

TEST(ArrowIpc, AStreamIsASchemaBatchesAndAnEnd) {
  std::string bytes;
  append_ipc_schema(bytes, two_rows());
  append_ipc_batch(bytes, two_rows(), {{"next", "http://b.example/"}});
  append_ipc_end(bytes);
  std::string_view stream = bytes;

  const Message schema = take_message(stream);
  ASSERT_EQ(schema.kind, 1);
  const std::size_t root = referred(schema.metadata, 0);
  const std::size_t header = referred(schema.metadata, field(schema.metadata, root, 2));
  const std::size_t fields = referred(schema.metadata, field(schema.metadata, header, 1));
  ASSERT_EQ(at<std::uint32_t>(schema.metadata, fields), 2u);
  const std::size_t first = referred(schema.metadata, fields + 4);
  EXPECT_EQ(text(schema.metadata, field(schema.metadata, first, 0)), "url");
  EXPECT_EQ(at<std::uint8_t>(schema.metadata, field(schema.metadata, first, 2)), 20);  // LargeUtf8

  const Message batch = take_message(stream);
  ASSERT_EQ(batch.kind, 3);
  EXPECT_NE(batch.body.find("http://a.example/"), std::string_view::npos);
  // Bits (0b01), offsets (0, 17, 17), text, and after the absent bits of the numbers 3 and 4.
  EXPECT_EQ(at<std::uint8_t>(batch.body, 0), 1);
  EXPECT_EQ(at<std::int64_t>(batch.body, 16), 17);
  EXPECT_EQ(at<std::int64_t>(batch.body, batch.body.size() - 8), 4);
  EXPECT_NE(batch.metadata.find("http://b.example/"), std::string_view::npos);

  EXPECT_EQ(take_message(stream).kind, 0);
  EXPECT_TRUE(stream.empty());
}

TEST(ArrowIpc, ColumnsWithADictionaryAreRefused) {
  const auto names = std::make_shared<const Column>(number_column<std::int64_t>("name", {1}));
  const Table table = {{dictionary_column(number_column<std::int32_t>("of", {0}), names)}};
  std::string bytes;
  EXPECT_THROW(append_ipc_schema(bytes, table), Error);
  EXPECT_THROW(append_ipc_batch(bytes, table), Error);
}

}  // namespace
}  // namespace webstrata::arrow
