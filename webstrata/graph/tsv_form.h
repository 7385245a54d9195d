// SPDX-License-Identifier: Apache-2.0

// Whether a text is a table of links, judged by all of its first lines: a web page, a letter or a
// crawl file must not be read as a graph because its first two words could be names.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/graph/line_reader.h"

namespace webstrata {

// Fields end at tabs; in a line without tabs, at spaces.
struct TsvFields {
  std::string_view source = {};
  std::string_view target = {};  // empty if there is only a source
  std::string_view rest = {};    // what follows the target
  std::uint64_t count = 0;       // of all fields
  bool has_tab = false;
};
TsvFields split_tsv(std::string_view line);

// What the nodes of a table are called.
enum class TsvKind : std::uint8_t { Numbers, Urls, Names };
TsvKind tsv_kind_of(const TsvFields& fields);

std::optional<std::uint64_t> parse_node_number(std::string_view text);

struct TsvProblem {
  std::uint64_t line = 0;  // from 1 on; 0: all of them
  std::string reason;
};
// Why `first_lines`, whole lines from the start of a text, are not a table of links; empty if they
// are. A text without any line is an empty table.
std::optional<TsvProblem> problem_of_tsv(std::string_view first_lines);

// Throws Error(BadInput), with a list of the graph formats, if the first lines are not a table of
// links. Nothing is consumed from `lines`.
void refuse_unless_tsv(LineReader& lines);

// "A graph is an archive (lib.ws), ...": for messages.
std::string_view graph_formats() noexcept;

}  // namespace webstrata
