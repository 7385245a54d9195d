// SPDX-License-Identifier: Apache-2.0

// Facts out of WARC, WAT and WET files. readers.cpp lists it; parallel_read.cpp splits files with
// it.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "webstrata/capture/formats/warc_records.h"
#include "webstrata/capture/http/http_capture.h"
#include "webstrata/capture/record/reader.h"

namespace webstrata {

bool recognises_warc(std::string_view first_bytes);
std::unique_ptr<CaptureReader> open_warc_reader(const ReadContext& context);

// A request record that waits for its answer.
struct WarcRequest {
  std::string target;
  std::string record_id;
  bool is_get = true;
};

class WarcReader : public CaptureReader {
 public:
  explicit WarcReader(const ReadContext& context);

  bool next(Capture& capture) override;

  // Reads only records that begin before `end`. The stream may start anywhere.
  void limit_to(std::uint64_t end);
  // Where the first record in that range began; empty if there was none.
  [[nodiscard]] std::optional<std::uint64_t> first_offset() const noexcept { return first_offset_; }
  // After the end: where the first record after the range begins.
  [[nodiscard]] std::uint64_t next_offset() const noexcept { return next_offset_; }
  // After the end: the last record, if that was a request, whose answer may follow. It is passed to
  // the reader of the next piece through expect_answer_to().
  [[nodiscard]] const std::optional<WarcRequest>& open_request() const noexcept { return request_; }
  void expect_answer_to(std::optional<WarcRequest> request) { request_ = std::move(request); }
  // The first answer was left out because of a request after it: a request before it might have
  // changed that.
  [[nodiscard]] bool left_out_first_answer() const noexcept { return left_out_first_answer_; }

 private:
  bool next_record();
  void note_request();
  void look_at_request_behind();
  [[nodiscard]] std::string target_uri() const;
  bool is_wanted_answer(std::string_view target);
  bool take_record(Capture& capture);
  bool take_response(const Url& url, Capture& capture);
  bool take_resource(const Url& url, Capture& capture);
  bool take_revisit(const Url& url, Capture& capture);
  bool take_metadata(Capture& capture);
  void check_block_digest();

  ReadContext context_;
  WarcRecords records_;
  HttpCapture http_;
  LinkCollector collector_;
  Url url_;
  Url other_;

  // The answer that waits for the next record.
  Capture held_;
  bool holds_answer_ = false;
  bool held_is_settled_ = false;  // its request is known
  std::string held_target_;
  std::string held_id_;
  std::optional<WarcRequest> request_;
  std::uint64_t answer_count_ = 0;
  bool left_out_first_answer_ = false;

  std::uint64_t end_ = UINT64_MAX;
  std::optional<std::uint64_t> first_offset_;
  std::uint64_t next_offset_ = 0;
  bool ended_ = false;
};

}  // namespace webstrata
