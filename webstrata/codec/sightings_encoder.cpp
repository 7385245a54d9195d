// SPDX-License-Identifier: Apache-2.0

// Two passes over the records: the first finds the shape of each and what belongs in the tables,
// the second writes the tokens. sightings_format.h explains the idea.
// Tested by tests/codec/sightings_test.cpp.

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>
#include <type_traits>
#include <utility>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/digest_text.h"
#include "webstrata/codec/sighting_list.h"
#include "webstrata/codec/sightings.h"
#include "webstrata/codec/sightings_format.h"
#include "webstrata/codec/text_table.h"
#include "webstrata/codec/token_coder.h"

namespace webstrata {
namespace {

using namespace sightings_format;

// Numbers for things, in the order of their first appearance.
template <typename Thing>
class Numbering {
 public:
  std::uint32_t number(const Thing& thing) {
    const auto [known, is_new] = numbers_.emplace(thing, static_cast<std::uint32_t>(all_.size()));
    if (is_new) all_.push_back(thing);
    return known->second;
  }
  [[nodiscard]] const std::vector<Thing>& all() const noexcept { return all_; }

 private:
  std::map<Thing, std::uint32_t> numbers_;
  std::vector<Thing> all_;
};

// What the first pass finds out about a record.
struct Plan {
  Shape shape = {};
  std::uint32_t number = 0;  // of the shape
  std::uint32_t time_code = 0;
  std::uint32_t digest_back = 0;
  std::uint32_t text_digest_back = 0;
  std::uint32_t file = 0;
  std::uint32_t crawl = 0;
};

template <typename Value>
std::uint32_t state_of(const std::optional<Value>& value, std::optional<Value>& last) {
  if (!value) return kAbsent;
  if (last == value) return kSame;
  last = value;
  return kNew;
}

std::uint32_t state_of(std::string_view text, std::string_view& last) {
  if (text.empty()) return kAbsent;
  if (last == text) return kSame;
  last = text;
  return kNew;
}

// The digests of one kind while an entry is written.
class DigestHistory {
 public:
  void begin_entry() { recent_.clear(); }
  void begin_node() { last_ = {}; }

  // `back` is set if the digest returns.
  std::uint32_t state_of(std::string_view text, Numbering<DigestForm>& forms, std::uint32_t& back) {
    if (text.empty()) return kAbsent;
    if (text == last_) return kSame;
    last_ = text;
    const std::size_t window = std::min(recent_.size(), kRecentDigests);
    const auto oldest = recent_.rbegin() + static_cast<std::ptrdiff_t>(window);
    const auto found = std::find(recent_.rbegin(), oldest, text);
    if (found != oldest) {
      back = static_cast<std::uint32_t>(found - recent_.rbegin());
      return kReturned;
    }
    recent_.push_back(text);
    const auto parts = split_digest(text);
    return parts ? kFirstForm + forms.number(parts->form) : std::uint32_t{kVerbatim};
  }

 private:
  std::string_view last_;
  std::vector<std::string_view> recent_;
};

// Calls begin_entry(), begin_node(node) and record(position) in the order of the stream.
template <typename Visitor>
void walk(const SightingLists& lists, Visitor& visitor) {
  EntryRule entries;
  for (std::size_t node = 0, at = 0; node < lists.node_count(); ++node) {
    const std::size_t end = lists.ends[node];
    if (at == end) continue;
    if (entries.begins_at(end - at)) visitor.begin_entry();
    visitor.begin_node(node);
    for (; at < end; ++at) visitor.record(at);
  }
}

std::size_t text_bytes(const SightingRecord& record) {
  std::size_t bytes = 0;
  each_record_field(record, [&](const auto& field) {
    if constexpr (std::is_same_v<decltype(field), const std::string&>) bytes += field.size();
  });
  return bytes;
}

std::uint64_t difference(Time time, Time base) {
  return static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(base);
}

// How many moments of `table` are between the previous record and `time`.
std::uint64_t rank_after(const std::vector<Time>& table, const std::optional<Time>& before,
                         Time time) {
  const auto from = before ? std::upper_bound(table.begin(), table.end(), *before) : table.begin();
  return static_cast<std::uint64_t>(std::lower_bound(from, table.end(), time) - from);
}

// The first pass.
class Planner {
 public:
  Planner(const SightingLists& lists, const TimeLists& row_times)
      : lists_(lists), row_times_(row_times), plans(lists.records.size()) {
    for (const SightingRecord& record : lists.records) {
      if (!record.file.empty()) files.push_back(record.file);
    }
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    offsets_.resize(files.size() + 1);
    walk(lists, *this);
    number_shapes();
    tabulate_times();
  }

  void begin_entry() {
    digests_.begin_entry();
    text_digests_.begin_entry();
    last_file_ = last_crawl_ = 0;
    std::fill(offsets_.begin(), offsets_.end(), 0);
  }

  void begin_node(std::size_t node) {
    digests_.begin_node();
    text_digests_.begin_node();
    last_ = {};
    rows_ = row_times_.list(node);
    text_bytes_ = 0;
  }

  void record(std::size_t at) {
    const SightingRecord& record = lists_.records[at];
    Plan& plan = plans[at];
    plan.time_code = time_code(record.time);
    set_small_fields(record, plan.shape);
    set_states(record, plan);
    set_place(record, plan);
    count_shape(plan);
    text_bytes_ += text_bytes(record);
    if (text_bytes_ > kTextBytesMax) {
      throw Error(ErrorKind::BadInput, "the sightings of one URL have too much text");
    }
  }

 private:
  struct Last {
    std::optional<Time> time;
    std::optional<std::uint64_t> text_length;
    std::optional<std::uint64_t> title_hash;
    std::optional<std::uint64_t> length;
    std::optional<Uid> redirect;
    std::optional<Uid> refers_to;
    std::string_view spelling;
  };

  std::uint32_t time_code(Time time) {
    const std::optional<Time> before = last_.time;
    assert(!before || *before <= time);
    last_.time = time;
    if (before == time) return kTimeSame;
    if (before) {
      const auto next = std::upper_bound(rows_.begin(), rows_.end(), *before);
      rows_ = rows_.subspan(static_cast<std::size_t>(next - rows_.begin()));
    }
    const auto row = std::lower_bound(rows_.begin(), rows_.end(), time);
    if (row != rows_.end() && *row == time) {
      return static_cast<std::uint32_t>(kTimeFirstRow + (row - rows_.begin()));
    }
    explicit_.push_back({before, time});
    return kTimeExplicit;
  }

  void set_small_fields(const SightingRecord& record, Shape& shape) {
    shape[kKind] = record.kind;
    shape[kOutcome] = record.outcome;
    shape[kProfile] = record.revisit_profile;
    shape[kFlags] = (record.has_links ? 1U : 0U) | (record.truncated ? 2U : 0U);
    shape[kStatus] = record.status ? 1U + static_cast<std::uint16_t>(*record.status) : 0U;
    shape[kMime] = record.mime.empty() ? 0U : 1U + mimes.number(record.mime);
  }

  void set_states(const SightingRecord& record, Plan& plan) {
    Shape& shape = plan.shape;
    shape[kTextLength] = state_of(record.text_length, last_.text_length);
    shape[kTitle] = state_of(record.title_hash, last_.title_hash);
    shape[kLength] = state_of(record.length, last_.length);
    shape[kRefersToTime] = record.refers_to_time ? kNew : kAbsent;
    shape[kRedirect] = state_of(record.redirect, last_.redirect);
    shape[kRefersTo] = state_of(record.refers_to, last_.refers_to);
    shape[kSpelling] = state_of(record.spelling, last_.spelling);
    shape[kDigest] = digests_.state_of(record.digest, forms, plan.digest_back);
    shape[kTextDigest] = text_digests_.state_of(record.text_digest, forms, plan.text_digest_back);
  }

  void set_place(const SightingRecord& record, Plan& plan) {
    const auto state = [](bool is_known, std::uint32_t number, std::uint32_t& last) {
      if (!is_known) return std::uint32_t{kAbsent};
      return std::exchange(last, number) == number ? std::uint32_t{kSame} : std::uint32_t{kNew};
    };
    if (!record.file.empty()) {
      const auto found = std::lower_bound(files.begin(), files.end(), record.file);
      plan.file = static_cast<std::uint32_t>(found - files.begin());
    }
    if (!record.crawl.empty()) plan.crawl = crawls.number(record.crawl);
    plan.shape[kFile] = state(!record.file.empty(), plan.file, last_file_);
    plan.shape[kCrawl] = state(!record.crawl.empty(), plan.crawl, last_crawl_);
    plan.shape[kOffset] = record.offset ? kNew : kAbsent;
    if (record.offset) weigh_offset(*record.offset, offsets_[last_file_]);
  }

  void weigh_offset(std::uint64_t offset, std::uint64_t& last) {
    offset_bits_ += std::bit_width(offset);
    difference_bits_ += std::bit_width(zigzag(offset - last));
    last = offset;
  }

  // A shape is mostly that of the record before.
  void count_shape(Plan& plan) {
    if (last_shape_ == nullptr || last_shape_->first != plan.shape) {
      const auto number = static_cast<std::uint32_t>(shape_numbers_.size());
      last_shape_ = &*shape_numbers_.emplace(plan.shape, number).first;
      shape_counts_.resize(shape_numbers_.size());
    }
    plan.number = last_shape_->second;
    ++shape_counts_[plan.number];
  }

  // The most frequent shapes get the smallest numbers.
  void number_shapes() {
    struct Counted {
      const Shape* shape = nullptr;
      std::uint32_t first_number = 0;
    };
    std::vector<Counted> order;
    for (const auto& [shape, number] : shape_numbers_) order.push_back({&shape, number});
    std::stable_sort(order.begin(), order.end(), [&](const Counted& a, const Counted& b) {
      return shape_counts_[a.first_number] > shape_counts_[b.first_number];
    });
    std::vector<std::uint32_t> numbers(order.size());
    for (const Counted& counted : order) {
      numbers[counted.first_number] = static_cast<std::uint32_t>(shapes.size());
      shapes.push_back(*counted.shape);
    }
    for (Plan& plan : plans) plan.number = numbers[plan.number];
  }

  // A table of moments is used where it pays: their steps and the ranks against plain seconds.
  void tabulate_times() {
    for (const ExplicitTime& seen : explicit_) explicit_times.push_back(seen.time);
    std::sort(explicit_times.begin(), explicit_times.end());
    explicit_times.erase(std::unique(explicit_times.begin(), explicit_times.end()),
                         explicit_times.end());
    if (!explicit_times.empty()) base_time = explicit_times.front();
    std::uint64_t second_bits = 0;
    std::uint64_t rank_bits = 0;
    for (const ExplicitTime& seen : explicit_) {
      second_bits += token_bits(difference(seen.time, seen.before.value_or(base_time)));
      rank_bits += token_bits(rank_after(explicit_times, seen.before, seen.time));
    }
    for (std::size_t i = 1; i < explicit_times.size(); ++i) {
      rank_bits += token_bits(difference(explicit_times[i], explicit_times[i - 1]));
    }
    if (second_bits <= rank_bits) explicit_times.clear();
  }

  // The approximate cost of a number: its bits below the topmost and a few for their count.
  static std::uint64_t token_bits(std::uint64_t value) { return 2 + std::bit_width(value); }

  struct ExplicitTime {
    std::optional<Time> before;  // of the record before it
    Time time = 0;
  };

  const SightingLists& lists_;
  const TimeLists& row_times_;
  DigestHistory digests_;
  DigestHistory text_digests_;
  Last last_;
  std::span<const Time> rows_;  // those after the record before
  std::uint32_t last_file_ = 0;
  std::uint32_t last_crawl_ = 0;
  std::vector<std::uint64_t> offsets_;  // the last of each file
  std::uint64_t offset_bits_ = 0;
  std::uint64_t difference_bits_ = 0;
  std::size_t text_bytes_ = 0;
  std::vector<ExplicitTime> explicit_;
  std::map<Shape, std::uint32_t> shape_numbers_;  // by first appearance
  const std::pair<const Shape, std::uint32_t>* last_shape_ = nullptr;
  std::vector<std::uint32_t> shape_counts_;

 public:
  std::vector<Plan> plans;  // parallel to the records
  std::vector<Shape> shapes;
  Numbering<std::string_view> mimes;
  std::vector<std::string_view> files;
  Numbering<std::string_view> crawls;
  Numbering<DigestForm> forms;
  Time base_time = 0;
  std::vector<Time> explicit_times;  // a table of them, or empty: seconds
  [[nodiscard]] bool offsets_are_differences() const { return difference_bits_ < offset_bits_; }
};

// The second pass.
class RecordWriter {
 public:
  RecordWriter(const SightingLists& lists, const Planner& planner)
      : lists_(lists), planner_(planner), offsets_(planner.files.size() + 1) {
    put_counts();
    put_moments();
    walk(lists, *this);
  }

  void begin_entry() {
    tokens_.mark();
    last_file_ = last_crawl_ = 0;
    last_spelling_ = {};
    std::fill(offsets_.begin(), offsets_.end(), 0);
  }

  void begin_node(std::size_t node) {
    node_ = lists_.first + node;
    last_ = nullptr;
    length_.reset();
    text_length_.reset();
    last_seconds_ = length_step_ = 0;
    first_record_ = node == 0 ? 0 : lists_.ends[node - 1];
  }

  void record(std::size_t at) {
    const SightingRecord& record = lists_.records[at];
    const Plan& plan = planner_.plans[at];
    const Shape& shape = plan.shape;
    tokens_.put(last_ == nullptr
                    ? std::uint32_t{kFirstShapeContext}
                    : kShapeContext + std::min(planner_.plans[at - 1].number, kShapeContexts - 1),
                plan.number);
    put_time(record, plan);
    put_lengths(record, shape);
    if (shape[kTitle] == kNew) tokens_.put_bits(*record.title_hash, 64);
    if (shape[kRefersToTime] == kNew) put_refers_to_time(at);
    if (shape[kRedirect] == kNew) tokens_.put(kRedirectContext, zigzag(*record.redirect - node_));
    if (shape[kRefersTo] == kNew) tokens_.put(kRefersToContext, zigzag(*record.refers_to - node_));
    put_digest(record.digest, shape[kDigest], plan.digest_back);
    put_digest(record.text_digest, shape[kTextDigest], plan.text_digest_back);
    if (shape[kSpelling] == kNew) put_spelling(record.spelling);
    put_place(record, plan);
    last_ = &record;
  }

  EncodedTokens finish() { return tokens_.finish(); }

 private:
  void put_counts() {
    std::uint64_t gap = 0;
    for (std::size_t node = 0, at = 0; node < lists_.node_count(); at = lists_.ends[node++]) {
      if (lists_.ends[node] == at) {
        ++gap;
        continue;
      }
      tokens_.put(kGapContext, gap);
      tokens_.put(kCountContext, lists_.ends[node] - at - 1);
      gap = 0;
    }
    tokens_.put(kGapContext, gap);
  }

  void put_moments() {
    const auto& table = planner_.explicit_times;
    for (std::size_t i = 1; i < table.size(); ++i) {
      tokens_.put(kStepContext, difference(table[i], table[i - 1]));
    }
  }

  void put_time(const SightingRecord& record, const Plan& plan) {
    const std::uint32_t context = last_ == nullptr   ? kFirstTimeContext
                                  : record.has_links ? kCaptureTimeContext
                                                     : kOtherTimeContext;
    tokens_.put(context, plan.time_code);
    if (plan.time_code != kTimeExplicit) return;
    const auto before = last_ == nullptr ? std::nullopt : std::optional(last_->time);
    const std::uint64_t code = planner_.explicit_times.empty()
                                   ? difference(record.time, before.value_or(planner_.base_time))
                                   : rank_after(planner_.explicit_times, before, record.time);
    tokens_.put(before ? kSecondsContext + size_context(last_seconds_) : kFirstSecondsContext,
                code);
    last_seconds_ = before ? code : 0;
  }

  void put_lengths(const SightingRecord& record, const Shape& shape) {
    if (shape[kLength] == kNew) {
      const std::uint64_t step = length_ ? zigzag(*record.length - *length_) : *record.length;
      tokens_.put(!length_                  ? std::uint32_t{kFirstLengthContext}
                  : shape[kDigest] == kSame ? std::uint32_t{kSameDigestLengthContext}
                                            : kLengthContext + size_context(length_step_),
                  step);
      length_step_ = length_ ? step : 0;
      length_ = record.length;
    }
    if (shape[kTextLength] == kNew) {
      tokens_.put(text_length_ ? kTextLengthContext : kFirstTextLengthContext,
                  text_length_ ? zigzag(*record.text_length - *text_length_) : *record.text_length);
      text_length_ = record.text_length;
    }
  }

  // Mostly the time of an earlier record of the page: how many back, or 0 and the difference.
  void put_refers_to_time(std::size_t at) {
    const Time time = *lists_.records[at].refers_to_time;
    for (std::size_t back = 1; back <= std::min(at - first_record_, kRecentTimes); ++back) {
      if (lists_.records[at - back].time != time) continue;
      tokens_.put(kRefersToTimeContext, back);
      return;
    }
    tokens_.put(kRefersToTimeContext, 0);
    tokens_.put(kRefersToSecondsContext,
                zigzag(static_cast<std::uint64_t>(lists_.records[at].time) -
                       static_cast<std::uint64_t>(time)));
  }

  void put_bytes(std::string_view bytes) {
    ByteReader reader(bytes, "text");
    while (reader.remaining() >= 8) tokens_.put_bits(reader.u64(), 64);
    while (!reader.at_end()) tokens_.put_bits(reader.u8(), 8);
  }

  void put_digest(std::string_view text, std::uint32_t state, std::uint32_t back) {
    if (state == kAbsent || state == kSame) return;
    if (state == kReturned) {
      tokens_.put(kDigestBackContext, back);
    } else if (state == kVerbatim) {
      tokens_.put(kDigestSizeContext, text.size());
      put_bytes(text);
    } else {
      put_bytes(split_digest(text)->bytes);
    }
  }

  void put_spelling(std::string_view text) {
    const SharedEnds shared = shared_ends(last_spelling_, text);
    const std::size_t size = text.size() - shared.front - shared.back;
    tokens_.put(kSharedContext, shared.front);
    tokens_.put(kSharedContext, shared.back);
    tokens_.put(kSpellingSizeContext, size);
    put_bytes(text.substr(shared.front, size));
    last_spelling_ = text;
  }

  void put_place(const SightingRecord& record, const Plan& plan) {
    if (plan.shape[kCrawl] == kNew) {
      tokens_.put(kCrawlContext + std::min(last_crawl_, kCrawlContexts - 1), plan.crawl);
      last_crawl_ = plan.crawl;
    }
    if (plan.shape[kFile] == kNew) {
      tokens_.put(kFileContext, zigzag(std::uint64_t{plan.file} - last_file_));
      last_file_ = plan.file;
    }
    if (!record.offset) return;
    std::uint64_t& last = offsets_[last_file_];
    tokens_.put(kOffsetContext, planner_.offsets_are_differences() ? zigzag(*record.offset - last)
                                                                   : *record.offset);
    last = *record.offset;
  }

  const SightingLists& lists_;
  const Planner& planner_;
  TokenWriter tokens_{kContextCount};
  Uid node_ = 0;
  std::size_t first_record_ = 0;          // of the node
  const SightingRecord* last_ = nullptr;  // of the node
  std::optional<std::uint64_t> length_;   // likewise
  std::optional<std::uint64_t> text_length_;
  std::uint64_t last_seconds_ = 0;  // as coded
  std::uint64_t length_step_ = 0;   // likewise
  std::uint32_t last_file_ = 0;
  std::uint32_t last_crawl_ = 0;
  std::string_view last_spelling_;
  std::vector<std::uint64_t> offsets_;
};

void append_forms(std::string& out, const std::vector<DigestForm>& forms) {
  append_varint(out, forms.size());
  for (const DigestForm& form : forms) {
    out.push_back(static_cast<char>(form.prefix.size()));
    out += form.prefix;
    out.push_back(static_cast<char>(form.alphabet));
    out.push_back(static_cast<char>(form.size));
  }
}

// Each shape as what differs from the one before.
void append_shapes(std::string& out, const std::vector<Shape>& shapes) {
  append_varint(out, shapes.size());
  Shape before = {};
  for (const Shape& shape : shapes) {
    std::uint64_t mask = 0;
    for (std::size_t field = 0; field < kFieldCount; ++field) {
      if (shape[field] != before[field]) mask |= std::uint64_t{1} << field;
    }
    append_varint(out, mask);
    for (std::size_t field = 0; field < kFieldCount; ++field) {
      if ((mask >> field & 1) != 0) append_varint(out, shape[field]);
    }
    before = shape;
  }
}

void append_entries(std::string& out, const EncodedTokens& tokens) {
  std::string entries;
  std::uint64_t before = 0;
  for (const std::uint64_t position : tokens.positions) {
    append_varint(entries, position - before);
    before = position;
  }
  append_varint(out, entries.size());
  out += entries;
}

}  // namespace

std::string encode_sightings(const SightingLists& lists, const TimeLists& row_times) {
  assert(row_times.node_count() == lists.node_count());
  if (lists.node_count() > kChunkNodesMax || lists.records.size() > kChunkSightings) {
    throw Error(ErrorKind::BadInput, "too many sightings for one chunk");
  }
  const Planner planner(lists, row_times);
  const EncodedTokens tokens = RecordWriter(lists, planner).finish();

  std::string out;
  append_varint(out, lists.node_count());
  append_varint(out, lists.records.size());
  out.push_back(planner.offsets_are_differences() ? 1 : 0);
  append_varint(out, zigzag(static_cast<std::uint64_t>(planner.base_time)));
  append_varint(out, planner.explicit_times.size());
  append_text_table(out, planner.mimes.all());
  append_text_table(out, planner.files);
  append_text_table(out, planner.crawls.all());
  append_forms(out, planner.forms.all());
  append_shapes(out, planner.shapes);
  append_varint(out, tokens.tables.size());
  out += tokens.tables;
  append_entries(out, tokens);
  out += tokens.stream;
  return out;
}

}  // namespace webstrata
