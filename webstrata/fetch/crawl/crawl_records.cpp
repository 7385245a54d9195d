// SPDX-License-Identifier: Apache-2.0

// What a crawl writes down besides its pages: the answers for robots.txt, and the log.
//
// A page has a line when its answer is stored, when it is given up after its last try, and when it
// ends without a request. Tries without an answer that are followed by another one have none.
//
// Tested by tests/fetch/crawl_test.cpp and tests/cli/crawl_files_test.py.

#include <fmt/format.h>

#include "webstrata/fetch/crawl/crawler.h"
#include "webstrata/fetch/wire/answer.h"

namespace webstrata {
namespace {

void annotate(std::string& annotations, std::string_view word) {
  if (!annotations.empty()) annotations += ',';
  annotations += word;
}

// Heritrix's words.
std::string_view annotation_of(Truncation truncated) {
  switch (truncated) {
    case Truncation::None:
      break;
    case Truncation::Length:
      return "lenTrunc";
    case Truncation::TooLate:
      return "timeTrunc";
    case Truncation::Disconnect:
      return "midFetchTrunc";
  }
  return "";
}

CrawlLogLine line_of(const Response& response, Moment now) {
  CrawlLogLine line{.written = now, .url = response.url};
  line.status = response.status;
  if (response.status == 0) {
    line.status = static_cast<int>(fetch_code_of(response.failure));
    return line;
  }
  line.size = response.body.size();
  line.started = response.started;
  line.finished = response.finished;
  if (const auto word = annotation_of(response.truncated); !word.empty()) {
    annotate(line.annotations, word);
  }
  return line;
}

}  // namespace

void Crawler::sync() {
  files_.sync();
  if (log_) log_->sync();
}

void Crawler::keep_robots(const Response& response, UrlNumber asker, Settlement& settlement) {
  Url url;
  if (!parse_url(response.url, url) || is_forgotten(url)) return;
  const auto stored = store(response, response.url, url, settlement);
  if (!stored || !log_) return;
  CrawlLogLine line = line_of(response, clock_.now());
  if (asker != kNoUrl) {
    const LedgerUrl page = ledger_.url(asker);
    line.discovery = discovery_of(ledger_, page);
    line.discovery.via = page.url;
  }
  line.discovery.path += 'P';
  line.mime = capture_.sighting.mime;
  line.digest = stored->digest;
  if (stored->is_revisit) annotate(line.annotations, "duplicate:digest");
  log_->add(line);
}

void Crawler::log_answer(const Visited& visited, const Answer& answer) {
  const bool is_last = !answer.settlement.again_at;
  if (!log_ || answer.is_forgotten || (visited.response.status == 0 && !is_last)) return;
  const LedgerUrl page = ledger_.url(visited.visit.url);
  CrawlLogLine line = line_of(visited.response, clock_.now());
  line.discovery = discovery_of(ledger_, page);
  line.mime = answer.mime;
  line.digest = answer.digest;
  if (page.tries > 1) annotate(line.annotations, fmt::format("{}t", page.tries));
  if (answer.is_revisit) annotate(line.annotations, "duplicate:digest");
  log_->add(line);
}

FetchCode Crawler::code_of(const Visited& visited) {
  if (visited.end == VisitEnd::Disallowed) return FetchCode::RobotsPrecluded;
  Url url;
  if (!parse_url(visited.visit.href, url)) return FetchCode::Unfetchable;
  const auto& budget = ledger_.budget().host_requests;
  if (budget && ledger_.host(url.host()).requests >= *budget) return FetchCode::QuotaSpent;
  return visits_.rules_of(url) ? FetchCode::RetriesFailed : FetchCode::RobotsFailed;
}

void Crawler::log_unasked(UrlNumber number, FetchCode code) {
  if (!log_) return;
  const LedgerUrl page = ledger_.url(number);
  CrawlLogLine line{.written = clock_.now(), .status = static_cast<int>(code), .url = page.url};
  line.discovery = discovery_of(ledger_, page);
  log_->add(line);
}

}  // namespace webstrata
