// SPDX-License-Identifier: Apache-2.0

// Reads the records of an entry of a chunk of sightings (sightings_format.h). Private to
// sightings.cpp, which opens the chunk.
//
// Tested by tests/codec/sightings_test.cpp.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/digest_text.h"
#include "webstrata/codec/sightings.h"
#include "webstrata/codec/sightings_format.h"
#include "webstrata/codec/token_coder.h"

namespace webstrata::sightings_format {

inline Error corrupt(const char* reason) {
  return {ErrorKind::Corrupt, std::string("sightings: ") + reason};
}

// What precedes the tokens.
struct Tables {
  Uid first = 0;
  bool offsets_are_differences = false;
  Time base_time = 0;
  std::vector<Time> times;
  std::vector<std::string> mimes;
  std::vector<std::string> files;
  std::vector<std::string> crawls;
  std::vector<DigestForm> forms;
  std::vector<Shape> shapes;
};

// A digest that was skipped in the stream.
struct DigestPlace {
  std::uint32_t state = kAbsent;  // kVerbatim or a form
  std::uint64_t bit = 0;
  std::uint64_t size = 0;  // bytes
};

// How much of a record is wanted; its tokens are read in any case.
enum class Wanted { Nothing, Outcome, Everything };

// Reads the records of one entry, one after the other; then those of another one, with the same
// memory.
class EntryReader {
 public:
  EntryReader(const Tables& tables, const TokenTables& codes, std::string_view stream)
      : tables_(&tables), codes_(&codes), stream_(stream), tokens_(codes, stream) {}

  // Of another chunk; seek() follows.
  void open(const Tables& tables, const TokenTables& codes, std::string_view stream) {
    tables_ = &tables;
    codes_ = &codes;
    stream_ = stream;
  }
  // To the entry that begins at `bit`.
  void seek(std::uint64_t bit) {
    tokens_ = TokenReader(*codes_, stream_, bit);
    file_ = crawl_ = 0;
    last_shape_ = 0;
    offsets_.clear();
    spelling_.clear();
    digests_.recent.clear();
    text_digests_.recent.clear();
  }

  void pass_node(std::size_t count) {
    begin_node(0, {});
    for (std::size_t i = 0; i < count; ++i) read_record(scratch_, Wanted::Nothing);
  }

  void read_outcomes(Uid node, std::span<const Time> rows, std::span<SightingOutcome> out) {
    begin_node(node, rows);
    for (SightingOutcome& outcome : out) {
      read_record(scratch_, Wanted::Outcome);
      outcome = {scratch_.time, scratch_.kind, scratch_.outcome, scratch_.has_links,
                 scratch_.redirect};
    }
  }

  void read_node(Uid node, std::span<const Time> rows, std::span<SightingRecord> out) {
    begin_node(node, rows);
    records_ = out;
    for (SightingRecord& record : out) {
      read_record(record, Wanted::Everything);
      ++done_;
    }
  }

 private:
  struct DigestHistory {
    DigestPlace last;
    std::vector<DigestPlace> recent;
  };

  void begin_node(Uid node, std::span<const Time> rows) {
    node_ = node;
    rows_ = rows;
    is_first_ = true;
    done_ = 0;
    text_bytes_ = 0;
    last_seconds_ = length_step_ = 0;
    length_.reset();
    text_length_.reset();
    title_.reset();
    redirect_.reset();
    refers_to_.reset();
    has_spelling_ = false;
    digests_.last = text_digests_.last = {};
  }

  void read_record(SightingRecord& record, Wanted wanted) {
    const bool is_wanted = wanted == Wanted::Everything;
    const std::uint64_t number =
        tokens_.get(is_first_ ? std::uint32_t{kFirstShapeContext}
                              : kShapeContext + std::min(last_shape_, kShapeContexts - 1));
    if (number >= tables_->shapes.size()) throw corrupt("a shape is not in the table");
    last_shape_ = static_cast<std::uint32_t>(number);
    const Shape& shape = tables_->shapes[number];
    read_small_fields(shape, record);
    read_time(record, wanted != Wanted::Nothing);
    read_numbers(shape, record, is_wanted);
    read_digest(shape[kDigest], digests_, is_wanted ? &record.digest : nullptr);
    read_digest(shape[kTextDigest], text_digests_, is_wanted ? &record.text_digest : nullptr);
    read_spelling(shape[kSpelling]);
    read_place(shape, record);
    is_first_ = false;
    if (is_wanted) write_texts(shape, record);
  }

  static void read_small_fields(const Shape& shape, SightingRecord& record) {
    record.kind = static_cast<std::uint8_t>(shape[kKind]);
    record.outcome = static_cast<std::uint8_t>(shape[kOutcome]);
    record.revisit_profile = static_cast<std::uint8_t>(shape[kProfile]);
    record.has_links = (shape[kFlags] & 1) != 0;
    record.truncated = (shape[kFlags] & 2) != 0;
    record.status.reset();
    if (shape[kStatus] != 0) record.status = static_cast<std::int16_t>(shape[kStatus] - 1);
  }

  void read_time(SightingRecord& record, bool is_wanted) {
    const std::uint64_t code = tokens_.get(is_first_          ? kFirstTimeContext
                                           : record.has_links ? kCaptureTimeContext
                                                              : kOtherTimeContext);
    std::uint64_t value = 0;
    if (code == kTimeExplicit) {
      value = tokens_.get(is_first_ ? std::uint32_t{kFirstSecondsContext}
                                    : kSecondsContext + size_context(last_seconds_));
      last_seconds_ = is_first_ ? 0 : value;
    }
    if (!is_wanted) return;
    if (code == kTimeExplicit) {
      last_time_ = explicit_time(value);
    } else if (code != kTimeSame) {
      last_time_ = row_time(code - kTimeFirstRow);
    } else if (is_first_) {
      throw corrupt("a first record has the time of the one before");
    }
    record.time = last_time_;
  }

  [[nodiscard]] Time explicit_time(std::uint64_t value) const {
    if (tables_->times.empty()) {
      return static_cast<Time>(
          static_cast<std::uint64_t>(is_first_ ? tables_->base_time : last_time_) + value);
    }
    const auto begin = tables_->times.begin();
    const auto from = is_first_ ? begin : std::upper_bound(begin, tables_->times.end(), last_time_);
    if (value >= static_cast<std::uint64_t>(tables_->times.end() - from)) {
      throw corrupt("a time is not in the table");
    }
    return from[static_cast<std::ptrdiff_t>(value)];
  }

  Time row_time(std::uint64_t ahead) {
    if (!is_first_) {
      const auto next = std::upper_bound(rows_.begin(), rows_.end(), last_time_);
      rows_ = rows_.subspan(static_cast<std::size_t>(next - rows_.begin()));
    }
    if (ahead >= rows_.size()) throw corrupt("a sighting has the time of a missing row");
    return rows_[ahead];
  }

  // Sets `value` as its state says; `read` returns a new one.
  template <typename Value, typename Read>
  void read_field(std::uint32_t state, std::optional<Value>& last, std::optional<Value>& value,
                  Read read) {
    value.reset();
    if (state == kAbsent) return;
    if (state == kNew) last = read();
    if (!last) throw corrupt("a field is the same as none");
    value = last;
  }

  void read_numbers(const Shape& shape, SightingRecord& record, bool is_wanted) {
    read_field(shape[kLength], length_, record.length,
               [&] { return read_length(shape[kDigest] == kSame); });
    read_field(shape[kTextLength], text_length_, record.text_length, [&] {
      return text_length_ ? *text_length_ + unzigzag(tokens_.get(kTextLengthContext))
                          : tokens_.get(kFirstTextLengthContext);
    });
    read_field(shape[kTitle], title_, record.title_hash, [&] { return tokens_.get_bits(64); });
    record.refers_to_time.reset();
    if (shape[kRefersToTime] == kNew) read_refers_to_time(record, is_wanted);
    read_field(shape[kRedirect], redirect_, record.redirect,
               [&] { return node_ + unzigzag(tokens_.get(kRedirectContext)); });
    read_field(shape[kRefersTo], refers_to_, record.refers_to,
               [&] { return node_ + unzigzag(tokens_.get(kRefersToContext)); });
  }

  std::uint64_t read_length(bool has_same_digest) {
    if (!length_) return tokens_.get(kFirstLengthContext);
    length_step_ = tokens_.get(has_same_digest ? std::uint32_t{kSameDigestLengthContext}
                                               : kLengthContext + size_context(length_step_));
    return *length_ + unzigzag(length_step_);
  }

  void read_refers_to_time(SightingRecord& record, bool is_wanted) {
    const std::uint64_t back = tokens_.get(kRefersToTimeContext);
    const std::uint64_t before = back == 0 ? unzigzag(tokens_.get(kRefersToSecondsContext)) : 0;
    if (!is_wanted) return;
    if (back > done_) throw corrupt("a revisit refers to a missing record");
    record.refers_to_time =
        back > 0 ? records_[done_ - back].time
                 : static_cast<Time>(static_cast<std::uint64_t>(record.time) - before);
  }

  void pass_bytes(std::uint64_t size) {
    if (size > stream_.size()) throw corrupt("a text goes past the end");
    tokens_.skip_bits(size * 8);
  }

  void append_bytes(std::uint64_t bit, std::uint64_t size, std::string& out) const {
    TokenReader bytes(*codes_, stream_, bit);
    for (; size >= 8; size -= 8) append_u64(out, bytes.get_bits(64));
    for (; size > 0; --size) out.push_back(static_cast<char>(bytes.get_bits(8)));
  }

  void read_digest(std::uint32_t state, DigestHistory& history, std::string* text) {
    if (state == kReturned) {
      const std::uint64_t back = tokens_.get(kDigestBackContext);
      if (back >= history.recent.size()) throw corrupt("a digest returns that was not there");
      history.last = history.recent[history.recent.size() - 1 - back];
    } else if (state != kAbsent && state != kSame) {
      const std::uint64_t size = state == kVerbatim ? tokens_.get(kDigestSizeContext)
                                                    : tables_->forms[state - kFirstForm].size;
      history.last = {state, tokens_.position(), size};
      history.recent.push_back(history.last);
      pass_bytes(size);
    } else if (state == kSame && history.last.state == kAbsent) {
      throw corrupt("a digest is the same as none");
    }
    if (text != nullptr) write_digest(state == kAbsent ? DigestPlace() : history.last, *text);
  }

  void write_digest(const DigestPlace& place, std::string& text) {
    text.clear();
    if (place.state == kAbsent) return;
    if (place.state == kVerbatim) {
      append_bytes(place.bit, place.size, text);
    } else {
      digest_bytes_.clear();
      append_bytes(place.bit, place.size, digest_bytes_);
      join_digest(tables_->forms[place.state - kFirstForm], digest_bytes_, text);
    }
    count_text(text.size());
  }

  void read_spelling(std::uint32_t state) {
    if (state == kSame && !has_spelling_) throw corrupt("a spelling is the same as none");
    if (state != kNew) return;
    const std::uint64_t front = tokens_.get(kSharedContext);
    const std::uint64_t back = tokens_.get(kSharedContext);
    const std::uint64_t size = tokens_.get(kSpellingSizeContext);
    const std::uint64_t bit = tokens_.position();
    pass_bytes(size);
    if (front > spelling_.size() || back > spelling_.size() - front) {
      throw corrupt("a spelling shares what is not there");
    }
    std::string middle;
    append_bytes(bit, size, middle);
    spelling_.replace(front, spelling_.size() - front - back, middle);
    has_spelling_ = true;
  }

  void read_place(const Shape& shape, SightingRecord& record) {
    if (shape[kCrawl] == kNew) {
      crawl_ = tokens_.get(kCrawlContext + static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                               crawl_, kCrawlContexts - 1)));
      if (crawl_ >= tables_->crawls.size()) throw corrupt("a crawl is not in the table");
    }
    if (shape[kFile] == kNew) {
      file_ += unzigzag(tokens_.get(kFileContext));
      if (file_ >= tables_->files.size()) throw corrupt("a file is not in the table");
    }
    record.offset.reset();
    if (shape[kOffset] == kAbsent) return;
    const std::uint64_t code = tokens_.get(kOffsetContext);
    record.offset = code;
    if (!tables_->offsets_are_differences) return;
    std::uint64_t& last = last_offset();
    last += unzigzag(code);
    record.offset = last;
  }

  // Of the present file. An entry sees few files.
  std::uint64_t& last_offset() {
    for (auto& [file, offset] : offsets_) {
      if (file == file_) return offset;
    }
    return offsets_.emplace_back(file_, 0).second;
  }

  void write_texts(const Shape& shape, SightingRecord& record) {
    const auto write = [&](std::string& text, const std::string* known) {
      text.clear();
      if (known == nullptr) return;
      count_text(known->size());
      text = *known;
    };
    write(record.mime, shape[kMime] == 0 ? nullptr : &tables_->mimes[shape[kMime] - 1]);
    write(record.file, shape[kFile] == kAbsent ? nullptr : &tables_->files[file_]);
    write(record.crawl, shape[kCrawl] == kAbsent ? nullptr : &tables_->crawls[crawl_]);
    write(record.spelling, shape[kSpelling] == kAbsent ? nullptr : &spelling_);
  }

  // A few bytes could expand to any amount of text.
  void count_text(std::size_t size) {
    text_bytes_ += size;
    if (text_bytes_ > kTextBytesMax) throw corrupt("too much text");
  }

  const Tables* tables_;
  const TokenTables* codes_;
  std::string_view stream_;
  TokenReader tokens_;

  // Of the entry.
  std::uint64_t file_ = 0;
  std::uint64_t crawl_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> offsets_;
  std::string spelling_;
  DigestHistory digests_;
  DigestHistory text_digests_;
  std::string digest_bytes_;

  // Of the node.
  SightingRecord scratch_;
  Uid node_ = 0;
  std::span<const Time> rows_;
  std::span<SightingRecord> records_;
  std::size_t done_ = 0;
  bool is_first_ = true;
  bool has_spelling_ = false;
  std::uint32_t last_shape_ = 0;
  Time last_time_ = 0;
  std::uint64_t last_seconds_ = 0;  // as coded
  std::uint64_t length_step_ = 0;   // likewise
  std::size_t text_bytes_ = 0;
  std::optional<std::uint64_t> length_;
  std::optional<std::uint64_t> text_length_;
  std::optional<std::uint64_t> title_;
  std::optional<Uid> redirect_;
  std::optional<Uid> refers_to_;
};

}  // namespace webstrata::sightings_format
