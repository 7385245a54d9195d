// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/formats/zip_directory.h"

#include <gtest/gtest.h>

#include "make_zip.h"

namespace webstrata {
namespace {

// Name and stored bytes of every entry that can be found.
std::vector<std::pair<std::string, std::string>> entries_in(std::string_view zip, Report& report) {
  RandomAccess bytes(zip);
  std::vector<std::pair<std::string, std::string>> found;
  for (const ZipEntry& entry : read_zip_directory(bytes, report)) {
    if (const auto offset = find_zip_data(bytes, entry, report)) {
      found.emplace_back(entry.name, zip.substr(*offset, entry.compressed_size));
    }
  }
  return found;
}

const std::vector<ZipPart> kParts = {{"archive/a", "first"}, {"b", "second", false, true}};
const std::vector<std::pair<std::string, std::string>> kContents = {{"archive/a", "first"},
                                                                    {"b", "second"}};

TEST(ZipDirectory, EntriesAreFoundWithAndWithoutZip64) {
  for (const bool zip64_end : {false, true}) {
    Report report;
    EXPECT_EQ(entries_in(make_zip(kParts, zip64_end), report), kContents);
    EXPECT_EQ(report.damage_count(), 0u);
  }
}

TEST(ZipDirectory, ACommentAtTheEndDoesNotHideIt) {
  std::string zip = make_zip(kParts);
  zip[zip.size() - 2] = 5;
  zip += "hello";
  Report report;
  EXPECT_EQ(entries_in(zip, report), kContents);
}

TEST(ZipDirectory, WithoutItsEndTheLocalHeadersLead) {
  const std::string zip = make_zip(kParts);
  Report report;
  EXPECT_EQ(entries_in(std::string_view(zip).substr(0, zip.size() - 30), report), kContents);
  EXPECT_GE(report.damage_count(), 1u);
}

TEST(ZipDirectory, ACutEntryGivesWhatIsLeftOfIt) {
  const std::string zip = make_zip({{"archive/a", "first"}, {"b", "0123456789"}});
  Report report;
  const auto found = entries_in(std::string_view(zip).substr(0, zip.find("56789")), report);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].second, "01234");
  EXPECT_EQ(report.damages().back().reason, "ZIP entry b is cut off");
}

TEST(ZipDirectory, NoByteThatIsWrongOrMissingLeadsOutside) {
  const std::string zip = make_zip(kParts, true);
  for (std::size_t i = 0; i < zip.size(); ++i) {
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string damaged = zip;
      damaged[i] = value;
      Report report;
      for (const auto& [name, bytes] : entries_in(damaged, report)) {
        EXPECT_LE(bytes.size(), zip.size());
      }
    }
    Report report;
    entries_in(std::string_view(zip).substr(0, i), report);
  }
}

}  // namespace
}  // namespace webstrata
