// SPDX-License-Identifier: Apache-2.0

// Many files on many threads, with the result of one thread.
//
// Work is cut into parts: a whole input, or a piece of about `part_bytes` of a large WARC file
// that is not compressed or compressed record by record. Threads read parts in any order and each
// part fills a sink of its own. Sinks are flushed in the order of the parts: `turn_` is the number
// of the part that may flush, and only the thread that finishes that part moves it on. A thread
// that runs ahead waits once `buffered_bytes_max` are held in sinks, so memory is bounded; the
// part whose turn it is never waits, so there is always progress.
//
// A piece begins at an arbitrary offset, and its first record must be guessed: the next gzip
// member or the next line that looks like the start of a record. A guess can be wrong, for example
// if a WARC file is stored inside a record. It is checked and never trusted:
//
//   piece n-1 knows where its last record ended             -> expected_offset_
//   piece n knows where its first record began              -> first_offset
//   if these differ, piece n is read again from expected_offset_
//
// The first piece begins at 0, so by induction every piece that is flushed began at a true record
// start, and the result is that of one thread reading the file from its start. A piece that lies
// inside one long record is dropped, because the piece before it has read past its end.
//
// One more thing crosses a boundary: a request record at the end of a piece says whether the
// answer at the start of the next one is an answer to GET. The piece is read again if this matters
// (begins_as_expected). docs/decisions/004-pieces.md has the reasons and measurements.
//
// Errors: a reader's error ends its input and is reported in its summary; a sink's error, a limit
// of the process or a cancellation ends everything. Tested by tests/capture/extraction_test.cpp and
// tests/cli/extract_test.py.

#include "webstrata/capture/parallel_read.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/interruption.h"
#include "webstrata/base/limit_error.h"
#include "webstrata/base/threads.h"
#include "webstrata/capture/formats/readers.h"
#include "webstrata/capture/formats/warc_reader.h"
#include "webstrata/capture/remote/remote_file.h"
#include "webstrata/capture/stream/input_place.h"

namespace webstrata {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 20;
// Each part of a remote file costs requests of its own, and bytes that the next one reads again.
constexpr std::uint64_t kRemotePartFactor = 8;
constexpr std::size_t kRemoteLookedAtMax = 32;

// A piece of one input, and what became of it.
struct Part {
  std::size_t input = 0;
  bool is_piece = false;  // of a split file; [begin, end) by where its records begin
  std::uint64_t begin = 0;
  bool begin_is_sure = false;  // the part before it says so
  std::uint64_t end = UINT64_MAX;
  std::uint64_t input_bytes = 0;  // of the whole file; 0: not known
  Compression compression = Compression::None;

  std::unique_ptr<PartSink> sink;
  InputSummary summary;
  std::optional<std::uint64_t> first_offset;
  std::uint64_t next_offset = 0;
  std::optional<WarcRequest> open_request;  // the part ends with it
  bool left_out_first_answer = false;
  bool finished = false;
};

class ParallelRead {
 public:
  ParallelRead(const std::vector<std::string>& paths, const ReadOptions& read_options,
               const ParallelOptions& options, const MakeSink& make_sink)
      : paths_(paths),
        read_options_(read_options),
        options_(options),
        make_sink_(make_sink),
        pool_(options.work.threads) {}

  std::vector<InputSummary> run() {
    const FileInterruption interruption([this] { check_cancelled(); });
    summaries_.resize(paths_.size());
    for (std::size_t input = 0; input < paths_.size(); ++input) plan(input);
    for (std::size_t number = 0; number < parts_.size(); ++number) {
      pool_.submit([this, number] { work(number); });
    }
    pool_.wait();
    return std::move(summaries_);
  }

 private:
  // ---- planning ---------------------------------------------------------------------------------

  void plan(std::size_t input) {
    summaries_[input].path = paths_[input];
    const InputPlace place = look_at(input);
    const std::uint64_t size = place.size;
    const std::uint64_t part_bytes =
        options_.part_bytes * (is_remote(paths_[input]) ? kRemotePartFactor : 1);
    bytes_total_ += size;
    const auto compression =
        place.can_be_entered && size >= 2 * part_bytes ? splittable(paths_[input]) : std::nullopt;
    if (!compression) {
      Part& part = parts_.emplace_back();
      part.input = input;
      part.input_bytes = size;
      return;
    }
    for (std::uint64_t begin = 0; begin < size; begin += part_bytes) {
      Part& part = parts_.emplace_back();
      part.input = input;
      part.is_piece = true;
      part.begin = begin;
      part.end = begin + part_bytes < size ? begin + part_bytes : UINT64_MAX;
      part.input_bytes = size;
      part.compression = *compression;
    }
  }

  // A remote input costs a request: of many, none is looked at before its turn. What was looked at
  // stays open, so that all its parts are of one version.
  InputPlace look_at(std::size_t input) {
    if (!is_remote(paths_[input])) return look_at_input(paths_[input]);
    if (remote_files_.size() == kRemoteLookedAtMax) return {};
    try {
      remote_files_.push_back(RemoteFile::open(paths_[input]));
      return look_at_input(paths_[input]);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Cancelled) throw;
      return {};  // told when the part is read
    }
  }

  // WARC, plain or with gzip, can be entered in the middle.
  static std::optional<Compression> splittable(const std::string& path) {
    try {
      Report ignored;
      InputStream in(path, ignored);
      const bool is_warc = recognises_warc(in.peek(kRecogniseBytes));
      const bool can_be_entered =
          in.compression() == Compression::None || in.compression() == Compression::Gzip;
      if (!is_warc || !can_be_entered) return std::nullopt;
      return in.compression();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Cancelled) throw;
      return std::nullopt;  // told when the part is read
    }
  }

  // ---- one part, on a worker ----

  void work(std::size_t number) {
    const FileInterruption interruption([this] { check_cancelled(); });
    Part& part = parts_[number];
    if (!read_part(number, part.begin)) read_again(number);
    finish(number);
  }

  // It is this part's turn, so the part before it has told where it begins.
  void read_again(std::size_t number) {
    parts_[number].begin_is_sure = true;
    read_part(number, expected_offset_);
  }

  // False if the part turned out to begin at the wrong place, which only its turn can show.
  bool read_part(std::size_t number, std::uint64_t begin) {
    Part& part = parts_[number];
    release(part);
    part.summary = {};
    part.first_offset.reset();
    part.sink = make_sink_(part.input);
    try {
      return part.is_piece ? read_piece(number, begin) : read_whole(number);
    } catch (const LimitError&) {
      throw;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Cancelled || failed_in_sink_) throw;
      part.summary.error = error.what();
      return true;
    }
  }

  bool read_whole(std::size_t number) {
    Part& part = parts_[number];
    const std::string& path = paths_[part.input];
    InputStream in(path, part.summary.report);
    const bool is_empty = in.at_end() && part.summary.report.damage_count() == 0;
    const ReaderEntry* entry = recognise(in);
    part.summary.bytes = in.file_size();
    if (part.input_bytes == 0 && is_remote(path)) add_to_total(in.file_size());
    if (entry == nullptr && read_after_damage(number)) return true;
    if (entry == nullptr) {
      part.summary.error = fmt::format("{}: {}", path == "-" ? "standard input" : shown_name(path),
                                       why_unread(is_empty, in, part.summary.report));
      return true;
    }
    part.summary.format = entry->name;
    const auto reader = entry->open(context_of(part, in));
    drain(number, *reader, in);
    part.summary.bytes = std::max(part.summary.bytes, in.bytes_read());
    return true;
  }

  // The start of a WARC is destroyed: the records after it are read. False if there are none.
  bool read_after_damage(std::size_t number) {
    Part& part = parts_[number];
    const std::string& path = paths_[part.input];
    if (!look_at_input(path).can_be_entered) return false;  // a pipe cannot be read again
    const auto start = find_warc_after_damage(path);
    if (!start) return false;
    part.summary.report = {};
    if (*start > 0) {
      part.summary.report.damaged(
          0, fmt::format("no WARC record where one should begin; the first is at {}", *start));
      part.summary.report.resynchronised(0);
    }
    InputStream in(path, part.summary.report, *start);
    part.summary.bytes = look_at_input(path).size;
    part.summary.format = "warc";
    drain(number, *open_warc_reader(context_of(part, in)), in);
    return true;
  }

  static std::string why_unread(bool is_empty, const InputStream& in, const Report& report) {
    const bool is_compressed = in.compression() != Compression::None;
    if (is_empty) return is_compressed ? "is empty once decompressed" : "is empty";
    if (is_compressed && report.damage_count() > 0) {
      return "unrecognised format: " + report.damages().front().reason;
    }
    return "unrecognised format";
  }

  bool read_piece(std::size_t number, std::uint64_t begin) {
    Part& part = parts_[number];
    InputStream in(paths_[part.input], part.summary.report, begin, part.compression, part.end);
    part.summary.format = "warc";
    WarcReader reader(context_of(part, in));
    reader.limit_to(part.end);
    if (part.begin_is_sure) reader.expect_answer_to(open_request_);
    const bool begins_right = drain(number, reader, in);
    part.first_offset = reader.first_offset();
    part.next_offset = reader.next_offset();
    part.open_request = reader.open_request();
    part.left_out_first_answer = reader.left_out_first_answer();
    return begins_right;
  }

  ReadContext context_of(Part& part, InputStream& in) const {
    return {in, read_options_, part.summary.report, input_file_name(paths_[part.input])};
  }

  // Hands every capture to the sink; lets the sink flow out while it is this part's turn.
  bool drain(std::size_t number, CaptureReader& reader, InputStream& in) {
    Part& part = parts_[number];
    Capture capture;
    std::uint64_t told = in.bytes_read();
    bool is_checked = false;
    while (reader.next(capture)) {
      check_cancelled();
      part.summary.records = reader.record_count();
      ++(capture.links_known ? part.summary.captures : part.summary.sightings);
      part.summary.links += capture.links.size();
      in_sink([&] { part.sink->take(capture); });
      if (part.sink->buffered_bytes() < kFlushBytes) continue;
      tell_progress(in, told);
      hold(part);
      if (!wait_for_room(number)) continue;
      if (part.is_piece && !std::exchange(is_checked, true)) {
        const auto* warc = static_cast<const WarcReader*>(&reader);
        part.first_offset = warc->first_offset();
        part.left_out_first_answer = warc->left_out_first_answer();
        if (!begins_as_expected(part)) return false;
      }
      flush(part);
    }
    part.summary.records = reader.record_count();
    tell_progress(in, told);
    hold(part);
    return true;
  }

  // ---- taking turns ----

  // Waits while too much is buffered. True if it is this part's turn.
  bool wait_for_room(std::size_t number) {
    constexpr auto kLookAgain = std::chrono::milliseconds(100);  // for a cancellation
    std::unique_lock lock(mutex_);
    while (turn_ != number && buffered_ > options_.buffered_bytes_max) {
      turn_changed_.wait_for(lock, kLookAgain);
      check_cancelled();
    }
    return turn_ == number;
  }

  // Keeps the account of what waits in sinks.
  void hold(Part& part) {
    const std::size_t now = part.sink->buffered_bytes();
    const std::lock_guard lock(mutex_);
    buffered_ += now - held_[&part];
    held_[&part] = now;
  }

  void release(Part& part) {
    const std::lock_guard lock(mutex_);
    buffered_ -= held_[&part];
    held_.erase(&part);
  }

  void flush(Part& part) {
    in_sink([&] { part.sink->flush(); });
    hold(part);
  }

  // Only the thread that finishes the part whose turn it is goes on to flush, so that no two do.
  void finish(std::size_t number) {
    std::unique_lock lock(mutex_);
    parts_[number].finished = true;
    if (turn_ != number) return;
    while (turn_ < parts_.size() && parts_[turn_].finished) {
      lock.unlock();
      close(parts_[turn_], turn_);
      lock.lock();
      ++turn_;
      turn_changed_.notify_all();
    }
  }

  // The part's turn is over: its results are checked, flushed and added up.
  void close(Part& part, std::size_t number) {
    if (part.is_piece && part.begin == 0) {
      expected_offset_ = 0;
      open_request_.reset();
    }
    if (part.is_piece && expected_offset_ >= part.end) {
      drop(part);
      return;
    }
    if (part.is_piece && !begins_as_expected(part)) read_again(number);
    flush(part);
    if (part.is_piece) {
      expected_offset_ = part.next_offset;
      open_request_ = part.open_request;
    }
    add_up(part);
    drop(part);
  }

  [[nodiscard]] bool begins_as_expected(const Part& part) const {
    if (part.begin == 0 || part.begin_is_sure) return true;
    const bool request_matters =
        open_request_ && (!open_request_->is_get || part.left_out_first_answer);
    return part.first_offset == expected_offset_ && !request_matters;
  }

  void drop(Part& part) {
    release(part);
    part.sink.reset();
    part.summary = {};
  }

  void add_up(Part& part) {
    InputSummary& total = summaries_[part.input];
    InputSummary& own = part.summary;
    if (total.format.empty()) total.format = own.format;
    total.records += own.records;
    total.captures += own.captures;
    total.sightings += own.sightings;
    total.links += own.links;
    total.bytes = part.is_piece ? part.input_bytes : own.bytes;
    total.report.merge(own.report);
    if (total.error.empty()) total.error = own.error;
  }

  // ---- odds and ends ----

  // A sink's error ends everything; a reader's only its input.
  template <typename Action>
  void in_sink(const Action& action) {
    try {
      action();
    } catch (...) {
      failed_in_sink_ = true;
      throw;
    }
  }

  void check_cancelled() {
    pool_.cancel_token().check();
    options_.work.check_cancelled();
  }

  void add_to_total(std::uint64_t bytes) {
    const std::lock_guard lock(progress_mutex_);
    bytes_total_ += bytes;
  }

  void tell_progress(const InputStream& in, std::uint64_t& told) {
    const std::uint64_t done = in.bytes_read();
    const std::lock_guard lock(progress_mutex_);
    bytes_done_ += done - std::exchange(told, done);
    if (options_.work.progress) options_.work.progress({"reading", bytes_done_, bytes_total_, "B"});
  }

  const std::vector<std::string>& paths_;
  const ReadOptions& read_options_;
  const ParallelOptions& options_;
  const MakeSink& make_sink_;
  std::deque<Part> parts_;
  std::vector<std::shared_ptr<RemoteFile>> remote_files_;
  std::vector<InputSummary> summaries_;

  std::mutex mutex_;
  std::condition_variable turn_changed_;
  std::size_t turn_ = 0;
  std::size_t buffered_ = 0;
  std::map<const Part*, std::size_t> held_;
  std::uint64_t expected_offset_ = 0;  // only touched by the part whose turn it is
  std::optional<WarcRequest> open_request_;
  std::atomic<bool> failed_in_sink_ = false;

  std::mutex progress_mutex_;
  std::uint64_t bytes_done_ = 0;
  std::uint64_t bytes_total_ = 0;
  ThreadPool pool_;  // last: its threads use all of the above
};

}  // namespace

std::vector<InputSummary> read_inputs(const std::vector<std::string>& paths,
                                      const ReadOptions& read_options,
                                      const ParallelOptions& options, const MakeSink& make_sink) {
  return ParallelRead(paths, read_options, options, make_sink).run();
}

bool read_capture_at(const std::string& path, std::uint64_t offset, const ReadOptions& options,
                     Capture& capture) {
  Report ignored;
  InputStream in(path, ignored, offset);
  const ReaderEntry* entry = recognise(in);
  if (entry == nullptr) return false;
  const auto reader = entry->open({in, options, ignored, input_file_name(path)});
  return reader->next(capture);
}

}  // namespace webstrata
