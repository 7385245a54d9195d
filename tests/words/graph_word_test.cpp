// SPDX-License-Identifier: Apache-2.0
#include "webstrata/words/graph_word.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// 2015-06-30 23:59:59, and the borders of 2015 and 2016.
constexpr Time kEndOfJune = 1435708799;
constexpr Time kBegin2015 = 1420070400;
constexpr Time kEnd2016 = 1483228799;

class GraphWord : public testing::Test {
 protected:
  GraphWord() {
    build(archive_, {});
    write_file(file_, "0\t1\n");
  }
  GraphTime time_of(const std::string& ending) const {
    return graph_of(archive_.string() + ending).request.time;
  }
  [[nodiscard]] GraphWords flags(const std::filesystem::path& word) const {
    GraphWords flags;
    flags.word = word;
    return flags;
  }

  TemporaryFolder folder_;
  std::filesystem::path archive_ = folder_.path() / "a.ws";
  std::filesystem::path file_ = folder_.path() / "links@2015.tsv";
};

TEST_F(GraphWord, AnArchiveMayBeFollowedByItsTime) {
  EXPECT_EQ(time_of(""), GraphTime::ever());
  EXPECT_EQ(time_of("@2015-06"), GraphTime::at(kEndOfJune));
  EXPECT_EQ(time_of("@2015..2016"), GraphTime::during({kBegin2015, kEnd2016}));
  EXPECT_EQ(time_of("@..2016"), GraphTime::during({std::numeric_limits<Time>::min(), kEnd2016}));
  EXPECT_THROW(static_cast<void>(time_of("@")), Error);
  EXPECT_THROW(static_cast<void>(time_of("@2016..2015")), Error);
}

TEST_F(GraphWord, OptionsSayTheSame) {
  GraphWords at = flags(archive_);
  at.at = "2015-06";
  EXPECT_EQ(graph_of(at).request.time, GraphTime::at(kEndOfJune));
  EXPECT_EQ(graph_of(at).date, "2015-06");
  EXPECT_EQ(graph_of(archive_.string() + "@2015..2016").date, "2015..2016");
  EXPECT_EQ(graph_of(flags(archive_)).date, "");
  GraphWords during = flags(archive_);
  during.during = "2015..2016";
  during.carry = true;
  EXPECT_EQ(graph_of(during).request.time, GraphTime::during({kBegin2015, kEnd2016}, true));
  GraphWords view = flags(archive_);
  view.level = "domain";
  view.fold = "ia";
  view.without_inner_links = true;
  EXPECT_EQ(graph_of(view).request.view,
            (GraphView{.fold = Dialect::Ia, .level = Level::Domain, .inner_links = false}));
}

TEST_F(GraphWord, AFileThatIsThereKeepsItsName) {
  const GraphSource source = graph_of(file_.string());
  EXPECT_FALSE(source.archive);
  EXPECT_EQ(source.file, file_);
  EXPECT_EQ(load(source, {}).link_count(), 1);
}

TEST_F(GraphWord, AFileKnowsNoTimesAndKinds) {
  EXPECT_THROW(graph_of(file_.string() + "@2015"), Error);
  GraphWords at = flags(file_);
  at.at = "2015";
  EXPECT_THROW(graph_of(at), Error);
  GraphWords kinds = flags(file_);
  kinds.kinds = "all";
  EXPECT_THROW(graph_of(kinds), Error);
}

TEST_F(GraphWord, ContradictionsAreRefused) {
  GraphWords twice = flags(archive_.string() + "@2015");
  twice.at = "2016";
  EXPECT_THROW(graph_of(twice), Error);
  GraphWords carry = flags(archive_);
  carry.carry = true;
  EXPECT_THROW(graph_of(carry), Error);
  GraphWords urls = flags(archive_);
  urls.urls = "names.gz";
  EXPECT_THROW(graph_of(urls), Error);
}

}  // namespace
}  // namespace webstrata
