// SPDX-License-Identifier: Apache-2.0

// Captures as rows: unknown is null, no links is an empty list, and text is always UTF-8.

#include "webstrata/arrow/capture_table.h"

#include <gtest/gtest.h>

#include "webstrata/arrow/capture_stream.h"
#include "webstrata/base/error.h"

namespace webstrata::arrow {
namespace {

Capture page(std::string url) {
  Capture capture;
  capture.sighting.url = std::move(url);
  capture.sighting.time = 1609459200;
  capture.sighting.status = 200;
  capture.sighting.outcome = Outcome::Alive;
  capture.links_known = true;
  return capture;
}

TEST(CaptureTable, ASightingHasNullLinksAndAPageWithoutLinksAnEmptyList) {
  const auto builder = make_capture_builder(CaptureSchema::Webstrata);
  Capture linked = page("http://a.example/");
  linked.links.add({.target = "http://b.example/", .kinds = LinkKind::Navigation});
  Capture sighting = page("http://c.example/");
  sighting.links_known = false;
  for (const Capture& capture : {linked, page("http://b.example/"), sighting})
    builder->add(capture);
  EXPECT_EQ(builder->row_count(), 3);
  const Table table = builder->finish();
  const Column& links = *table.find("links");
  EXPECT_EQ(links.null_count, 1);
  EXPECT_TRUE(links.is_null(2));
  const auto* offsets = static_cast<const std::int64_t*>(links.buffers[1].get());
  EXPECT_EQ(offsets[1], 1);
  EXPECT_EQ(offsets[3], 1);
  EXPECT_EQ(links.children[0].children[0].text(0), "http://b.example/");
  EXPECT_TRUE(table.find("mime")->is_null(0));
  EXPECT_EQ(builder->row_count(), 0);
  EXPECT_EQ(builder->finish().row_count(), 0);
}

// Scripts rely on the order.
TEST(CaptureTable, HasTheColumnsThatTheHeaderNames) {
  std::string names;
  for (const Column& column : make_capture_builder(CaptureSchema::Webstrata)->finish().columns) {
    names += column.name + ":" + column.format + " ";
  }
  EXPECT_EQ(names,
            "url:U time:tss:UTC status:s outcome:U kind:U mime:U digest:U redirect_target:U "
            "truncated:b file:U offset:l length:l crawl:U spelling:U refers_to_url:U "
            "refers_to_time:tss:UTC title:U text:U links:+L ");
}

TEST(CaptureTable, WhatIsNoUtf8IsMended) {
  const auto builder = make_capture_builder(CaptureSchema::Webstrata);
  Capture capture = page("http://a.example/");
  capture.sighting.file = "caf\xe9.warc";
  builder->add(capture);
  EXPECT_EQ(builder->finish().find("file")->text(0), "caf\xef\xbf\xbd.warc");
}

TEST(CaptureTable, CommonCrawlLeavesOutWhatHasNoStatus) {
  const auto builder = make_capture_builder(CaptureSchema::CommonCrawl);
  Capture unknown = page("http://a.example/");
  unknown.sighting.status = std::nullopt;
  builder->add(unknown);
  builder->add(page("http://www.example.co.uk:81/b?c"));
  const Table table = builder->finish();
  ASSERT_EQ(table.row_count(), 1);
  EXPECT_EQ(table.columns.size(), 32u);
  EXPECT_EQ(table.find("url_host_registered_domain")->text(0), "example.co.uk");
  EXPECT_EQ(table.find("url_surtkey")->text(0), "uk,co,example:81)/b?c");
  EXPECT_EQ(table.find("warc_record_offset")->values<std::int32_t>()[0], -1);
}

TEST(CaptureTable, CommonCrawlRefusesPlacesBeyond32Bits) {
  const auto builder = make_capture_builder(CaptureSchema::CommonCrawl);
  Capture far = page("http://a.example/");
  far.sighting.file = "huge.warc";
  far.sighting.offset = std::uint64_t{1} << 31;
  EXPECT_THROW(builder->add(far), Error);
  EXPECT_EQ(builder->row_count(), 0);
}

TEST(CaptureStream, AMissingFileIsToldAndNothingElseHappens) {
  const auto stream = read_captures({"/nowhere/x.warc"}, {}, {}, CaptureSchema::Webstrata);
  EXPECT_FALSE(stream->next().has_value());
  ASSERT_EQ(stream->summaries().size(), 1u);
  EXPECT_NE(stream->summaries()[0].error, "");
}

TEST(CaptureStream, CancelledItSaysSo) {
  const auto stream = read_captures({"/nowhere/x.warc"}, {}, {}, CaptureSchema::Webstrata);
  stream->cancel();
  EXPECT_THROW(stream->next(), Error);
}

}  // namespace
}  // namespace webstrata::arrow
