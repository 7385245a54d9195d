// SPDX-License-Identifier: Apache-2.0

// The reader; sightings_encoder.cpp makes the bytes, sightings_format.h explains the idea.
//
// Opening reads the tables and the counts of all nodes. A node is read from its entry on: the nodes
// before it in the entry are skipped, which means reading their tokens, but making no texts and
// needing no rows. Tested by tests/codec/sightings_test.cpp.

#include "webstrata/codec/sightings.h"

#include <algorithm>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/digest_text.h"
#include "webstrata/codec/sightings_format.h"
#include "webstrata/codec/text_table.h"
#include "webstrata/codec/token_coder.h"

namespace webstrata {
namespace {

using namespace sightings_format;

Error corrupt(const char* reason) {
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

void read_forms(ByteReader& bytes, std::vector<DigestForm>& forms) {
  const std::uint64_t count = bytes.varint();
  if (count > bytes.remaining()) throw corrupt("too many forms of digests");
  for (std::uint64_t i = 0; i < count; ++i) {
    DigestForm form;
    form.prefix = bytes.take(bytes.u8());
    const std::uint8_t alphabet = bytes.u8();
    form.size = bytes.u8();
    if (alphabet > static_cast<std::uint8_t>(DigestForm::Alphabet::HexUpper) ||
        form.size > kDigestBytesMax || form.prefix.size() > kDigestPrefixBytesMax) {
      throw corrupt("a form of digests is unknown");
    }
    form.alphabet = static_cast<DigestForm::Alphabet>(alphabet);
    forms.push_back(std::move(form));
  }
}

// So that records need not examine each field again.
bool is_valid(const Shape& shape, const Tables& tables) {
  constexpr std::uint32_t kByteMax = 0xff;
  constexpr std::uint32_t kStatusMax = 0x10000;
  constexpr std::uint32_t kFlagsMax = 3;
  const bool small = shape[kKind] <= kByteMax && shape[kOutcome] <= kByteMax &&
                     shape[kProfile] <= kByteMax && shape[kFlags] <= kFlagsMax &&
                     shape[kStatus] <= kStatusMax && shape[kMime] <= tables.mimes.size();
  const bool states = std::all_of(shape.begin() + kTextLength, shape.begin() + kDigest,
                                  [](std::uint32_t state) { return state <= kNew; }) &&
                      std::all_of(shape.begin() + kSpelling, shape.end(),
                                  [](std::uint32_t state) { return state <= kNew; });
  const std::size_t digest_end = kFirstForm + tables.forms.size();
  const bool digests = shape[kDigest] < digest_end && shape[kTextDigest] < digest_end;
  const bool places = (shape[kFile] == kAbsent || !tables.files.empty()) &&
                      (shape[kCrawl] == kAbsent || !tables.crawls.empty());
  return small && states && digests && places && shape[kOffset] != kSame &&
         shape[kRefersToTime] != kSame;
}

void read_shapes(ByteReader& bytes, Tables& tables) {
  const std::uint64_t count = bytes.varint();
  if (count > kChunkSightings || count > bytes.remaining()) throw corrupt("too many shapes");
  Shape shape = {};
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t mask = bytes.varint();
    for (std::size_t field = 0; field < kFieldCount; ++field) {
      if ((mask >> field & 1) != 0) {
        shape[field] = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes.varint(), ~0U));
      }
    }
    if (mask >> kFieldCount != 0 || !is_valid(shape, tables)) throw corrupt("a shape is not valid");
    tables.shapes.push_back(shape);
  }
}

// A digest that was skipped in the stream.
struct DigestPlace {
  std::uint32_t state = kAbsent;  // kVerbatim or a form
  std::uint64_t bit = 0;
  std::uint64_t size = 0;  // bytes
};

// How much of a record is wanted; its tokens are read in any case.
enum class Wanted { Nothing, Outcome, Everything };

// Reads the records of one entry, one after the other.
class EntryReader {
 public:
  EntryReader(const Tables& tables, const TokenTables& codes, std::string_view stream,
              std::uint64_t bit)
      : tables_(tables), codes_(codes), stream_(stream), tokens_(codes, stream, bit) {}

  void pass_node(std::size_t count) {
    SightingRecord scratch;
    begin_node(0, {});
    for (std::size_t i = 0; i < count; ++i) read_record(scratch, Wanted::Nothing);
  }

  void read_outcomes(Uid node, std::span<const Time> rows, std::span<SightingOutcome> out) {
    SightingRecord record;
    begin_node(node, rows);
    for (SightingOutcome& outcome : out) {
      read_record(record, Wanted::Outcome);
      outcome = {record.time, record.kind, record.outcome, record.has_links, record.redirect};
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
    if (number >= tables_.shapes.size()) throw corrupt("a shape is not in the table");
    last_shape_ = static_cast<std::uint32_t>(number);
    const Shape& shape = tables_.shapes[number];
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
    if (tables_.times.empty()) {
      return static_cast<Time>(
          static_cast<std::uint64_t>(is_first_ ? tables_.base_time : last_time_) + value);
    }
    const auto begin = tables_.times.begin();
    const auto from = is_first_ ? begin : std::upper_bound(begin, tables_.times.end(), last_time_);
    if (value >= static_cast<std::uint64_t>(tables_.times.end() - from)) {
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
    tokens_ = TokenReader(codes_, stream_, tokens_.position() + size * 8);
  }

  void append_bytes(std::uint64_t bit, std::uint64_t size, std::string& out) const {
    TokenReader bytes(codes_, stream_, bit);
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
                                                    : tables_.forms[state - kFirstForm].size;
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
      join_digest(tables_.forms[place.state - kFirstForm], digest_bytes_, text);
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
      if (crawl_ >= tables_.crawls.size()) throw corrupt("a crawl is not in the table");
    }
    if (shape[kFile] == kNew) {
      file_ += unzigzag(tokens_.get(kFileContext));
      if (file_ >= tables_.files.size()) throw corrupt("a file is not in the table");
    }
    record.offset.reset();
    if (shape[kOffset] == kAbsent) return;
    const std::uint64_t code = tokens_.get(kOffsetContext);
    record.offset = code;
    if (!tables_.offsets_are_differences) return;
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
    write(record.mime, shape[kMime] == 0 ? nullptr : &tables_.mimes[shape[kMime] - 1]);
    write(record.file, shape[kFile] == kAbsent ? nullptr : &tables_.files[file_]);
    write(record.crawl, shape[kCrawl] == kAbsent ? nullptr : &tables_.crawls[crawl_]);
    write(record.spelling, shape[kSpelling] == kAbsent ? nullptr : &spelling_);
  }

  // A few bytes could expand to any amount of text.
  void count_text(std::size_t size) {
    text_bytes_ += size;
    if (text_bytes_ > kTextBytesMax) throw corrupt("too much text");
  }

  const Tables& tables_;
  const TokenTables& codes_;
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

}  // namespace

struct SightingsChunk::State {
  Tables tables;
  TokenTables codes;
  std::string_view stream;
  std::vector<std::uint32_t> ends;  // of the nodes' records, counted through the chunk
  struct Entry {
    std::uint32_t node = 0;  // the first
    std::uint64_t bit = 0;
  };
  std::vector<Entry> entries;

  [[nodiscard]] std::size_t count(std::size_t node) const {
    return ends[node] - (node == 0 ? 0 : ends[node - 1]);
  }

  // At the records of `node`, which has some.
  [[nodiscard]] EntryReader reader_at(std::size_t node) const {
    const auto after = std::upper_bound(
        entries.begin(), entries.end(), node,
        [](std::size_t wanted, const Entry& entry) { return wanted < entry.node; });
    const Entry& entry = *(after - 1);
    EntryReader reader(tables, codes, stream, entry.bit);
    for (std::size_t before = entry.node; before < node; ++before) {
      reader.pass_node(count(before));
    }
    return reader;
  }
};

namespace {

// Where the records of every node end.
std::vector<std::uint32_t> read_counts(TokenReader& tokens, std::uint64_t node_count,
                                       std::uint64_t record_count) {
  std::vector<std::uint32_t> ends;
  ends.reserve(node_count);
  std::uint64_t total = 0;
  for (;;) {
    const std::uint64_t gap = tokens.get(kGapContext);
    if (gap > node_count - ends.size()) throw corrupt("more nodes than announced");
    ends.insert(ends.end(), gap, static_cast<std::uint32_t>(total));
    if (ends.size() == node_count) break;
    const std::uint64_t more = tokens.get(kCountContext);
    if (more >= record_count - total) throw corrupt("more records than announced");
    total += more + 1;
    ends.push_back(static_cast<std::uint32_t>(total));
  }
  if (total != record_count) throw corrupt("fewer records than announced");
  return ends;
}

void read_moments(TokenReader& tokens, std::uint64_t count, Tables& tables) {
  auto time = static_cast<std::uint64_t>(tables.base_time);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i > 0) time += tokens.get(kStepContext);
    tables.times.push_back(static_cast<Time>(time));
  }
  if (!std::is_sorted(tables.times.begin(), tables.times.end())) {
    throw corrupt("moments are out of order");
  }
}

// The nodes at which entries begin.
std::vector<std::uint32_t> entry_nodes(const std::vector<std::uint32_t>& ends) {
  std::vector<std::uint32_t> nodes;
  EntryRule rule;
  for (std::uint32_t node = 0, before = 0; node < ends.size(); before = ends[node++]) {
    if (ends[node] > before && rule.begins_at(ends[node] - before)) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace

SightingsChunk SightingsChunk::open(std::string_view bytes, Uid first) {
  ByteReader reader(bytes, "sightings");
  const std::uint64_t node_count = reader.varint();
  const std::uint64_t record_count = reader.varint();
  if (node_count > kChunkNodesMax || record_count > kChunkSightings) {
    throw corrupt("the chunk is too large");
  }
  Tables tables;
  tables.first = first;
  tables.offsets_are_differences = reader.u8() != 0;
  tables.base_time = static_cast<Time>(unzigzag(reader.varint()));
  const std::uint64_t moment_count = reader.varint();
  if (moment_count > record_count) throw corrupt("too many moments");
  tables.mimes = read_text_table(reader, kChunkSightings, kTextBytesMax);
  tables.files = read_text_table(reader, kChunkSightings, kTextBytesMax);
  tables.crawls = read_text_table(reader, kChunkSightings, kTextBytesMax);
  read_forms(reader, tables.forms);
  read_shapes(reader, tables);
  ByteReader code_bytes(reader.take(reader.varint()), "sightings");
  TokenTables codes = TokenTables::open(code_bytes, kContextCount);
  if (!code_bytes.at_end()) throw corrupt("bytes after the code tables");

  ByteReader entry_bytes(reader.take(reader.varint()), "sightings");
  auto state = std::make_unique<State>(
      State{std::move(tables), std::move(codes), reader.take(reader.remaining()), {}, {}});

  TokenReader tokens(state->codes, state->stream, 0);
  state->ends = read_counts(tokens, node_count, record_count);
  read_moments(tokens, moment_count, state->tables);
  std::uint64_t bit = 0;
  for (const std::uint32_t node : entry_nodes(state->ends)) {
    bit += entry_bytes.varint();
    state->entries.push_back({node, bit});
  }
  if (!entry_bytes.at_end()) throw corrupt("bytes after the entries");
  return SightingsChunk(std::move(state));
}

SightingsChunk::SightingsChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
SightingsChunk::SightingsChunk(SightingsChunk&&) noexcept = default;
SightingsChunk& SightingsChunk::operator=(SightingsChunk&&) noexcept = default;
SightingsChunk::~SightingsChunk() = default;

std::size_t SightingsChunk::node_count() const noexcept { return state_->ends.size(); }

std::uint64_t SightingsChunk::sighting_count() const noexcept {
  return state_->ends.empty() ? 0 : state_->ends.back();
}

std::size_t SightingsChunk::count(std::size_t node) const {
  if (node >= state_->ends.size()) throw corrupt("there is no such node");
  return state_->count(node);
}

void SightingsChunk::sightings(std::size_t node, std::span<const Time> row_times,
                               std::vector<SightingRecord>& out) const {
  out.resize(count(node));
  if (out.empty()) return;
  EntryReader reader = state_->reader_at(node);
  reader.read_node(state_->tables.first + node, row_times, out);
}

void SightingsChunk::outcomes(std::size_t node, std::span<const Time> row_times,
                              std::vector<SightingOutcome>& out) const {
  out.resize(count(node));
  if (out.empty()) return;
  EntryReader reader = state_->reader_at(node);
  reader.read_outcomes(state_->tables.first + node, row_times, out);
}

std::size_t SightingsChunk::memory_bytes() const noexcept {
  const auto texts = [](const std::vector<std::string>& table) {
    std::size_t bytes = table.capacity() * sizeof(std::string);
    for (const std::string& text : table) bytes += text.capacity();
    return bytes;
  };
  const Tables& tables = state_->tables;
  return sizeof(State) + state_->codes.memory_bytes() + texts(tables.mimes) + texts(tables.files) +
         texts(tables.crawls) + tables.times.capacity() * sizeof(Time) +
         tables.forms.capacity() * sizeof(DigestForm) + tables.shapes.capacity() * sizeof(Shape) +
         state_->ends.capacity() * sizeof(std::uint32_t) +
         state_->entries.capacity() * sizeof(State::Entry);
}

}  // namespace webstrata
