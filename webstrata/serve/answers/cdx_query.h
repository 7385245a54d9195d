// SPDX-License-Identifier: Apache-2.0

// The parameters of a CDX server, as pywb, OutbackCDX and the Wayback Machine have them.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/serve/ask/question.h"

namespace webstrata::serve {

// One line of an index, with its fields as text; "-" for what is not known.
struct CdxRow {
  std::string urlkey;
  std::string timestamp;
  std::string url;
  std::string mime;
  std::string status;
  std::string digest;
  std::string redirect;
  std::string length;
  std::string offset;
  std::string filename;
  Time time = 0;
};

// The value of a field by any of its names ("original" is "url"); null if there is none.
const std::string* cdx_field(const CdxRow& row, std::string_view name);

enum class CdxMatch : std::uint8_t { Exact, Prefix, Host, Domain };
enum class CdxSort : std::uint8_t { Forward, Reverse, Closest };

struct CdxQuery {
  std::string url;
  CdxMatch match = CdxMatch::Exact;
  TimeInterval interval = kAllTime;
  std::vector<std::function<bool(const CdxRow&)>> filters = {};
  CdxSort sort = CdxSort::Forward;
  Time closest = 0;
  std::uint64_t limit = 100'000;
  std::uint64_t offset = 0;
  std::string output = "cdxj";  // or "json", "text"
  std::vector<std::string> fields = {};
  std::string collapse = {};        // a field; adjacent lines with the same value are one
  std::size_t collapse_length = 0;  // of the value that counts; 0: all of it
  std::optional<std::string> resume = {};
  bool shows_resume_key = false;
  bool shows_page_count = false;
  std::optional<std::uint64_t> page = {};
  std::uint64_t page_size = 3000;
};

// Throws Problem 400.
CdxQuery parse_cdx_query(const Question& question);

// Whether a line passes: its time, and all filters.
bool passes(const CdxRow& row, const CdxQuery& query);

}  // namespace webstrata::serve
