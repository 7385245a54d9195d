// SPDX-License-Identifier: Apache-2.0
#include "compressing.h"
#include "reading.h"

#include <unistd.h>

#include "webstrata/base/file.h"

namespace webstrata {
namespace {

std::string cdxj_line(int number) {
  return "example,a)/" + std::to_string(number) + R"( 20210101000000 {"url":"http://a.example/)" +
         std::to_string(number) + R"(","status":"200"})" + "\n";
}

// An index of blocks in a folder of its own.
class ZipnumFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("zipnum-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Appends a block of two lines to a shard, and its line to the index.
  void add_block(const std::string& shard, int first) {
    const std::string block = gzip_member(cdxj_line(first) + cdxj_line(first + 1));
    index_ += "example,a)/" + std::to_string(first) + " 20210101000000\t" + shard + "\t" +
              std::to_string(shards_[shard].size()) + "\t" + std::to_string(block.size()) + "\t" +
              std::to_string(first) + "\n";
    shards_[shard] += block;
  }
  Reading read() {
    for (const auto& [name, bytes] : shards_) write_file(folder_ / name, bytes);
    write_file(folder_ / "cluster.idx", index_);
    return read_path(folder_ / "cluster.idx");
  }

  std::filesystem::path folder_;
  std::map<std::string, std::string> shards_;
  std::string index_;
};

TEST_F(ZipnumFolder, TheIndexLeadsToItsShardsInOrder) {
  add_block("cdx-00000.gz", 0);
  add_block("cdx-00000.gz", 2);
  add_block("cdx-00001.gz", 4);
  const Reading reading = read();
  EXPECT_EQ(reading.format, "zipnum");
  EXPECT_EQ(reading.report.damage_count(), 0u);
  ASSERT_EQ(reading.captures.size(), 6u);
  EXPECT_EQ(reading.record_count, 6u);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(reading.captures[static_cast<std::size_t>(i)].sighting.url,
              "http://a.example/" + std::to_string(i));
  }
}

TEST_F(ZipnumFolder, AMissingShardIsDamageAndTheOthersAreRead) {
  add_block("cdx-00000.gz", 0);
  index_ += "example,a)/9 20210101000000\t../../etc/cdx-00009.gz\t0\t100\t9\n";
  index_ += "no line of an index\n";
  add_block("cdx-00001.gz", 2);
  const Reading reading = read();
  EXPECT_EQ(reading.captures.size(), 4u);
  ASSERT_EQ(reading.report.damage_count(), 2u);
  std::set<std::string> reasons;
  for (const Damage& damage : reading.report.damages()) reasons.insert(damage.reason);
  EXPECT_TRUE(
      reasons.count("shard 'cdx-00009.gz' is not next to the index, and no .loc file names it"));
}

// Real indexes were seen in which no block ends in a line feed.
TEST_F(ZipnumFolder, TheLastLineOfABlockMayLackItsLineFeed) {
  std::string shard;
  for (int i = 0; i < 6; i += 2) {
    std::string text = cdxj_line(i) + cdxj_line(i + 1);
    text.pop_back();
    const std::string block = gzip_member(text);
    index_ += "example,a)/" + std::to_string(i) + " 20210101000000\tcdx-00000.gz\t" +
              std::to_string(shard.size()) + "\t" + std::to_string(block.size()) + "\t1\n";
    shard += block;
  }
  shards_["cdx-00000.gz"] = shard;
  const Reading by_index = read();
  const Reading alone = read_bytes(shard);
  for (const Reading& reading : {by_index, alone}) {
    EXPECT_EQ(reading.report.damage_count(), 0u);
    ASSERT_EQ(reading.captures.size(), 6u);
    EXPECT_EQ(reading.record_count, 6u);
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(reading.captures[static_cast<std::size_t>(i)].sighting.url,
                "http://a.example/" + std::to_string(i));
    }
  }
}

std::string cdx_line(int number) {
  return "example,a)/" + std::to_string(number) + " 20210101000000 http://a.example/" +
         std::to_string(number) + " text/html 200 ABC - - 5 0 a.warc.gz";
}

TEST(Zipnum, BlocksOfOneLineWithoutAnEndAreLines) {
  std::string cdx = gzip_member(" CDX N b a m s k r M S V g");
  std::string without_header;
  for (int i = 0; i < 5; ++i) {
    cdx += gzip_member(cdx_line(i));
    without_header += gzip_member(cdx_line(i));
  }
  for (const std::string& bytes : {cdx, without_header}) {
    const Reading reading = read_bytes(bytes);
    EXPECT_EQ(reading.format, "cdx");
    EXPECT_EQ(reading.report.damage_count(), 0u);
    ASSERT_EQ(reading.captures.size(), 5u);
    EXPECT_EQ(reading.captures[4].sighting.url, "http://a.example/4");
  }
}

// bgzip and pigz end members anywhere. Every place of a cut gives the same lines.
TEST(Zipnum, ALineThatIsCutBetweenMembersIsOneLine) {
  const std::string cdxj = cdxj_line(0) + cdxj_line(1) + cdxj_line(2);
  const std::string cdx = cdx_line(0) + "\n" + cdx_line(1) + "\n" + cdx_line(2) + "\n";
  for (const std::string& text : {cdxj, cdx}) {
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
      SCOPED_TRACE(cut);
      const Reading reading =
          read_bytes(gzip_member(text.substr(0, cut)) + gzip_member(text.substr(cut)));
      EXPECT_EQ(reading.report.damage_count(), 0u);
      ASSERT_EQ(reading.captures.size(), 3u);
      EXPECT_EQ(reading.captures[2].sighting.url, "http://a.example/2");
    }
  }
}

TEST_F(ZipnumFolder, ALocFileSaysWhereTheShardsAre) {
  add_block("cdx-00000.gz", 0);
  add_block("cdx-00001.gz", 2);
  add_block("cdx-00002.gz", 4);
  const auto elsewhere = folder_ / "elsewhere";
  std::filesystem::create_directories(elsewhere);
  for (const auto& [name, bytes] : shards_) write_file(elsewhere / ("moved-" + name), bytes);
  shards_.clear();
  write_file(folder_ / "cluster.loc",
             "cdx-00000.gz\telsewhere/moved-cdx-00000.gz\n"
             "cdx-00001.gz\thttp://a.example/cdx-00001.gz\t" +
                 (elsewhere / "moved-cdx-00001.gz").string() + "\ncdx-00002.gz\tfile://" +
                 (elsewhere / "moved-cdx-00002.gz").string() + "\n");
  const Reading reading = read();
  EXPECT_EQ(reading.report.damage_count(), 0u);
  ASSERT_EQ(reading.captures.size(), 6u);
  EXPECT_EQ(reading.captures[5].sighting.url, "http://a.example/5");
}

TEST_F(ZipnumFolder, AShardThatIsNotWhereTheLocFileSaysIsDamage) {
  add_block("cdx-00000.gz", 0);
  add_block("cdx-00001.gz", 2);
  shards_.erase("cdx-00001.gz");
  write_file(folder_ / "all.loc", "cdx-00001.gz\thttp://a.example/cdx-00001.gz\n");
  const Reading reading = read();
  EXPECT_EQ(reading.captures.size(), 2u);
  ASSERT_EQ(reading.report.damage_count(), 1u);
  EXPECT_EQ(reading.report.damages()[0].reason,
            "shard 'cdx-00001.gz' is not where the .loc file says");
}

TEST_F(ZipnumFolder, ADamagedBlockIsToldWithItsShardsName) {
  add_block("cdx-00000.gz", 0);
  add_block("cdx-00000.gz", 2);
  std::string& bytes = shards_["cdx-00000.gz"];
  bytes[15] = static_cast<char>(bytes[15] ^ 0x55);
  const Reading reading = read();
  ASSERT_GE(reading.report.damage_count(), 1u);
  EXPECT_TRUE(reading.report.damages()[0].reason.starts_with("cdx-00000.gz: "));
  ASSERT_GE(reading.captures.size(), 2u);
  EXPECT_EQ(reading.captures.back().sighting.url, "http://a.example/3");
}

TEST_F(ZipnumFolder, AShardThatEndsEarlyIsDamage) {
  add_block("cdx-00000.gz", 0);
  index_ += "example,a)/9 20210101000000\tcdx-00000.gz\t" +
            std::to_string(shards_["cdx-00000.gz"].size()) + "\t100\t9\n";
  const Reading reading = read();
  EXPECT_EQ(reading.captures.size(), 2u);
  EXPECT_EQ(reading.report.damage_count(), 1u);
}

TEST_F(ZipnumFolder, TheFormInsideAWaczIsUnderstood) {
  add_block("index.cdx.gz", 0);
  add_block("index.cdx.gz", 2);
  const std::size_t size = shards_["index.cdx.gz"].size();
  index_ = R"(!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"})"
           "\nexample,a)/0 20210101000000 {\"offset\": 0, \"length\": " +
           std::to_string(size) + "}\n";
  const Reading reading = read();
  EXPECT_EQ(reading.format, "zipnum");
  EXPECT_EQ(reading.captures.size(), 4u);
}

TEST(Zipnum, WithoutAFolderNoShardIsFound) {
  const Reading reading = read_bytes("example,a)/ 20210101000000\tcdx-00000.gz\t0\t100\t1\n");
  EXPECT_EQ(reading.format, "zipnum");
  EXPECT_EQ(reading.report.damage_count(), 1u);
}

}  // namespace
}  // namespace webstrata
