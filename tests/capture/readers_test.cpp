// SPDX-License-Identifier: Apache-2.0

// What real files begin with, and which reader must recognise them.

#include "webstrata/capture/formats/readers.h"

#include <gtest/gtest.h>

#include <set>

namespace webstrata {
namespace {

std::string_view format_of(std::string_view bytes) {
  const ReaderEntry* entry = recognise(bytes);
  return entry == nullptr ? "" : entry->name;
}

TEST(Readers, RecogniseEachOthersFormatsNot) {
  EXPECT_EQ(format_of("WARC/1.0\r\nWARC-Type: warcinfo\r\n"), "warc");
  EXPECT_EQ(format_of("\r\n\r\nWARC/1.1\r\n"), "warc");
  EXPECT_EQ(format_of("filedesc://x.arc 0.0.0.0 20080430204825 text/plain 77\n1 0 IA\n"), "arc");
  EXPECT_EQ(format_of("http://a.example/ 192.0.2.1 19970417175710 text/html 4270\nHTTP/1.0 "),
            "arc");
  EXPECT_EQ(format_of("PK\x03\x04rest of a zip"), "wacz");
  EXPECT_EQ(format_of(" CDX N b a m s k r M S V g\n"), "cdx");
  EXPECT_EQ(format_of("org,example)/ 20140126200624 http://example.org/ text/html 200 "
                      "CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6 - - 3113 862 x.warc.gz\n"),
            "cdx");
  EXPECT_EQ(format_of("org,example)/ 20140126200624 {\"url\": \"http://example.org/\"}\n"), "cdxj");
  EXPECT_EQ(format_of("{\"url\":\"http://a.example/\",\"ts\":\"2021\"}\n"), "jsonl");
  EXPECT_EQ(format_of("http://a.example/\t20210101000000\thttp://b.example/\n"), "tsv");
  EXPECT_EQ(format_of("http://a.example/\t20210101000000\t200\tabc\t295\n"), "tsv");
  EXPECT_EQ(format_of("org,example)/ 20140126200624\tcdx-00000.gz\t0\t8175\t1\n"), "zipnum");
  EXPECT_EQ(format_of("2008-04-30T20:48:25.062Z     1         56 dns:www.archive.org P "
                      "http://www.archive.org/ text/dns #002 20080430204825038+24 "
                      "sha1:YDZ4KGKKRHLKAYVAZQOMKSLIMZQKMGXF - -\n"),
            "crawl-log");
}

TEST(Readers, RefuseWhatIsNoCrawl) {
  for (const char* bytes : {"", "\n", "hello world\n", "<html>", "%PDF-1.4",
                            "\x7f"
                            "ELF",
                            "WAR", "{", "[1, 2]", "a\tb\tc\n", "\x89PNG\r\n"}) {
    EXPECT_EQ(format_of(bytes), "") << bytes;
  }
}

TEST(Readers, HaveDifferentNamesAndASummary) {
  std::set<std::string_view> names;
  for (const ReaderEntry& entry : readers()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.summary.empty());
  }
}

}  // namespace
}  // namespace webstrata
