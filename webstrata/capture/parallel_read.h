// SPDX-License-Identifier: Apache-2.0

// Many inputs on several threads, with results in the order of the inputs.
//
// Work is cut into parts: a file, or a piece of a large WARC that starts at some record. Each part
// has a sink of its own, which takes captures on a worker thread and is flushed when all parts
// before it have been: so the result does not depend on the number of threads.
//
// Where a piece of a WARC begins is a guess (the first place after a byte that looks like a
// record). When it is the piece's turn, the guess is compared with where the previous piece ended,
// and the piece is read again if the guess was wrong, which a WARC inside a WARC can cause.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "webstrata/base/report.h"
#include "webstrata/base/work.h"
#include "webstrata/capture/record/reader.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {

struct InputSummary {
  std::string path;
  std::string format;  // a reader's name; empty if no reader knows it
  std::uint64_t records = 0;
  std::uint64_t captures = 0;   // links known
  std::uint64_t sightings = 0;  // the rest
  std::uint64_t links = 0;
  std::uint64_t bytes = 0;  // of the file as it is
  Report report;
  std::string error;  // why nothing of it could be read; empty if something could
};

class PartSink {
 public:
  virtual ~PartSink() = default;
  // On a worker thread, in the order of the input. May change the capture.
  virtual void take(Capture& capture) = 0;
  // Bytes that wait for flush().
  [[nodiscard]] virtual std::size_t buffered_bytes() const = 0;
  // In the order of parts, never two at once; for a long part several times.
  virtual void flush() = 0;
};

struct ParallelOptions {
  WorkOptions work = {};
  std::uint64_t part_bytes = std::uint64_t{2} << 20;  // of the file as it is
  // How much all sinks together may buffer while they wait for their turn.
  std::size_t buffered_bytes_max = std::size_t{64} << 20;
};

// Makes the sink of a part of inputs[input]. Called on worker threads.
using MakeSink = std::function<std::unique_ptr<PartSink>(std::size_t input)>;

// Reads every input ("-" is standard input) and returns a summary of each. An input that cannot be
// read does not stop the others. Throws what a sink throws, and Error(Cancelled).
std::vector<InputSummary> read_inputs(const std::vector<std::string>& paths,
                                      const ReadOptions& read_options,
                                      const ParallelOptions& options, const MakeSink& make_sink);

// The capture whose record begins at `offset` of a WARC or ARC file. False if there is none.
bool read_capture_at(const std::string& path, std::uint64_t offset, const ReadOptions& options,
                     Capture& capture);

}  // namespace webstrata
