// SPDX-License-Identifier: Apache-2.0

// WARC 1.0 and 1.1 (ISO 28500) and its children WAT and WET: which record says what.
//
// An answer is held back until the next record has been examined: that may be its request, and only
// answers to GET say something about a page. Some crawlers write the request first; both orders are
// understood.
// Tested by tests/capture/warc_reader_test.cpp and tests/capture/warc_corpus_test.py.

#include "webstrata/capture/formats/warc_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/text.h"
#include "webstrata/capture/formats/wat_links.h"
#include "webstrata/capture/http/encoded_words.h"
#include "webstrata/capture/record/digest.h"
#include "webstrata/capture/record/sighting_fields.h"

namespace webstrata {
namespace {

RevisitProfile profile_of(std::string_view uri) {
  // A missing or unknown profile counts as the common one: the same digest.
  return without_brackets(uri).ends_with("/server-not-modified") ? RevisitProfile::NotModified
                                                                 : RevisitProfile::IdenticalDigest;
}

// "application/http; msgtype=response", or nothing said.
bool is_http(std::string_view content_type) {
  return content_type.empty() ||
         equal_ignoring_case(content_type.substr(0, 16), "application/http");
}

}  // namespace

bool recognises_warc(std::string_view first_bytes) {
  const std::size_t start = std::min(first_bytes.find_first_not_of("\r\n"), first_bytes.size());
  return equal_ignoring_case(first_bytes.substr(start, 5), "WARC/");
}

std::unique_ptr<CaptureReader> open_warc_reader(const ReadContext& context) {
  return std::make_unique<WarcReader>(context);
}

WarcReader::WarcReader(const ReadContext& context)
    : context_(context),
      records_(context_.in, context_.report),
      http_(context_.options, context_.report),
      collector_(context_.options, context_.report) {}

void WarcReader::limit_to(std::uint64_t end) {
  end_ = end;
  if (context_.in.offset() > 0) records_.find_first();
}

bool WarcReader::next(Capture& capture) {
  while (next_record()) {
    if (!holds_answer_) {
      holds_answer_ = take_record(held_);
      continue;
    }
    std::swap(capture, held_);
    holds_answer_ = take_record(held_);
    return true;
  }
  if (!std::exchange(holds_answer_, false)) return false;
  std::swap(capture, held_);
  return true;
}

// Moves to the next record of the range that is not a request.
bool WarcReader::next_record() {
  while (!ended_ && records_.next()) {
    const bool is_request = equal_ignoring_case(records_.type(), "request");
    if (records_.offset() >= end_) {
      ended_ = true;
      next_offset_ = records_.offset();
      if (is_request) look_at_request_behind();
      context_.report.forget_from(next_offset_);  // the next piece reports that
      return false;
    }
    if (is_request) note_request();
    record_count_ = records_.count();
    if (!first_offset_) first_offset_ = records_.offset();
    if (!is_request) return true;
  }
  if (!ended_) {
    next_offset_ = context_.in.offset();
    record_count_ = records_.count();
  }
  ended_ = true;
  return false;
}

std::string WarcReader::target_uri() const {
  const std::string_view uri = without_brackets(records_.field("WARC-Target-URI"));
  return may_have_encoded_words(uri) ? decode_encoded_words(uri) : std::string(uri);
}

// A request after the range may still be that of the last answer in it.
void WarcReader::look_at_request_behind() {
  const auto before = request_;
  note_request();
  request_ = before;
}

// Only the method of requests matters. A request that is not GET discards its answer: the one
// before it if that still waits for its request, otherwise the one after it.
void WarcReader::note_request() {
  WarcRequest request{target_uri(), std::string(records_.field("WARC-Record-ID")),
                      records_.content().starts_with("GET ") || records_.content().empty()};
  const std::string_view answer_id = records_.field("WARC-Concurrent-To");
  const bool is_of_held = holds_answer_ && !held_is_settled_ && held_target_ == request.target &&
                          (answer_id.empty() || answer_id == held_id_);
  if (!is_of_held) {
    request_ = std::move(request);
    return;
  }
  held_is_settled_ = true;
  if (request.is_get) return;
  holds_answer_ = false;
  left_out_first_answer_ = left_out_first_answer_ || answer_count_ == 1;
  context_.report.count("answers to other methods than GET left out");
}

// Matches an answer with the request before it, if that was its own.
bool WarcReader::is_wanted_answer(std::string_view target) {
  ++answer_count_;
  held_target_ = target;
  held_id_ = records_.field("WARC-Record-ID");
  const std::string_view request_id = records_.field("WARC-Concurrent-To");
  held_is_settled_ = request_ && request_->target == target &&
                     (request_id.empty() || request_id == request_->record_id);
  if (!held_is_settled_ || request_->is_get) return true;
  context_.report.count("answers to other methods than GET left out");
  return false;
}

bool WarcReader::take_record(Capture& capture) {
  capture.clear();
  Sighting& sighting = capture.sighting;
  sighting.file = context_.file_name;
  sighting.crawl = context_.options.crawl;
  if (records_.has_own_offset()) sighting.offset = records_.offset();
  const std::string_view type = records_.type();
  bool is_fact = false;
  if (equal_ignoring_case(type, "metadata")) {
    is_fact = take_metadata(capture);
  } else if (equal_ignoring_case(type, "response") || equal_ignoring_case(type, "resource") ||
             equal_ignoring_case(type, "revisit")) {
    const std::string target = target_uri();
    is_fact =
        is_wanted_answer(target) &&
        set_url(sighting, target, context_.options, context_.report, records_.offset(), url_) &&
        set_time(sighting, records_.field("WARC-Date"), context_.report, records_.offset());
    if (is_fact) {
      set_digest(sighting.digest, records_.field("WARC-Payload-Digest"));
      // A revisit leaves its content out on purpose, and may say so with WARC-Truncated.
      const bool is_cut =
          !equal_ignoring_case(type, "revisit") && (!records_.field("WARC-Truncated").empty() ||
                                                    !records_.field("WARC-Segment-Number").empty());
      sighting.truncated = is_cut || !records_.content_is_whole();
      is_fact = equal_ignoring_case(type, "response")   ? take_response(url_, capture)
                : equal_ignoring_case(type, "resource") ? take_resource(url_, capture)
                                                        : take_revisit(url_, capture);
    }
  }
  if (is_fact) check_block_digest();
  request_.reset();
  records_.finish();
  if (is_fact && records_.has_own_offset()) sighting.length = records_.length();
  return is_fact;
}

// Hashing everything twice would cost too much: comparing a payload digest is enough.
void WarcReader::check_block_digest() {
  if (!records_.field("WARC-Payload-Digest").empty() || !records_.content_is_whole()) return;
  std::string digest;
  set_digest(digest, records_.field("WARC-Block-Digest"));
  if (digest.empty() || is_digest_of(digest, records_.content())) return;
  context_.report.damaged(records_.offset(),
                          fmt::format("wrong block digest {}: that of the block is {}",
                                      in_quotes(digest), digest_like(digest, records_.content())));
}

bool WarcReader::take_response(const Url& url, Capture& capture) {
  if (is_http(records_.field("Content-Type")) &&
      http_.take_response(records_.content(), url, records_.offset(), capture)) {
    return true;
  }
  if (is_http(records_.field("Content-Type"))) {
    context_.report.damaged(records_.offset(), "a response record without an HTTP status line");
    return false;
  }
  return take_resource(url, capture);
}

bool WarcReader::take_resource(const Url& url, Capture& capture) {
  const std::string_view content_type = records_.field("Content-Type");
  set_mime(capture.sighting, content_type);
  capture.sighting.outcome = Outcome::Alive;
  Sighting& sighting = capture.sighting;
  const bool is_wrong = !sighting.digest.empty() && !sighting.truncated &&
                        !is_digest_of(sighting.digest, records_.content());
  if (is_wrong) {
    replace_wrong_digest(records_.content(), context_.report, records_.offset(), sighting);
  }
  http_.take_content(records_.content(), content_type, url, capture);
  return true;
}

bool WarcReader::take_revisit(const Url& url, Capture& capture) {
  Sighting& sighting = capture.sighting;
  sighting.kind = SightingKind::Revisit;
  sighting.revisit_profile = profile_of(records_.field("WARC-Profile"));
  sighting.outcome = Outcome::Alive;
  http_.take_head(records_.content(), url, capture);
  const auto refers_to = without_brackets(records_.field("WARC-Refers-To-Target-URI"));
  if (!refers_to.empty() && parse_url(refers_to, other_)) sighting.refers_to_url = other_.href();
  set_refers_to_time(sighting, records_.field("WARC-Refers-To-Date"), context_.report,
                     records_.offset());
  return true;
}

bool WarcReader::take_metadata(Capture& capture) {
  const bool is_wat =
      equal_ignoring_case(records_.field("Content-Type").substr(0, 16), "application/json") &&
      records_.content().find("\"Envelope\"") != std::string_view::npos;
  return is_wat && read_wat(records_.content(), context_.options, collector_, context_.report,
                            records_.offset(), capture);
}

}  // namespace webstrata
