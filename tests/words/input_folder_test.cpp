// SPDX-License-Identifier: Apache-2.0

#include "webstrata/words/input_folder.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

using Files = std::vector<std::string>;

class InputFolder : public ::testing::Test {
 protected:
  void add(const std::string& name) {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << "x";
  }
  Files found(const Files& patterns = {}) {
    Files names;
    for (const std::string& file : crawl_files_in(folder_.path(), patterns)) {
      names.push_back(std::filesystem::path(file).lexically_relative(folder_.path()).string());
    }
    return names;
  }
  TemporaryFolder folder_;
};

TEST_F(InputFolder, NamesOfCrawlFilesAreKnown) {
  for (const std::string_view name :
       {"a.warc", "a.warc.gz", "a.warc.zst", "a.wat.gz", "a.arc.lz4", "a.wacz", "a.cdx", "a.cdxj",
        "cluster.idx", "a.jsonl.gz", "a.ndjson", "a.tsv", "crawl.log", "crawl.log.gz"}) {
    EXPECT_TRUE(is_crawl_file_name(name)) << name;
  }
  for (const std::string_view name : {"a.txt", "warc", "a.warc.gz.open", "a.gz", "progress.log"}) {
    EXPECT_FALSE(is_crawl_file_name(name)) << name;
  }
}

TEST_F(InputFolder, AllBelowInTheOrderOfPaths) {
  for (const auto* name : {"b.warc.gz", "a/z.warc", "a/b/c.cdxj", "a.txt", ".hidden/d.warc"}) {
    add(name);
  }
  EXPECT_EQ(found(), Files({"a/b/c.cdxj", "a/z.warc", "b.warc.gz"}));
}

TEST_F(InputFolder, PatternsChoose) {
  for (const auto* name : {"b.warc.gz", "a/z.warc.gz", "a/c.cdxj", "odd.name"}) add(name);
  EXPECT_EQ(found({"*.warc.gz"}), Files({"a/z.warc.gz", "b.warc.gz"}));
  EXPECT_EQ(found({"a/*"}), Files({"a/c.cdxj", "a/z.warc.gz"}));
  EXPECT_EQ(found({"odd*", "*.cdxj"}), Files({"a/c.cdxj", "odd.name"}));
}

TEST_F(InputFolder, AFolderWithoutCrawlFilesIsAnError) {
  add("a.txt");
  EXPECT_THROW(found(), Error);
  EXPECT_THROW(found({"*.warc"}), Error);
  add("MANIFEST");
  add("a.warc");
  EXPECT_THROW(found(), Error) << "an archive";
}

TEST_F(InputFolder, InputsMayBeFolders) {
  add("a/1.warc");
  add("a/2.cdxj");
  const std::string folder = (folder_.path() / "a").string();
  EXPECT_EQ(expand_inputs({"x.warc", folder}),
            Files({"x.warc", folder + "/1.warc", folder + "/2.cdxj"}));
  EXPECT_EQ(expand_inputs({folder, "x.warc"}, {"*.warc"}), Files({folder + "/1.warc", "x.warc"}));
}

}  // namespace
}  // namespace webstrata
