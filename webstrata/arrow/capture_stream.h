// SPDX-License-Identifier: Apache-2.0

// Captures as a stream of tables, in bounded memory: out of crawl files, or out of an archive.
//
//   const auto captures = read_captures({"2021.warc.gz"}, {}, {}, CaptureSchema::Webstrata);
//   while (const auto table = captures->next()) ...
//   captures->summaries();

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/arrow/capture_table.h"
#include "webstrata/arrow/export.h"
#include "webstrata/capture/parallel_read.h"

namespace webstrata::arrow {

class CaptureStream : public TableStream {
 public:
  // The summary of each input; complete at the end of the stream.
  [[nodiscard]] virtual std::vector<InputSummary> summaries() const = 0;
  // Stops reading; next() then throws Error(Cancelled). May be called from any thread.
  virtual void cancel() = 0;
};

// Reads on its own threads, a few tables ahead, in the order of the inputs. Reading begins with the
// first next(), which throws what read_inputs throws. Revisits are returned without links.
std::shared_ptr<CaptureStream> read_captures(std::vector<std::string> inputs, ReadOptions options,
                                             ParallelOptions parallel, CaptureSchema schema);

// Every sighting of the archive, or of these nodes, inside the interval, in the order of keys;
// `rows` of them per table.
std::shared_ptr<TableStream> archive_captures(Archive archive, std::vector<UidRange> nodes,
                                              TimeInterval during, CaptureSchema schema,
                                              std::int64_t rows = 1 << 15);

}  // namespace webstrata::arrow
