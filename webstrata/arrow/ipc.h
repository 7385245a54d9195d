// SPDX-License-Identifier: Apache-2.0

// Tables as bytes: Arrow's streaming format, for programs on the other end of a connection.
//
//   std::string bytes;
//   append_ipc_schema(bytes, table);
//   append_ipc_batch(bytes, table);   // any number of them, all with the same columns
//   append_ipc_end(bytes);
//
// https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format; pyarrow.ipc.open_stream,
// polars.read_ipc_stream and others read it. Columns with a dictionary are not written.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webstrata/arrow/table.h"

namespace webstrata::arrow {

// Names and values that readers may look at besides the rows.
using IpcNotes = std::vector<std::pair<std::string, std::string>>;

// Throws Error(BadInput) for a type of column that has no place here.
void append_ipc_schema(std::string& out, const Table& table);
void append_ipc_batch(std::string& out, const Table& table, const IpcNotes& notes = {});
void append_ipc_end(std::string& out);

}  // namespace webstrata::arrow
