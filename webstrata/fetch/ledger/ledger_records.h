// SPDX-License-Identifier: Apache-2.0

// The records of a ledger, and how each is written as bytes.
//
// A *charge* is one request: paid before it leaves, settled when its outcome is known. A *place* is
// what is contacted: a host by its name, an origin (scheme, host and port), or a server by its
// address. Hosts and addresses have delays, origins have failures. Numbers of URLs and charges
// count from 0 in the order in which the job came to them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/facts/outcome.h"
#include "webstrata/fetch/rules/place.h"
#include "webstrata/fetch/wire/clock.h"
#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

using UrlNumber = std::uint32_t;
using ChargeNumber = std::uint64_t;
inline constexpr UrlNumber kNoUrl = 0xffffffff;

enum class UrlState : std::uint8_t {
  Waiting,  // in the frontier
  Leased,   // a charge is in flight
  Done,     // its outcome is known
  Dropped,  // it will not be requested; `evidence` says why
};
std::string_view to_string(UrlState state) noexcept;

// Why a url was turned away when it was found. The numbers are stored: new ones go to the end.
enum class TurnedAway : std::uint8_t {
  Unsaid,     // it was not, or an older program did it for another reason than scope and depth
  Forgotten,  // by the archive; never stored, since the name must not be
  OtherScheme,
  OutsideScope,
  TooDeep,
  Trap,
};

struct LedgerUrl {
  std::string url = {};  // empty: it was forgotten
  UrlState state = UrlState::Waiting;
  UrlNumber from = kNoUrl;  // the page whose link led here; none: a seed
  std::uint32_t depth = 0;  // links from a seed
  Moment found = 0;
  std::uint32_t tries = 0;  // charges so far
  std::uint32_t lost = 0;   // those whose answer was lost in a kill
  Moment not_before = 0;    // of the next try
  // The result of the last try.
  Outcome outcome = Outcome::Unknown;
  int status = 0;
  Moment time = 0;
  std::string target = {};    // of a redirect
  std::string evidence = {};  // why this outcome, why dropped, why again; for people
  TurnedAway turned_away = TurnedAway::Unsaid;
  Failure failure = Failure::None;  // why the last try got no answer
  char hop = 'L';                   // the kind of the link that led here (crawl_log.h)
  friend bool operator==(const LedgerUrl&, const LedgerUrl&) = default;
};

// What stays of a URL that was forgotten: its number, and whether it was a seed.
LedgerUrl forgotten_url(const LedgerUrl& url);

enum class ChargeKind : std::uint8_t { Page, Robots, Sitemap, Twin };
std::string_view to_string(ChargeKind kind) noexcept;

struct Charge {
  ChargeKind kind = ChargeKind::Page;
  UrlNumber url = kNoUrl;  // of a page
  std::string text = {};   // the requested URL, where it has no number
  std::string host = {};
  Moment leased = 0;
  std::uint64_t bytes = 0;  // reserved; once settled, received
  double score = 0;
  std::string why = {};  // why this URL, why now
  bool is_settled = false;
  Moment settled = 0;
  Outcome outcome = Outcome::Unknown;
  int status = 0;
  std::string evidence = {};
  // The record of a crawl file that holds the answer, if one does.
  std::string file = {};
  std::uint64_t offset = 0;
  // The program ended before the answer; `bytes` is the most that it can have cost.
  bool is_lost = false;
  friend bool operator==(const Charge&, const Charge&) = default;
};

struct LedgerTotals {
  std::uint64_t requests = 0;  // charged: settled, in flight, lost in a kill
  std::uint64_t bytes = 0;     // charged: received, reserved
  std::uint64_t lost = 0;      // charges whose answer was lost in a kill
  std::uint64_t answers = 0;   // pages settled with an outcome
  Moment active_ms = 0;        // how long the job ran
  // Up to where the crawl files agree with the charges.
  std::string warc_file = {};
  std::uint64_t warc_end = 0;
  std::uint32_t warc_serial = 0;  // of the next file
  friend bool operator==(const LedgerTotals&, const LedgerTotals&) = default;
};

// A page that the order of the frontier learned from, in the order of answers.
struct LearnedLink {
  UrlNumber target = 0;
  double score = 0;
  friend bool operator==(const LearnedLink&, const LearnedLink&) = default;
};
struct LearnedPage {
  UrlNumber url = 0;
  double score = 0;
  std::uint64_t content = 0;  // hash of its content
  std::vector<LearnedLink> links = {};
  friend bool operator==(const LearnedPage&, const LearnedPage&) = default;
};

// What an origin's robots.txt said, word for word.
struct RobotsRecord {
  Moment fetched = 0;
  int status = 0;  // 0: no answer
  std::string body = {};
  friend bool operator==(const RobotsRecord&, const RobotsRecord&) = default;
};

// All decoders throw Error(Corrupt) if the bytes are invalid.
std::string encode(const LedgerUrl& url);
std::string encode(const Charge& charge);
std::string encode(const Place& place);
std::string encode(const LedgerTotals& totals);
std::string encode(const LearnedPage& page);
std::string encode(const RobotsRecord& robots);
void decode(std::string_view bytes, LedgerUrl& url);
void decode(std::string_view bytes, Charge& charge);
void decode(std::string_view bytes, Place& place);
void decode(std::string_view bytes, LedgerTotals& totals);
void decode(std::string_view bytes, LearnedPage& page);
void decode(std::string_view bytes, RobotsRecord& robots);

}  // namespace webstrata
