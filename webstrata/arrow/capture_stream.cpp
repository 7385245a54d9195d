// SPDX-License-Identifier: Apache-2.0

// Readers run on threads of their own and push tables into a short queue; the consumer pulls. A
// sink's table counts only when it is flushed: a reader may guess wrong where a piece of a WARC
// begins, and read it again.
// Tested by tests/arrow/capture_table_test.cpp and tests/python/read_test.py.

#include "webstrata/arrow/capture_stream.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "webstrata/archive/ask/page_captures.h"
#include "webstrata/base/error.h"
#include "webstrata/base/threads.h"

namespace webstrata::arrow {
namespace {

// Tables that wait for the consumer; a few are enough to keep all threads busy.
class Queue {
 public:
  static constexpr std::size_t kTablesMax = 8;

  void push(Table table) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return tables_.size() < kTablesMax || is_cancelled_; });
    if (is_cancelled_) throw Error(ErrorKind::Cancelled, "reading was stopped");
    tables_.push_back(std::move(table));
    changed_.notify_all();
  }
  // Empty at the end. Throws what ended the reading.
  std::optional<Table> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !tables_.empty() || is_ended_ || is_cancelled_; });
    if (is_cancelled_) throw Error(ErrorKind::Cancelled, "reading was stopped");
    if (tables_.empty() && error_) std::rethrow_exception(error_);
    if (tables_.empty()) return std::nullopt;
    Table table = std::move(tables_.front());
    tables_.pop_front();
    changed_.notify_all();
    return table;
  }
  void end(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
    error_ = std::move(error);
    changed_.notify_all();
  }
  void cancel() {
    const std::lock_guard lock(mutex_);
    is_cancelled_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Table> tables_;
  bool is_ended_ = false;
  bool is_cancelled_ = false;
  std::exception_ptr error_;
};

class TableSink : public PartSink {
 public:
  TableSink(Queue& queue, CaptureSchema schema)
      : queue_(queue), builder_(make_capture_builder(schema)) {}

  void take(Capture& capture) override { builder_->add(capture); }
  [[nodiscard]] std::size_t buffered_bytes() const override { return builder_->bytes(); }
  void flush() override {
    if (builder_->row_count() > 0) queue_.push(builder_->finish());
  }

 private:
  Queue& queue_;
  std::unique_ptr<CaptureBuilder> builder_;
};

class ReadStream : public CaptureStream {
 public:
  ReadStream(std::vector<std::string> inputs, ReadOptions options, ParallelOptions parallel,
             CaptureSchema schema)
      : inputs_(std::move(inputs)),
        options_(std::move(options)),
        parallel_(std::move(parallel)),
        schema_(schema) {
    parallel_.work.cancel = &cancel_;
  }
  ~ReadStream() override {
    cancel();
    if (thread_.joinable()) thread_.join();
  }

  [[nodiscard]] Table schema() const override { return make_capture_builder(schema_)->finish(); }

  std::optional<Table> next() override {
    std::call_once(begun_, [this] { thread_ = start_thread([this] { read(); }); });
    return queue_.pop();
  }
  void cancel() override {
    cancel_.cancel();
    queue_.cancel();
  }
  [[nodiscard]] std::vector<InputSummary> summaries() const override {
    const std::lock_guard lock(mutex_);
    return summaries_;
  }

 private:
  void read() {
    std::exception_ptr error;
    try {
      auto summaries = read_inputs(inputs_, options_, parallel_, [this](std::size_t) {
        return std::make_unique<TableSink>(queue_, schema_);
      });
      const std::lock_guard lock(mutex_);
      summaries_ = std::move(summaries);
    } catch (...) {
      error = std::current_exception();
    }
    queue_.end(error);
  }

  std::vector<std::string> inputs_;
  ReadOptions options_;
  ParallelOptions parallel_;
  CaptureSchema schema_;
  CancelToken cancel_;
  Queue queue_;
  mutable std::mutex mutex_;
  std::vector<InputSummary> summaries_;
  std::once_flag begun_;
  std::thread thread_;
};

class ArchiveStream : public TableStream {
 public:
  ArchiveStream(Archive archive, std::vector<UidRange> nodes, TimeInterval during,
                CaptureSchema schema, std::int64_t rows)
      : archive_(std::move(archive)),
        nodes_(std::move(nodes)),
        during_(during),
        schema_(schema),
        rows_(rows) {}

  [[nodiscard]] Table schema() const override { return make_capture_builder(schema_)->finish(); }

  std::optional<Table> next() override {
    const auto builder = make_capture_builder(schema_);
    for (; range_ < nodes_.size() && builder->row_count() < rows_; ++range_, done_ = 0) {
      const UidRange& range = nodes_[range_];
      while (range.first + done_ < range.end && builder->row_count() < rows_) {
        visit_captures(archive_, range.first + done_++, [&](const Capture& capture) {
          const Time time = capture.sighting.time;
          if (time >= during_.first && time <= during_.last) builder->add(capture);
        });
      }
      if (range.first + done_ < range.end) break;
    }
    if (builder->row_count() == 0) return std::nullopt;
    return builder->finish();
  }

 private:
  Archive archive_;
  std::vector<UidRange> nodes_;
  TimeInterval during_;
  CaptureSchema schema_;
  std::int64_t rows_;
  std::size_t range_ = 0;
  std::uint64_t done_ = 0;  // nodes of that range
};

}  // namespace

std::shared_ptr<CaptureStream> read_captures(std::vector<std::string> inputs, ReadOptions options,
                                             ParallelOptions parallel, CaptureSchema schema) {
  return std::make_shared<ReadStream>(std::move(inputs), std::move(options), std::move(parallel),
                                      schema);
}

std::shared_ptr<TableStream> archive_captures(Archive archive, std::vector<UidRange> nodes,
                                              TimeInterval during, CaptureSchema schema,
                                              std::int64_t rows) {
  return std::make_shared<ArchiveStream>(std::move(archive), std::move(nodes), during, schema,
                                         rows);
}

}  // namespace webstrata::arrow
