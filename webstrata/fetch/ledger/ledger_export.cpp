// SPDX-License-Identifier: Apache-2.0

// The store is opened read-only, so that a running job can be printed. Each kind of record is one
// scan of the store in key order; a URL that a charge or page refers to by number is looked up when
// it is printed.
// Tested by tests/fetch/crawl_test.cpp and tests/cli/crawl_test.py.

#include "webstrata/fetch/ledger/ledger_export.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/bytes.h"
#include "webstrata/base/json.h"
#include "webstrata/fetch/ledger/ledger_keys.h"
#include "webstrata/fetch/ledger/ledger_records.h"
#include "webstrata/fetch/ledger/ledger_store.h"
#include "webstrata/fetch/wire/origin.h"

namespace webstrata {
namespace {

using namespace ledger_keys;

class Exporter {
 public:
  Exporter(const LedgerStore& store, const std::function<void(std::string_view)>& sink)
      : store_(store), sink_(sink) {}

  void job();
  void urls(std::string_view letter);
  void charges();
  void pages();
  void hosts();

 private:
  template <typename Fill>
  void line(std::string_view record, Fill fill) {
    line_.clear();
    JsonWriter json(line_);
    json.begin_object().field("record", record);
    fill(json);
    json.end_object();
    sink_(line_);
  }
  std::string url_of(UrlNumber number) const {
    LedgerUrl url;
    if (const auto bytes = store_.get(numbered(kUrl, number))) decode(*bytes, url);
    return url.url;
  }

  // The most that a charge without an answer can have cost so far.
  std::uint64_t bytes_granted(ChargeNumber number, const Charge& charge) const {
    const auto granted = store_.get(numbered(kUnderWay, number));
    if (!granted || granted->empty()) return charge.bytes;
    return std::min(charge.bytes, ByteReader(*granted, "ledger").varint());
  }

  const LedgerStore& store_;
  const std::function<void(std::string_view)>& sink_;
  std::string line_;
};

void Exporter::job() {
  LedgerTotals totals;
  if (const auto bytes = store_.get(kTotals)) decode(*bytes, totals);
  std::uint64_t reserved = 0;  // part of the totals
  std::uint64_t granted = 0;
  Charge charge;
  store_.scan(kCharge, [&](std::string_view key, std::string_view value) {
    decode(value, charge);
    if (charge.is_settled && !charge.is_lost) return true;
    reserved += charge.bytes;
    granted += bytes_granted(number_of(key), charge);
    return true;
  });
  line("job", [&](JsonWriter& json) {
    json.field("requests", totals.requests).field("bytes", totals.bytes - reserved);
    json.field("bytes_reserved", granted);
    json.field("answers", totals.answers).field("lost", totals.lost);
    json.field("active_ms", totals.active_ms);
    json.key("settings").begin_object();
    store_.scan(kSetting, [&](std::string_view name, std::string_view value) {
      json.field(name, value);
      return true;
    });
    json.end_object();
  });
}

void Exporter::urls(std::string_view letter) {
  LedgerUrl url;
  store_.scan(letter, [&](std::string_view, std::string_view value) {
    decode(value, url);
    if (url.url.empty()) return true;  // it was forgotten
    line("url", [&](JsonWriter& json) {
      json.field("url", url.url).field("state", to_string(url.state));
      const std::string from = url.from == kNoUrl ? std::string() : url_of(url.from);
      if (!from.empty()) json.field("from", from);
      json.field("depth", url.depth).field("found", moment_text(url.found));
      json.field("tries", url.tries);
      if (url.lost > 0) json.field("lost", url.lost);
      if (url.state == UrlState::Waiting && url.not_before > 0) {
        json.field("not_before", moment_text(url.not_before));
      }
      if (url.time != 0) json.field("time", moment_text(url.time));
      if (url.outcome != Outcome::Unknown) json.field("outcome", to_string(url.outcome));
      if (url.status != 0) json.field("status", url.status);
      if (!url.target.empty()) json.field("target", url.target);
      if (!url.evidence.empty()) json.field("evidence", url.evidence);
    });
    return true;
  });
}

void Exporter::charges() {
  Charge charge;
  store_.scan(kCharge, [&](std::string_view key, std::string_view value) {
    decode(value, charge);
    line("charge", [&](JsonWriter& json) {
      json.field("number", number_of(key)).field("kind", to_string(charge.kind));
      json.field("url", charge.url != kNoUrl ? url_of(charge.url) : charge.text);
      json.field("host", charge.host).field("leased", moment_text(charge.leased));
      const bool has_answer = charge.is_settled && !charge.is_lost;
      json.field(has_answer ? "bytes" : "bytes_reserved",
                 has_answer ? charge.bytes : bytes_granted(number_of(key), charge));
      json.field("score", charge.score).field("why", charge.why);
      json.field("settled", charge.is_settled);
      if (!charge.is_settled) return;
      json.field("time", moment_text(charge.settled)).field("outcome", to_string(charge.outcome));
      if (charge.status != 0) json.field("status", charge.status);
      if (!charge.evidence.empty()) json.field("evidence", charge.evidence);
      if (!charge.file.empty()) json.field("file", charge.file).field("offset", charge.offset);
    });
    return true;
  });
}

// In the order of answers: the curve of the harvest.
void Exporter::pages() {
  LearnedPage page;
  double harvest = 0;
  store_.scan(kLearned, [&](std::string_view key, std::string_view value) {
    decode(value, page);
    harvest += page.score;
    line("page", [&](JsonWriter& json) {
      json.field("number", number_of(key)).field("url", url_of(page.url));
      json.field("score", page.score).field("harvest", harvest);
    });
    return true;
  });
}

void Exporter::hosts() {
  Place place;
  store_.scan(kPlace, [&](std::string_view name, std::string_view value) {
    decode(value, place);
    line("host", [&](JsonWriter& json) {
      const bool is_address = name.starts_with('@');
      const bool is_host = !is_address && !is_origin(name);
      json.field(is_address ? "address"
                 : is_host  ? "host"
                            : "origin",
                 is_address ? name.substr(1) : name);
      if (is_address || is_host) json.field("requests", place.requests);
      if (is_host) json.field("bytes", place.bytes);
      if (place.last_lease > 0) json.field("last_lease", moment_text(place.last_lease));
      if (place.last_end > 0) json.field("last_end", moment_text(place.last_end));
      if (place.not_before > 0) json.field("not_before", moment_text(place.not_before));
      if (place.delay_ms > 0) json.field("crawl_delay_ms", place.delay_ms);
      if (place.failures > 0) json.field("failures", place.failures);
      if (place.is_given_up) json.field("given_up", true);
      if (is_host && !place.address.empty()) json.field("address", place.address);
    });
    return true;
  });
}

}  // namespace

std::string moment_text(Moment moment) {
  std::string text = to_rfc3339(seconds_of(moment));
  text.pop_back();
  return fmt::format("{}.{:03}Z", text, moment - seconds_of(moment) * 1000);
}

void export_ledger(const std::filesystem::path& folder,
                   const std::function<void(std::string_view line)>& sink) {
  const LedgerStore store = LedgerStore::open_to_read(folder / "ledger");
  Exporter exporter(store, sink);
  exporter.job();
  exporter.urls(kUrl);
  exporter.urls(kTurnedAway);
  exporter.charges();
  exporter.pages();
  exporter.hosts();
}

}  // namespace webstrata
