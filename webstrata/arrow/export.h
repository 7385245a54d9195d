// SPDX-License-Identifier: Apache-2.0

// Exports tables through Arrow's C data interface. The export shares the table's memory and keeps
// it alive until it is released, on any thread.

#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "webstrata/arrow/c_data.h"
#include "webstrata/arrow/table.h"

namespace webstrata::arrow {

// A table is a structure of its columns.
void export_schema(const Table& table, ArrowSchema* out);
void export_array(const Table& table, ArrowArray* out);
// One column.
void export_schema(const Column& column, ArrowSchema* out);
void export_array(const Column& column, ArrowArray* out);

// A sequence of tables, all with the columns of schema().
class TableStream {
 public:
  virtual ~TableStream() = default;
  // A table without rows.
  [[nodiscard]] virtual Table schema() const = 0;
  // Empty at the end.
  virtual std::optional<Table> next() = 0;
};

// A stream of one table.
std::shared_ptr<TableStream> stream_of(Table table);

// An exception of next() becomes the stream's error.
void export_stream(std::shared_ptr<TableStream> stream, ArrowArrayStream* out);

}  // namespace webstrata::arrow
