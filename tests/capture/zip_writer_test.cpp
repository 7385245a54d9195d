// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/zip_writer.h"

#include <gtest/gtest.h>

#include "../temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/capture/formats/zip_directory.h"

namespace webstrata {
namespace {

// Of "abc", from FIPS 180-2.
constexpr std::string_view kShaOfAbc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

// With a limit of 4 bytes nearly everything is written as ZIP64 does.
TEST(ZipWriter, EntriesAreFoundAgainAlsoLargeOnes) {
  for (const std::uint64_t large_from : {std::uint64_t{0xffffffff}, std::uint64_t{4}}) {
    TemporaryFolder folder;
    write_file(folder / "abc", "abc");
    ZipWriter zip(folder / "a.zip", parse_time("20260102030405").value(), large_from);
    const ZippedEntry first = zip.add_file("archive/abc", folder / "abc");
    EXPECT_EQ(first.sha256, kShaOfAbc);
    EXPECT_EQ(first.bytes, 3U);
    zip.add_bytes("some.json", "{\"a\":1}");
    zip.add_bytes("empty", "");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.zip"));
    zip.finish();
    Report report;
    const std::string bytes = read_file(folder / "a.zip");
    RandomAccess file{std::string_view(bytes)};
    const auto entries = read_zip_directory(file, report);
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[0].crc, 0x352441c2U);  // of "abc"
    std::vector<std::string> contents;
    for (const ZipEntry& entry : entries) {
      EXPECT_EQ(entry.method, ZipMethod::Stored);
      EXPECT_EQ(entry.size, entry.compressed_size);
      const auto place = find_zip_data(file, entry, report);
      ASSERT_TRUE(place);
      contents.push_back(bytes.substr(*place, entry.size));
    }
    EXPECT_EQ(contents, (std::vector<std::string>{"abc", "{\"a\":1}", ""}));
    EXPECT_EQ(report.damage_count(), 0U);
  }
}

TEST(ZipWriter, LeavesNothingBehindWhenItIsNotFinished) {
  TemporaryFolder folder;
  { ZipWriter(folder / "a.zip", 0).add_bytes("a", "b"); }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_THROW(ZipWriter(folder / "a.zip", 0).add_file("a", folder / "none"), Error);
}

}  // namespace
}  // namespace webstrata
