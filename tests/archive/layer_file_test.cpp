// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "tests/temporary_folder.h"
#include "webstrata/archive/disk/layer_part.h"
#include "webstrata/archive/disk/layer_reader.h"
#include "webstrata/archive/disk/layer_writer.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr Layer kLayer = Layer::InLinks;
constexpr std::uint32_t kPartBlocks = 3;

// Block `number` of a layer whose blocks all differ; every fifth one is empty.
std::string block_bytes(std::uint64_t number) {
  if (number % 5 == 4) return {};
  return "block " + std::to_string(number) + std::string(number * 7, static_cast<char>(number));
}

BlockSummary summary_of(std::uint64_t number) {
  return {100 + number,
          50 + number,
          1000 * number,
          -static_cast<Time>(number),
          static_cast<Time>(number) << 33,
          0xfedcba9876543210U + number};
}

std::vector<LayerFile> write_layer(const fs::path& folder, std::uint64_t block_count,
                                   std::uint64_t first_block = 0) {
  fs::create_directories(folder);
  LayerWriter writer(folder, kLayer, kPartBlocks, first_block);
  for (std::uint64_t block = first_block; block < block_count; ++block) {
    writer.add_block(block_bytes(block), summary_of(block));
  }
  return writer.finish();
}

LayerReader open_layer(const fs::path& folder, const std::vector<LayerFile>& files) {
  return LayerReader::open(folder, kLayer, kPartBlocks, files);
}

void expect_same_blocks(const LayerReader& reader, std::uint64_t block_count) {
  ASSERT_EQ(reader.block_count(), block_count);
  for (std::uint64_t block = 0; block < block_count; ++block) {
    EXPECT_EQ(reader.block(block), block_bytes(block));
    EXPECT_EQ(reader.summary(block), summary_of(block));
  }
}

std::uint64_t inode(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_ino;
}

class LayerFiles : public testing::Test {
 protected:
  [[nodiscard]] fs::path at(const char* name) const { return folder_ / name; }
  TemporaryFolder folder_;
};

TEST(Layer, NamesAreTheStemsOfFiles) {
  EXPECT_EQ(to_string(Layer::Names), "names");
  EXPECT_EQ(to_string(Layer::InPresence), "in_presence");
  EXPECT_EQ(part_name(Layer::Links, 2), "links.00002");
  EXPECT_EQ(part_name(Layer::Kinds, 123456), "kinds.123456");
}

TEST_F(LayerFiles, GiveBackWhatWasWritten) {
  for (std::uint64_t count = 0; count <= 10; ++count) {
    const fs::path folder = at(std::to_string(count).c_str());
    const auto files = write_layer(folder, count);
    EXPECT_EQ(files.size(), (count + kPartBlocks - 1) / kPartBlocks);
    for (const LayerFile& file : files) EXPECT_EQ(fs::file_size(folder / file.name), file.size);
    expect_same_blocks(open_layer(folder, files), count);
  }
}

TEST_F(LayerFiles, TellWhereABlockLies) {
  const auto files = write_layer(at("g"), 5);
  const LayerReader reader = open_layer(at("g"), files);
  EXPECT_EQ(reader.layer(), kLayer);
  EXPECT_EQ(reader.part_blocks(), kPartBlocks);
  EXPECT_EQ(reader.part_path(4), at("g") / "in_links.00001");
  EXPECT_EQ(reader.part_file(4), files[1]);
  EXPECT_EQ(reader.describe(4), (at("g") / "in_links.00001, block 4").string());
}

TEST_F(LayerFiles, HaveTheDocumentedBytes) {
  fs::create_directories(at("g"));
  LayerWriter writer(at("g"), Layer::Times, 2);
  writer.add_block("abc", {1, 2, 3, -1, 5, 6});
  const auto files = writer.finish();
  const std::string bytes = read_file(at("g") / "times.00000");
  const auto u64 = [](std::uint64_t value) {
    return std::string(reinterpret_cast<const char*>(&value), 8);  // on a little-endian machine
  };
  const std::string header =
      std::string("wsLAYER\n") + std::string("\1\0\0\0\2\0\0\0\2\0\0\0", 12) + u64(0) + u64(0);
  const std::string table = u64(36) + u64(3) + u64(checksum64("abc")) + u64(1) + u64(2) + u64(3) +
                            std::string(8, '\xff') + u64(5) + u64(6);
  const std::uint64_t checksum = checksum64(header + table + u64(1));
  EXPECT_EQ(bytes, header + "abc" + table + u64(1) + u64(checksum) + "wsLAYEND");
  EXPECT_EQ(files, (std::vector<LayerFile>{{"times.00000", bytes.size(), checksum}}));
}

TEST_F(LayerFiles, AreTheSameWhenSeveralWritersMakeThem) {
  const auto together = write_layer(at("one"), 8);
  auto apart = write_layer(at("two"), 3);
  for (const auto& file : write_layer(at("two"), 8, 3)) apart.push_back(file);
  EXPECT_EQ(together, apart);
  for (const LayerFile& file : together) {
    EXPECT_EQ(read_file(at("one") / file.name), read_file(at("two") / file.name));
  }
}

TEST_F(LayerFiles, CopiedPartsAreLinked) {
  const auto files = write_layer(at("old"), 8);
  const LayerReader old = open_layer(at("old"), files);
  fs::create_directories(at("new"));
  LayerWriter writer(at("new"), kLayer, kPartBlocks);
  for (std::uint64_t block = 0; block < 8; ++block) writer.copy_block(old, block);
  EXPECT_EQ(writer.finish(), files);
  expect_same_blocks(open_layer(at("new"), files), 8);
  for (const LayerFile& file : files) {
    EXPECT_EQ(inode(at("old") / file.name), inode(at("new") / file.name));
  }
}

// Whatever is copied and whatever is written, the bytes are those of writing all.
TEST_F(LayerFiles, AnyMixOfCopiesAndNewBlocksHasTheSameBytes) {
  const auto old_files = write_layer(at("old"), 7);
  const LayerReader old = open_layer(at("old"), old_files);
  for (const std::uint64_t count : {2U, 3U, 7U, 8U}) {
    const fs::path plain = at(("plain" + std::to_string(count)).c_str());
    const auto expected = write_layer(plain, count);
    for (std::uint64_t copied = 0; copied < (1U << std::min<std::uint64_t>(count, 7)); ++copied) {
      const fs::path mixed = at("mixed");
      fs::remove_all(mixed);
      fs::create_directories(mixed);
      LayerWriter writer(mixed, kLayer, kPartBlocks);
      for (std::uint64_t block = 0; block < count; ++block) {
        if (block < 7 && (copied >> block & 1) != 0) {
          writer.copy_block(old, block);
        } else {
          writer.add_block(block_bytes(block), summary_of(block));
        }
      }
      ASSERT_EQ(writer.finish(), expected) << count << " blocks, copied: " << copied;
      for (const LayerFile& file : expected) {
        ASSERT_EQ(read_file(mixed / file.name), read_file(plain / file.name));
      }
    }
  }
}

TEST_F(LayerFiles, ABlockMayMoveToAnotherPlace) {
  const auto files = write_layer(at("old"), 5);
  const LayerReader old = open_layer(at("old"), files);
  fs::create_directories(at("new"));
  LayerWriter writer(at("new"), kLayer, kPartBlocks);
  for (const std::uint64_t block : {1U, 2U, 3U, 0U}) writer.copy_block(old, block);
  const LayerReader moved = open_layer(at("new"), writer.finish());
  EXPECT_EQ(moved.block(0), block_bytes(1));
  EXPECT_EQ(moved.block(3), block_bytes(0));
}

// An existing file of that name makes link() fail, as another disk would, for any user who runs the
// test.
TEST_F(LayerFiles, APartThatCannotBeWrittenIsAnError) {
  const auto files = write_layer(at("old"), 3);
  const LayerReader old = open_layer(at("old"), files);
  fs::create_directories(at("new"));
  write_file(at("new") / "in_links.00000", "in the way");
  LayerWriter writer(at("new"), kLayer, kPartBlocks);
  writer.copy_block(old, 0);
  writer.copy_block(old, 1);
  EXPECT_THROW(writer.copy_block(old, 2), Error);
  EXPECT_EQ(read_file(at("new") / "in_links.00000"), "in the way");
}

TEST_F(LayerFiles, ADamagedBlockIsNamedEveryTimeAndOthersStillAnswer) {
  const auto files = write_layer(at("g"), 8);
  const fs::path path = at("g") / files[2].name;
  std::string bytes = read_file(path);
  bytes[bytes.find("block 7") + 3] ^= 1;
  write_file(path, bytes);
  const LayerReader reader = open_layer(at("g"), files);
  for (int i = 0; i < 3; ++i) {
    try {
      (void)reader.block(7);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
      EXPECT_EQ(error.what(),
                path.string() + ": checksum of block 7 differs; restore it from a copy or rebuild");
    }
    EXPECT_EQ(reader.block(6), block_bytes(6));
  }
}

TEST_F(LayerFiles, DamageIsNeverCopiedIntoANewPart) {
  const auto files = write_layer(at("g"), 3);
  const fs::path path = at("g") / files[0].name;
  std::string bytes = read_file(path);
  bytes[bytes.find("block 1") + 3] ^= 1;
  write_file(path, bytes);
  const LayerReader reader = open_layer(at("g"), files);
  fs::create_directories(at("new"));
  LayerWriter writer(at("new"), kLayer, kPartBlocks);
  writer.copy_block(reader, 0);
  writer.copy_block(reader, 1);
  EXPECT_THROW(writer.add_block("other", {}), Error);
}

// Reads everything; true if there was no error, and then the content must be identical.
bool reads_well(const fs::path& folder, const std::vector<LayerFile>& files,
                std::uint64_t block_count) {
  try {
    expect_same_blocks(open_layer(folder, files), block_count);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << error.what();
    EXPECT_NE(std::string(error.what()).find("in_links.00000"), std::string::npos);
    return false;
  }
}

// In place and without fsync: thousands of times.
void overwrite(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
}

TEST_F(LayerFiles, EveryTruncationIsNoticed) {
  auto files = write_layer(at("g"), 3);
  const fs::path path = at("g") / files[0].name;
  const std::string bytes = read_file(path);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    overwrite(path, bytes.substr(0, size));
    EXPECT_FALSE(reads_well(at("g"), files, 3)) << size;
    // Even if MANIFEST says that it has this size.
    std::vector<LayerFile> believed = files;
    believed[0].size = size;
    EXPECT_FALSE(reads_well(at("g"), believed, 3)) << size;
  }
}

TEST_F(LayerFiles, AFlippedBitInAnyByteIsNoticed) {
  const auto files = write_layer(at("g"), 3);
  const fs::path path = at("g") / files[0].name;
  std::string bytes = read_file(path);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto mask = static_cast<char>(1U << (i % 8));
    bytes[i] ^= mask;
    overwrite(path, bytes);
    EXPECT_FALSE(reads_well(at("g"), files, 3)) << i;
    bytes[i] ^= mask;
  }
}

// A wrong table with a valid checksum, which a fuzzer cannot find by chance.
TEST(LayerPart, ATableThatLiesIsRefused) {
  const std::string header = encode_part_header({Layer::Links, 4, 0, 0});
  const auto refused = [&](std::vector<BlockEntry> blocks) {
    const std::string file = header + "0123456789" + encode_part_end(header, blocks).bytes;
    try {
      read_part(file, "links.00000");
      return false;
    } catch (const Error& error) {
      return error.kind() == ErrorKind::Corrupt;
    }
  };
  constexpr std::uint64_t kStart = 36;
  EXPECT_FALSE(refused({{kStart, 10, 0, {}}}));
  EXPECT_FALSE(refused({{kStart, 4, 0, {}}, {kStart + 4, 6, 0, {}}}));
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused({{kStart, 9, 0, {}}}));   // a byte that belongs to no block
  EXPECT_TRUE(refused({{kStart, 11, 0, {}}}));  // into the table
  EXPECT_TRUE(refused({{kStart, 4, 0, {}}, {kStart + 5, 5, 0, {}}}));       // a hole
  EXPECT_TRUE(refused({{kStart, 6, 0, {}}, {kStart + 4, 6, 0, {}}}));       // an overlap
  EXPECT_TRUE(refused({{kStart, ~0ULL, 0, {}}, {kStart - 1, 11, 0, {}}}));  // round the world
  EXPECT_TRUE(refused(std::vector<BlockEntry>(5, {kStart, 2, 0, {}})));     // more than a part has
}

TEST(LayerPart, ANewerFormatIsRefusedAsSuch) {
  std::string header = encode_part_header({Layer::Links, 4, 0, 0});
  header[8] = 77;
  const std::string file = header + "x" + encode_part_end(header, {{36, 1, 0, {}}}).bytes;
  try {
    read_part(file, "links.00000");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_NE(std::string(error.what()).find("newer webstrata"), std::string::npos);
  }
}

TEST_F(LayerFiles, AnotherFileInItsPlaceIsNoticed) {
  const auto files = write_layer(at("g"), 8);
  fs::copy_file(at("g") / files[0].name, at("g") / files[1].name,
                fs::copy_options::overwrite_existing);
  EXPECT_THROW(open_layer(at("g"), files), Error);
  EXPECT_THROW(LayerReader::open(at("g"), Layer::Links, kPartBlocks, files), Error);
  fs::remove(at("g") / files[1].name);
  try {
    open_layer(at("g"), files);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::NotFound);
  }
}

TEST_F(LayerFiles, ThreadsShareAReader) {
  const auto files = write_layer(at("g"), 20);
  const LayerReader reader = open_layer(at("g"), files);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&reader, i] {
      Random random(static_cast<std::uint64_t>(i));
      for (int turn = 0; turn < 2000; ++turn) {
        const std::uint64_t block = random.below(20);
        EXPECT_EQ(reader.block(block), block_bytes(block));
        if (turn % 10 == 0) reader.release(block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace webstrata
