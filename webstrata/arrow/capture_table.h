// SPDX-License-Identifier: Apache-2.0

// Captures and sightings as tables: one row each, in webstrata's own columns or in those of Common
// Crawl's columnar index.
//
//   const auto builder = make_capture_builder(CaptureSchema::Webstrata);
//   builder->add(capture);
//   const Table table = builder->finish();

#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "webstrata/arrow/table.h"
#include "webstrata/facts/sighting.h"

namespace webstrata::arrow {

enum class CaptureSchema : std::uint8_t {
  // url, time, status, outcome, kind, mime, digest, redirect_target, truncated, file, offset,
  // length, crawl, spelling, refers_to_url, refers_to_time, title, text, and links: a list of
  // (url, kinds, count, text, context). Unknown is null; a sighting has null links, a page without
  // links an empty list.
  Webstrata,
  // The flat schema of Common Crawl's index, with its partitions `crawl` and `subset`. Sightings
  // without a status are left out; an unknown place has an empty name and offset -1.
  CommonCrawl,
};
std::optional<CaptureSchema> parse_capture_schema(std::string_view name) noexcept;

class CaptureBuilder {
 public:
  virtual ~CaptureBuilder() = default;
  // Throws Error(BadInput) if a value does not fit its column.
  virtual void add(const Capture& capture) = 0;
  [[nodiscard]] virtual std::int64_t row_count() const = 0;
  // Its approximate memory.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  // The builder is empty afterwards.
  virtual Table finish() = 0;
};

std::unique_ptr<CaptureBuilder> make_capture_builder(CaptureSchema schema);

}  // namespace webstrata::arrow
