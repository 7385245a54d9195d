// SPDX-License-Identifier: Apache-2.0

// A list as an answer: one JSON object; or its elements as JSON lines or as an Arrow stream, if the
// request asks for that.
//
//   ListAnswer list;
//   list.name = "hosts";
//   list.columns = {{"host"}, {"pages", ColumnKind::Whole}};
//   list.next = [rows](std::string& out) { … };
//   return list_response(question, std::move(list));

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webstrata/serve/ask/question.h"
#include "webstrata/serve/ask/rows.h"

namespace webstrata::serve {

inline constexpr std::string_view kLinesType = "application/x-ndjson";
inline constexpr std::string_view kArrowType = "application/vnd.apache.arrow.stream";

// What the client wants a list to be. Arrow if both it and lines are named.
enum class ListForm : std::uint8_t { Json, Lines, Arrow };
ListForm form_of(std::string_view accept) noexcept;

struct ListAnswer {
  std::string_view name;  // "links"
  std::string head = {};  // fields that come first: "\"total\":3"
  // Of an element, as `next` writes it.
  std::vector<ListColumn> columns = {};
  // Appends the next element as JSON; false at the end.
  std::function<bool(std::string& out)> next;
  // What follows the element given last; passed back as `after`.
  std::function<std::string()> resume;
  // Unless one is asked for.
  std::uint64_t limit = 1000;  // of JSON
  std::uint64_t stream_limit = std::numeric_limits<std::uint64_t>::max();  // of the others
};
Response list_response(const Question& question, ListAnswer list);

// Fills `next` and `resume` from rows in memory: `after` is the number of those given before.
// `append` writes one as JSON.
template <typename Row, typename Append>
void fill_from_rows(ListAnswer& list, const Question& question,
                    std::shared_ptr<const std::vector<Row>> rows, Append append) {
  const auto place = std::make_shared<std::uint64_t>(question.whole("after", 0, rows->size(), 0));
  list.next = [rows, place, append](std::string& out) {
    if (*place >= rows->size()) return false;
    append(out, (*rows)[(*place)++]);
    return true;
  };
  list.resume = [place] { return std::to_string(*place); };
}

}  // namespace webstrata::serve
