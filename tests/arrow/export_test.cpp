// SPDX-License-Identifier: Apache-2.0

// Exports follow the C data interface exactly, outlive what they came from, and are freed (checked
// by the sanitizers).

#include "webstrata/arrow/export.h"

#include <gtest/gtest.h>

#include <string>

#include "webstrata/base/error.h"

namespace webstrata::arrow {
namespace {

Table small_table() {
  TextBuilder url;
  url.add("http://a.example/");
  url.add_null();
  url.add("");
  NumberBuilder<std::int64_t> time(kTimeFormat);
  time.add(7);
  time.add(std::nullopt);
  time.add(-1);
  Validity known;
  for (const bool is_known : {true, false, true}) known.add(is_known);
  Column links =
      list_column("links", {0, 2, 2, 2}, known, number_column<std::uint32_t>("item", {4, 5}));
  return {{url.finish("url"), time.finish("time"), std::move(links)}};
}

// Releases when the test ends.
template <typename Structure>
struct Held : Structure {
  Held() : Structure{} {}
  ~Held() {
    if (this->release != nullptr) this->release(this);
  }
};

TEST(ArrowExport, TheSchemaNamesColumnsAndTypes) {
  Held<ArrowSchema> schema;
  export_schema(small_table(), &schema);
  EXPECT_STREQ(schema.format, "+s");
  ASSERT_EQ(schema.n_children, 3);
  EXPECT_STREQ(schema.children[0]->name, "url");
  EXPECT_STREQ(schema.children[0]->format, "U");
  EXPECT_STREQ(schema.children[1]->format, "tss:UTC");
  EXPECT_STREQ(schema.children[2]->format, "+L");
  EXPECT_STREQ(schema.children[2]->children[0]->format, "I");
  EXPECT_EQ(schema.children[0]->flags, ARROW_FLAG_NULLABLE);
}

TEST(ArrowExport, BuffersHoldWhatTheFormatSays) {
  Held<ArrowArray> array;
  export_array(small_table(), &array);  // the table itself is gone by the next line
  ASSERT_EQ(array.length, 3);
  const ArrowArray& url = *array.children[0];
  ASSERT_EQ(url.n_buffers, 3);
  EXPECT_EQ(url.null_count, 1);
  EXPECT_EQ(*static_cast<const std::uint8_t*>(url.buffers[0]), 0b101);
  const auto* offsets = static_cast<const std::int64_t*>(url.buffers[1]);
  EXPECT_EQ(
      std::string(static_cast<const char*>(url.buffers[2]), static_cast<std::size_t>(offsets[1])),
      "http://a.example/");
  EXPECT_EQ(offsets[1], offsets[3]);
  const ArrowArray& time = *array.children[1];
  EXPECT_EQ(static_cast<const std::int64_t*>(time.buffers[1])[2], -1);
  const ArrowArray& links = *array.children[2];
  EXPECT_EQ(links.null_count, 1);
  EXPECT_EQ(static_cast<const std::int64_t*>(links.buffers[1])[1], 2);
  EXPECT_EQ(static_cast<const std::uint32_t*>(links.children[0]->buffers[1])[1], 5u);
}

TEST(ArrowExport, ANullBitMapMeansThatAllIsKnown) {
  Held<ArrowArray> array;
  export_array(number_column<double>("score", {1, 2}), &array);
  EXPECT_EQ(array.null_count, 0);
  EXPECT_EQ(array.buffers[0], nullptr);
  EXPECT_EQ(static_cast<const double*>(array.buffers[1])[1], 2.0);
}

TEST(ArrowExport, ABorrowedColumnIsNotCopied) {
  const auto owner = std::make_shared<const std::vector<std::uint32_t>>(3, 9u);
  Held<ArrowArray> array;
  export_array(borrowed_column("target", "I", owner->data(), 3, owner), &array);
  EXPECT_EQ(array.buffers[1], owner->data());
  EXPECT_EQ(owner.use_count(), 2);
  array.release(&array);
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(ArrowExport, AChildMayBeMovedAway) {
  ArrowArray array;
  export_array(small_table(), &array);
  Held<ArrowArray> child;
  static_cast<ArrowArray&>(child) = *array.children[1];
  array.children[1]->release = nullptr;  // moved, as the interface says
  array.release(&array);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(static_cast<const std::int64_t*>(child.buffers[1])[0], 7);
}

TEST(ArrowExport, DictionariesComeAlong) {
  TextBuilder names;
  names.add("a");
  names.add("b");
  const auto dictionary = std::make_shared<const Column>(names.finish("name"));
  Held<ArrowArray> array;
  export_array(dictionary_column(number_column<std::uint32_t>("source", {1, 0, 1}), dictionary),
               &array);
  ASSERT_NE(array.dictionary, nullptr);
  EXPECT_EQ(array.dictionary->length, 2);
  EXPECT_EQ(array.dictionary->buffers[2], dictionary->buffers[2].get());
}

class FailingStream : public TableStream {
 public:
  [[nodiscard]] Table schema() const override { return small_table(); }
  std::optional<Table> next() override { throw Error(ErrorKind::Io, "the disk is gone"); }
};

TEST(ArrowExport, StreamsEndAndTellErrors) {
  Held<ArrowArrayStream> stream;
  export_stream(stream_of(small_table()), &stream);
  Held<ArrowSchema> schema;
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  EXPECT_EQ(schema.n_children, 3);
  Held<ArrowArray> array;
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  EXPECT_EQ(array.length, 3);
  Held<ArrowArray> end;
  ASSERT_EQ(stream.get_next(&stream, &end), 0);
  EXPECT_EQ(end.release, nullptr);
  Held<ArrowArrayStream> failing;
  export_stream(std::make_shared<FailingStream>(), &failing);
  EXPECT_NE(failing.get_next(&failing, &end), 0);
  EXPECT_STREQ(failing.get_last_error(&failing), "the disk is gone");
}

}  // namespace
}  // namespace webstrata::arrow
