// SPDX-License-Identifier: Apache-2.0

// Crawl files as streams of tables. Tested by tests/python/read_test.py.

#include "python/core/bindings.h"
#include "python/core/input_summaries.h"
#include "python/core/long_work.h"
#include "webstrata/arrow/capture_stream.h"
#include "webstrata/capture/stream/fed_inputs.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

using arrow::CaptureStream;

// A stream, and how far its readers have come.
struct Reading {
  struct Place {
    std::mutex mutex;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
  };
  std::shared_ptr<CaptureStream> stream;
  std::shared_ptr<Place> place = std::make_shared<Place>();
};

Reading read(std::vector<std::string> inputs, std::string_view schema, std::string_view links,
             bool anchor_text, bool context, bool title, bool text, std::string_view schemes,
             std::string crawl, unsigned threads, std::shared_ptr<FedInputs> fed) {
  const auto wanted = arrow::parse_capture_schema(schema);
  if (!wanted) {
    throw Error(ErrorKind::BadInput,
                "schema " + std::string(schema) + ": not webstrata or commoncrawl");
  }
  if (schemes != "web" && schemes != "all") {
    throw Error(ErrorKind::BadInput, "schemes " + std::string(schemes) + ": not web or all");
  }
  ReadOptions options;
  options.kinds = parse_kinds_word("links", links);
  options.with_anchor_text = anchor_text;
  options.with_context = context;
  options.with_title = title;
  options.with_text = text;
  options.keep_other_schemes = schemes == "all";
  options.crawl = std::move(crawl);
  Reading reading;
  ParallelOptions parallel;
  parallel.work.threads = threads;
  parallel.work.progress = [place = reading.place](const Progress& now) {
    const std::lock_guard lock(place->mutex);
    place->done = now.done;
    place->total = now.total;
  };
  auto stream =
      arrow::read_captures(std::move(inputs), std::move(options), std::move(parallel), *wanted);
  // Whoever holds the stream last ends the feeding.
  CaptureStream* pointer = stream.get();
  reading.stream = {pointer, [stream, fed](CaptureStream*) mutable {
                      stream.reset();
                      if (fed) fed->close();
                    }};
  return reading;
}

// Ctrl-C stops the wait, and with it the reading.
std::optional<arrow::Table> next_table(const Reading& reading) {
  LongWork work(nb::none(), [&] { reading.stream->cancel(); });
  return work.run([&] { return reading.stream->next(); });
}

std::pair<std::uint64_t, std::uint64_t> place_of(const Reading& reading) {
  const std::lock_guard lock(reading.place->mutex);
  return {reading.place->done, reading.place->total};
}

}  // namespace

void bind_reading(nb::module_& module) {
  nb::class_<Reading>(module, "Reading")
      .def("next", next_table)
      .def_prop_ro(
          "stream",
          [](const Reading& self) -> std::shared_ptr<arrow::TableStream> { return self.stream; })
      .def_prop_ro("place", place_of)
      .def("cancel", [](const Reading& self) { self.stream->cancel(); })
      .def("summaries", [](const Reading& self) { return summaries_of(self.stream->summaries()); });
  module.def("read", read, "inputs"_a, "schema"_a, "links"_a, "anchor_text"_a, "context"_a,
             "title"_a, "text"_a, "schemes"_a, "crawl"_a, "threads"_a, "fed"_a.none());
}

}  // namespace webstrata
