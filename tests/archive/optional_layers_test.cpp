// SPDX-License-Identifier: Apache-2.0

// A layer of the tests: two lists for each node, written plainly, in files of a layer that these
// tests do not need. What is written must come back, whatever the block and the chunk.

#include <gtest/gtest.h>

#include "tests/archive/small_archive.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/gather/optional_facts.h"
#include "webstrata/archive/merge/optional_layer_writer.h"
#include "webstrata/archive/read/optional_scanner.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

std::string encode_plainly(std::span<const LayerRow> nodes) {
  std::string bytes;
  append_varint(bytes, nodes.size());
  for (const LayerRow& row : nodes) {
    append_varint(bytes, item_count(row));
    if (row.empty()) continue;
    for (std::size_t i = 0; i < row[0].numbers.size(); ++i) {
      append_u64(bytes, static_cast<std::uint64_t>(row[0].numbers[i]));
      append_varint(bytes, row[1].texts[i].size());
      bytes += row[1].texts[i];
    }
  }
  return bytes;
}

std::vector<LayerRow> decode_plainly(std::string_view bytes) {
  ByteReader reader(bytes, "a plain chunk");
  std::vector<LayerRow> rows(reader.varint());
  for (LayerRow& row : rows) {
    const std::uint64_t size = reader.varint();
    if (size > 0) row.resize(2);
    for (std::uint64_t i = 0; i < size; ++i) {
      row[0].numbers.push_back(static_cast<std::int64_t>(reader.u64()));
      row[1].texts.emplace_back(reader.take(reader.varint()));
    }
  }
  return rows;
}

constexpr std::array kPlainColumns = {LayerColumn{"uid", "int64"},
                                      LayerColumn{"numbers", "list<int64>"},
                                      LayerColumn{"texts", "list<string>"}};
constexpr LayerEntry kPlain = {.layer = Layer::Kinds,
                               .name = "kinds",
                               .columns = kPlainColumns,
                               .is_optional = true,
                               .encode = encode_plainly,
                               .decode = decode_plainly};

// About every second node has something.
std::vector<LayerRow> some_rows(Random& random, std::size_t nodes) {
  std::vector<LayerRow> rows(nodes);
  for (LayerRow& row : rows) {
    const std::uint64_t size = random.below(2) * random.below(5);
    if (size > 0) row.resize(2);
    for (std::uint64_t i = 0; i < size; ++i) {
      row[0].numbers.push_back(static_cast<std::int64_t>(random.below(1000)) - 500);
      row[1].texts.push_back(std::string(random.below(4), 'x'));
    }
  }
  return rows;
}

std::vector<LayerFile> write_rows(const std::filesystem::path& folder,
                                  const std::vector<LayerRow>& rows,
                                  const LayerReader* copied_from = nullptr,
                                  std::uint64_t copied_block = 0) {
  std::filesystem::create_directories(folder);
  const ArchiveOptions options = small_archive_options();
  EncodePool pool(2);
  OptionalLayerWriter writer(folder, options, kPlain, rows.size(), pool);
  for (Uid node = 0; node < rows.size(); ++node) {
    if (copied_from != nullptr && node >> options.block_bits == copied_block) {
      if (node % (1U << options.block_bits) == 0) writer.copy_block(copied_block, *copied_from);
    } else if (!rows[node].empty()) {
      writer.add(node, rows[node]);
    }
  }
  return writer.finish().at(kPlain.layer);
}

LayerReader open_rows(const std::filesystem::path& folder, const std::vector<LayerFile>& files) {
  return LayerReader::open(folder, kPlain.layer, small_archive_options().part_blocks, files);
}

TEST(OptionalLayers, WhatIsWrittenComesBack) {
  for (const std::size_t nodes : {1, 7, 8, 9, 100}) {
    SCOPED_TRACE(nodes);
    const TemporaryFolder folder;
    Random random(nodes);
    const std::vector<LayerRow> rows = some_rows(random, nodes);
    const LayerReader reader = open_rows(folder.path(), write_rows(folder.path(), rows));
    ASSERT_EQ(reader.block_count(), (nodes + 7) / 8);
    OptionalScanner scanner(reader, kPlain, small_archive_options().block_bits);
    for (Uid node = 0; node < nodes; ++node) EXPECT_EQ(scanner.read(node), rows[node]);
    EXPECT_EQ(scanner.read(0), rows[0]);  // and back
  }
}

TEST(OptionalLayers, SummariesCountWhatIsThere) {
  const TemporaryFolder folder;
  Random random(3);
  const std::vector<LayerRow> rows = some_rows(random, 30);
  const LayerReader reader = open_rows(folder.path(), write_rows(folder.path(), rows));
  for (std::uint64_t block = 0; block < reader.block_count(); ++block) {
    BlockSummary due;
    for (Uid node = 8 * block; node < std::min<Uid>(8 * block + 8, rows.size()); ++node) {
      ++due.nodes;
      due.filled += rows[node].empty() ? 0 : 1;
      due.items += rows[node].empty() ? 0 : rows[node][0].numbers.size();
      due.content += content_of_row(node, rows[node]);
    }
    EXPECT_EQ(reader.summary(block), due);
  }
}

TEST(OptionalLayers, ACopiedBlockIsTheSameBytes) {
  const TemporaryFolder folder;
  Random random(4);
  const std::vector<LayerRow> rows = some_rows(random, 37);
  const auto files = write_rows(folder / "one", rows);
  const LayerReader before = open_rows(folder / "one", files);
  for (std::uint64_t block = 0; block < before.block_count(); ++block) {
    const auto other = folder / ("copied-" + std::to_string(block));
    EXPECT_EQ(write_rows(other, rows, &before, block), files) << block;
  }
}

TEST(OptionalLayers, RowsThatDifferHaveOtherContent) {
  const LayerRow row = {{.numbers = {1, 2}}, {.texts = {"a", "bc"}}};
  const LayerRow other = {{.numbers = {1, 2}}, {.texts = {"ab", "c"}}};
  EXPECT_NE(content_of_row(1, row), content_of_row(1, other));
  EXPECT_NE(content_of_row(1, row), content_of_row(2, row));
  EXPECT_EQ(content_of_row(1, {}), 0U);
}

// A chunk of another number of nodes than its directory says, and one of other columns.
TEST(OptionalLayers, AWrongChunkIsCorrupt) {
  const TemporaryFolder folder;
  Random random(5);
  const LayerReader reader =
      open_rows(folder.path(), write_rows(folder.path(), some_rows(random, 20)));
  LayerEntry fewer = kPlain;
  fewer.decode = [](std::string_view) { return std::vector<LayerRow>(1); };
  LayerEntry wider = kPlain;
  wider.decode = [](std::string_view bytes) {
    auto rows = decode_plainly(bytes);
    for (LayerRow& row : rows) row.resize(3);
    return rows;
  };
  for (const LayerEntry& wrong : {fewer, wider}) {
    OptionalScanner scanner(reader, wrong, small_archive_options().block_bits);
    try {
      scanner.read(0);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    }
  }
}

// Each optional layer knows what it holds about a page, and no other layer is asked.
TEST(OptionalLayers, OnlyTheyHaveFactsOfTheirOwn) {
  for (const LayerEntry& entry : layer_table()) {
    if (!entry.is_optional) {
      EXPECT_FALSE(is_restored(entry.layer)) << entry.name;
    } else {
      EXPECT_EQ(item_count(row_of(entry.layer, {})), 0U) << entry.name;
    }
  }
}

}  // namespace
}  // namespace webstrata
