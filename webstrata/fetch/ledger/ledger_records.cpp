// SPDX-License-Identifier: Apache-2.0

// Each record is its fields in order: numbers as varints, signed ones zigzag, text with its length.
//
// LedgerUrl and Charge have a second form, whose last fields say what older programs said in words
// of the evidence; LedgerUrl has a third, with how it was found. A mark on their state or kind
// tells the forms apart, so a record that was cut never passes for an old one. Tested by
// tests/fetch/ledger_records_test.cpp.

#include "webstrata/fetch/ledger/ledger_records.h"

#include <array>
#include <bit>
#include <concepts>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// Added to the state of a url and to the kind of a charge, once for each form after the first.
constexpr std::uint64_t kFormMark = 4;
constexpr std::uint64_t kNewestUrl = 2;
constexpr std::uint64_t kNewestCharge = 1;

// What older programs wrote as evidence, and compared.
constexpr std::string_view kOldOutside = "outside the scope";
constexpr std::string_view kOldDeeper = "deeper than";
constexpr std::string_view kOldLost = "the program ended before the answer";

TurnedAway turned_away_in(const LedgerUrl& url) {
  if (url.evidence == kOldOutside) return TurnedAway::OutsideScope;
  if (url.evidence.starts_with(kOldDeeper)) return TurnedAway::TooDeep;
  return TurnedAway::Unsaid;
}

// Evidence of silence began with its name.
Failure failure_in(const LedgerUrl& url) {
  return parse_failure(url.evidence.substr(0, url.evidence.find(' '))).value_or(Failure::None);
}

class FieldWriter {
 public:
  // Which form follows, counted from 0.
  template <typename Enum>
  std::uint64_t marked(Enum value, std::uint64_t newest) {
    append_varint(out, static_cast<std::uint64_t>(value) + newest * kFormMark);
    return newest;
  }
  void unsaid(char) {}
  void from_words(const LedgerUrl&) {}
  void from_words(const Charge&) {}
  void operator()(const std::string& text) {
    append_varint(out, text.size());
    out += text;
  }
  void operator()(double number) { append_u64(out, std::bit_cast<std::uint64_t>(number)); }
  void operator()(bool truth) { append_varint(out, truth ? 1 : 0); }
  template <std::unsigned_integral Number>
  void operator()(Number number) {
    append_varint(out, number);
  }
  template <std::signed_integral Number>
  void operator()(Number number) {
    const auto wide = static_cast<std::int64_t>(number);
    append_varint(out,
                  static_cast<std::uint64_t>(wide) << 1 ^ static_cast<std::uint64_t>(wide >> 63));
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void operator()(Enum value) { append_varint(out, static_cast<std::uint64_t>(value)); }
  void operator()(const std::vector<LearnedLink>& links) {
    append_varint(out, links.size());
    for (const LearnedLink& link : links) {
      (*this)(link.target);
      (*this)(link.score);
    }
  }

  std::string out;
};

[[noreturn]] void fail() {
  throw Error(ErrorKind::Corrupt,
              "ledger: a record is not what it must be; restore the job's "
              "folder from a copy or begin a new job");
}

class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : reader_(bytes, "ledger record") {}

  template <typename Enum>
  std::uint64_t marked(Enum& value, std::uint64_t newest) {
    const std::uint64_t number = below((newest + 1) * kFormMark);
    value = static_cast<Enum>(number % kFormMark);
    return number / kFormMark;
  }
  void unsaid(char& hop) { hop = LedgerUrl().hop; }
  void from_words(LedgerUrl& url) {
    url.turned_away = turned_away_in(url);
    url.failure = failure_in(url);
  }
  void from_words(Charge& charge) {
    charge.is_lost = charge.is_settled && charge.status == 0 && charge.evidence == kOldLost;
  }

  void operator()(std::string& text) { text = reader_.take(reader_.varint()); }
  void operator()(double& number) { number = std::bit_cast<double>(reader_.u64()); }
  void operator()(bool& truth) { truth = below(2) == 1; }
  template <std::unsigned_integral Number>
  void operator()(Number& number) {
    const std::uint64_t wide = reader_.varint();
    number = static_cast<Number>(wide);
    if (number != wide) fail();
  }
  template <std::signed_integral Number>
  void operator()(Number& number) {
    const std::uint64_t coded = reader_.varint();
    const auto wide = static_cast<std::int64_t>(coded >> 1 ^ (0 - (coded & 1)));
    number = static_cast<Number>(wide);
    if (number != wide) fail();
  }
  void operator()(TurnedAway& why) { why = static_cast<TurnedAway>(below(6)); }
  void operator()(Failure& failure) { failure = static_cast<Failure>(below(14)); }
  void operator()(Outcome& outcome) { outcome = static_cast<Outcome>(below(7)); }
  void operator()(std::vector<LearnedLink>& links) {
    const std::uint64_t count = reader_.varint();
    if (count > reader_.remaining()) fail();
    links.resize(count);
    for (LearnedLink& link : links) {
      (*this)(link.target);
      (*this)(link.score);
    }
  }
  void end() const {
    if (!reader_.at_end()) fail();
  }

 private:
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t value = reader_.varint();
    if (value >= bound) fail();
    return value;
  }

  ByteReader reader_;
};

// The fields of each record, once for both directions.
template <typename Fields, typename Record>
void each_field(Fields& fields,
                Record&& record) requires std::same_as<std::remove_cvref_t<Record>, LedgerUrl> {
  fields(record.url);
  const std::uint64_t form = fields.marked(record.state, kNewestUrl);
  fields(record.from), fields(record.depth);
  fields(record.found), fields(record.tries), fields(record.lost), fields(record.not_before);
  fields(record.outcome), fields(record.status), fields(record.time), fields(record.target),
      fields(record.evidence);
  if (form >= 1) {
    fields(record.turned_away), fields(record.failure);
  } else {
    fields.from_words(record);
  }
  if (form >= 2) {
    fields(record.hop);
  } else {
    fields.unsaid(record.hop);
  }
}
template <typename Fields, typename Record>
void each_field(Fields& fields,
                Record&& record) requires std::same_as<std::remove_cvref_t<Record>, Charge> {
  const std::uint64_t form = fields.marked(record.kind, kNewestCharge);
  fields(record.url), fields(record.text), fields(record.host);
  fields(record.leased), fields(record.bytes), fields(record.score), fields(record.why);
  fields(record.is_settled), fields(record.settled), fields(record.outcome), fields(record.status);
  fields(record.evidence), fields(record.file), fields(record.offset);
  if (form >= 1) {
    fields(record.is_lost);
  } else {
    fields.from_words(record);
  }
}
template <typename Fields, typename Record>
void each_field(Fields& fields,
                Record&& record) requires std::same_as<std::remove_cvref_t<Record>, Place> {
  fields(record.last_lease), fields(record.last_end), fields(record.delay_ms);
  fields(record.not_before), fields(record.failures), fields(record.is_given_up);
  fields(record.requests), fields(record.bytes), fields(record.address);
}
template <typename Fields, typename Record>
void each_field(Fields& fields,
                Record&& record) requires std::same_as<std::remove_cvref_t<Record>, LedgerTotals> {
  fields(record.requests), fields(record.bytes), fields(record.lost), fields(record.answers);
  fields(record.active_ms), fields(record.warc_file), fields(record.warc_end);
  fields(record.warc_serial);
}
template <typename Fields, typename Record>
void each_field(Fields& fields,
                Record&& record) requires std::same_as<std::remove_cvref_t<Record>, LearnedPage> {
  fields(record.url), fields(record.score), fields(record.content), fields(record.links);
}
template <typename Fields, typename Record>
void each_field(Fields& fields,
                Record&& record) requires std::same_as<std::remove_cvref_t<Record>, RobotsRecord> {
  fields(record.fetched), fields(record.status), fields(record.body);
}

template <typename Record>
std::string written(const Record& record) {
  FieldWriter writer;
  each_field(writer, record);
  return std::move(writer.out);
}

template <typename Record>
void read(std::string_view bytes, Record& record) {
  FieldReader reader(bytes);
  each_field(reader, record);
  reader.end();
}

constexpr std::array<std::string_view, 4> kStates = {"waiting", "leased", "done", "dropped"};
constexpr std::array<std::string_view, 4> kKinds = {"page", "robots", "sitemap", "twin"};

}  // namespace

std::string_view to_string(UrlState state) noexcept {
  return kStates[static_cast<std::size_t>(state)];
}
std::string_view to_string(ChargeKind kind) noexcept {
  return kKinds[static_cast<std::size_t>(kind)];
}

LedgerUrl forgotten_url(const LedgerUrl& url) {
  LedgerUrl forgotten;
  forgotten.state = UrlState::Dropped;
  forgotten.from = url.from;
  forgotten.hop = url.hop;
  return forgotten;
}

std::string encode(const LedgerUrl& url) { return written(url); }
std::string encode(const Charge& charge) { return written(charge); }
std::string encode(const Place& place) { return written(place); }
std::string encode(const LedgerTotals& totals) { return written(totals); }
std::string encode(const LearnedPage& page) { return written(page); }
std::string encode(const RobotsRecord& robots) { return written(robots); }
void decode(std::string_view bytes, LedgerUrl& url) { read(bytes, url); }
void decode(std::string_view bytes, Charge& charge) { read(bytes, charge); }
void decode(std::string_view bytes, Place& place) { read(bytes, place); }
void decode(std::string_view bytes, LedgerTotals& totals) { read(bytes, totals); }
void decode(std::string_view bytes, LearnedPage& page) { read(bytes, page); }
void decode(std::string_view bytes, RobotsRecord& robots) { read(bytes, robots); }

}  // namespace webstrata
