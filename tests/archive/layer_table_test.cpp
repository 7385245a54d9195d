// SPDX-License-Identifier: Apache-2.0

// The expected numbers and names are those of docs/FORMAT.md.

#include <gtest/gtest.h>

#include <set>

#include "tests/archive/small_archive.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/disk/layer.h"
#include "webstrata/archive/disk/manifest.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

constexpr std::array kNine = {"names",     "links",    "times",  "presence",   "kinds",
                              "sightings", "in_links", "ranges", "in_presence"};

TEST(LayerTable, HasTheNumbersAndNamesOfTheFormat) {
  ASSERT_GE(layer_table().size(), kNine.size());
  for (std::size_t i = 0; i < layer_table().size(); ++i) {
    const LayerEntry& entry = layer_table()[i];
    EXPECT_EQ(static_cast<std::size_t>(entry.layer), i);
    EXPECT_EQ(entry.is_optional, i >= kNine.size()) << entry.name;
    if (i < kNine.size()) {
      EXPECT_EQ(entry.name, kNine[i]);
    }
    EXPECT_EQ(layer_named(entry.name), entry.layer);
    EXPECT_EQ(to_string(entry.layer), entry.name);
    EXPECT_EQ(&entry_of(entry.layer), &entry);
  }
  EXPECT_FALSE(layer_named("peel").has_value());
  EXPECT_FALSE(layer_named("").has_value());
}

TEST(LayerTable, ColumnsHaveNamesOfTheirOwn) {
  std::set<std::string_view> in_documents;
  for (const LayerEntry& entry : layer_table()) {
    std::set<std::string_view> names;
    for (const LayerColumn& column : entry.columns) {
      EXPECT_TRUE(names.insert(column.name).second) << entry.name << " " << column.name;
    }
    for (const LayerColumn& column : entry.document_columns) {
      EXPECT_TRUE(in_documents.insert(column.name).second) << entry.name << " " << column.name;
    }
    if (!entry.is_optional) continue;
    EXPECT_FALSE(entry.help.empty()) << entry.name;
    EXPECT_TRUE(entry.document_columns.empty()) << entry.name;
    EXPECT_EQ(entry.columns.front().name, "uid");
    for (const LayerColumn& column : entry.columns.subspan(1)) {
      EXPECT_TRUE(column.type == "list<int64>" || column.type == "list<string>") << column.type;
    }
  }
}

// An optional layer that was not asked for leaves no trace: MANIFEST and files are those of before.
TEST(LayerTable, AnArchiveHasTheNineUnlessMoreAreAskedFor) {
  const TemporaryFolder folder;
  build_archive(folder.path() / "a", {});
  const Manifest manifest = Manifest::load(folder.path() / "a");
  ASSERT_EQ(manifest.layers.size(), kNine.size());
  std::size_t i = 0;
  for (const auto& [layer, files] : manifest.layers) EXPECT_EQ(to_string(layer), kNine[i++]);
  EXPECT_TRUE(manifest.options.optional_layers.empty());
  EXPECT_EQ(layers_of({}).size(), kNine.size());
}

TEST(LayerTable, EveryOptionalLayerIsInTheOptionsOfItsManifest) {
  Manifest manifest;
  manifest.facts_digest = std::string(32, '0');
  for (const LayerEntry& entry : layer_table()) {
    if (entry.is_optional) manifest.options.optional_layers.push_back(entry.layer);
  }
  for (const Layer layer : layers_of(manifest.options)) manifest.layers[layer];
  EXPECT_EQ(Manifest::parse(manifest.to_text(), "MANIFEST"), manifest);
  EXPECT_EQ(manifest.layers.size(), layer_table().size());
}

// Bytes of any kind are a chunk or Error(Corrupt).
TEST(LayerTable, ChunksAreChecked) {
  for (const LayerEntry& entry : layer_table()) {
    Random random(7);
    std::size_t refused = 0;
    for (int round = 0; round < 200; ++round) {
      std::string bytes;
      for (std::uint64_t size = random.below(40); size > 0; --size) {
        bytes.push_back(static_cast<char>(random.below(256)));
      }
      try {
        entry.check_chunk(bytes, 0);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
        ++refused;
      }
    }
    EXPECT_GT(refused, 0U) << entry.name;
  }
}

}  // namespace
}  // namespace webstrata
