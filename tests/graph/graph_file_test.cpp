// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/graph_file.h"

#include <gtest/gtest.h>

#include "../temporary_folder.h"
#include "random_graph.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/graph/bvgraph.h"
#include "webstrata/graph/graph_text.h"

namespace webstrata {
namespace {

TEST(LoadGraph, RecognisesEveryForm) {
  const TemporaryFolder folder;
  const auto graph = Snapshot::from_links(3, {{0, 1}, {1, 2}, {2, 0}});
  auto names = std::make_shared<NameList>();
  for (const char* name : {"a", "b", "c"}) names->add(name);
  std::filesystem::create_directories(folder / "cc/vertices");
  std::filesystem::create_directories(folder / "cc/edges");

  write_bvgraph(graph, folder / "bv");
  write_tsv(graph, folder / "g.tsv.gz");
  write_ascii_graph(graph, folder / "g.txt");
  write_ascii_graph(graph, folder / "g.graph-txt.gz");
  write_common_crawl(graph.with_names(names), folder / "h-vertices.txt.gz",
                     folder / "h-edges.txt.gz");
  write_common_crawl(graph.with_names(names), folder / "cc/vertices/part-0",
                     folder / "cc/edges/part-0");
  write_file(folder / "urls", "http://a/\nhttp://b/\nhttp://c/\n");

  const std::pair<const char*, GraphFormat> cases[] = {
      {"bv", GraphFormat::BvGraph},
      {"bv.graph", GraphFormat::BvGraph},
      {"bv.properties", GraphFormat::BvGraph},
      {"bv.offsets", GraphFormat::BvGraph},
      {"g.tsv.gz", GraphFormat::Tsv},
      {"g.txt", GraphFormat::Ascii},
      {"g.graph-txt.gz", GraphFormat::Ascii},
      {"h-vertices.txt.gz", GraphFormat::CommonCrawl},
      {"h-edges.txt.gz", GraphFormat::CommonCrawl},
      {"cc", GraphFormat::CommonCrawl},
  };
  for (const auto& [name, format] : cases) {
    SCOPED_TRACE(name);
    EXPECT_EQ(to_string(recognise_graph(folder / name)), to_string(format));
    const Snapshot loaded = load_graph(folder / name, {.urls = folder / "urls"});
    EXPECT_TRUE(same_links(loaded, graph));
    EXPECT_EQ(loaded.name(2), "http://c/");
  }
}

TEST(LoadGraph, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  const auto kind = [&](const std::filesystem::path& path) {
    try {
      load_graph(path);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::Io;
  };
  EXPECT_EQ(kind(folder / "nothing"), ErrorKind::NotFound);
  EXPECT_EQ(kind(folder.path()), ErrorKind::BadInput);
}

}  // namespace
}  // namespace webstrata
