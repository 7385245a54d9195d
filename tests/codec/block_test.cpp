// SPDX-License-Identifier: Apache-2.0
#include "webstrata/codec/block.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(Block, GivesBackItsChunksAndFindsNodes) {
  BlockWriter writer;
  writer.add_chunk(0, 3, "abc");
  writer.add_chunk(2, 1, "d");  // node 2 continues
  writer.add_chunk(2, 1, "");
  writer.add_chunk(3, 10, "efg");
  const std::string bytes = writer.finish();
  const BlockView view = BlockView::open(bytes, "test");
  ASSERT_EQ(view.chunks().size(), 4U);
  EXPECT_EQ(view.chunks()[3].bytes, "efg");
  EXPECT_EQ(view.node_count(), 13U);
  EXPECT_EQ(view.chunks_of(1).first, 0U);
  EXPECT_EQ(view.chunks_of(1).end, 1U);
  EXPECT_EQ(view.chunks_of(2).first, 0U);
  EXPECT_EQ(view.chunks_of(2).end, 3U);
  EXPECT_EQ(view.chunks_of(12).first, 3U);
  EXPECT_EQ(view.chunks_of(13).first, view.chunks_of(13).end);
}

TEST(Block, RefusesHolesAndTruncation) {
  BlockWriter writer;
  writer.add_chunk(0, 3, "abc");
  writer.add_chunk(4, 1, "d");
  EXPECT_THROW(BlockView::open(writer.finish(), "test"), Error);
  writer.add_chunk(0, 3, "abc");
  const std::string bytes = writer.finish();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(BlockView::open(std::string_view(bytes).substr(0, size), "test"), Error);
  }
}

}  // namespace
}  // namespace webstrata
