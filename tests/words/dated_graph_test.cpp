// SPDX-License-Identifier: Apache-2.0
#include "webstrata/words/dated_graph.h"

#include <gtest/gtest.h>

#include "../temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

TEST(DatedGraph, ADateIsItsFirstSecond) {
  TemporaryFolder folder;
  const std::string path = (folder.path() / "a@b.tsv").string();
  write_file(path, "http://a.org/\thttp://b.org/\n");
  const DatedGraph graph = dated_graph_of("--graph", path + "@2024-05");
  EXPECT_EQ(graph.path, path);
  EXPECT_EQ(graph.time, parse_interval("2024-05")->first);
  EXPECT_TRUE(graph.names.empty());
  for (const std::string& word : {path, path + "@", path + "@soon", path + "@2024-13",
                                  std::string("@2024"), path + "x@2024"}) {
    EXPECT_THROW(dated_graph_of("--graph", word), Error) << word;
  }
}

TEST(DatedGraph, NamesAreForEachOrForNone) {
  TemporaryFolder folder;
  const std::string path = (folder.path() / "a.tsv").string();
  write_file(path, "http://a.org/\thttp://b.org/\n");
  const auto graphs =
      dated_graphs_of("--graph", {path + "@2023", path + "@2024"}, "--graph-names", {"x", "y"});
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[1].names, "y");
  EXPECT_THROW(dated_graphs_of("--graph", {path + "@2023", path + "@2024"}, "--names", {"x"}),
               Error);
}

}  // namespace
}  // namespace webstrata
