// SPDX-License-Identifier: Apache-2.0

// Elements of a list, written as JSON objects, as rows of an Arrow table.
//
//   ListRows rows({{"url"}, {"captures", ColumnKind::Whole}});
//   rows.add(R"({"url":"http://a.example/","captures":3})");
//   append_ipc_batch(out, rows.finish());
//
// The rows are read back from JSON, so that both forms of an answer say the same.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "webstrata/arrow/table.h"

namespace webstrata::serve {

enum class ColumnKind : std::uint8_t {
  Text,
  Whole,    // 64 bits with a sign
  Number,   // double precision
  Truth,    // missing is false
  Moment,   // text as RFC 3339 becomes seconds in UTC
  Years,    // {"2021": 3} becomes a list of (year, count)
  Records,  // an array of objects becomes a list of structures of `parts`
};

struct ListColumn {
  std::string_view name;
  ColumnKind kind = ColumnKind::Text;
  std::vector<ListColumn> parts = {};
};

class ListRows {
 public:
  explicit ListRows(const std::vector<ListColumn>& columns);
  ListRows(ListRows&&) noexcept;
  ListRows& operator=(ListRows&&) noexcept;
  ~ListRows();

  // One JSON object. Throws Error(Corrupt) if it is none: it was written by this program.
  void add(std::string_view object);
  [[nodiscard]] std::size_t size() const noexcept;
  // The table; empty again afterwards.
  arrow::Table finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webstrata::serve
