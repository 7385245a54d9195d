// SPDX-License-Identifier: Apache-2.0

// A page is open until it is judged. Judging names the next url that it needs; when the answer to
// that comes, it is judged again. Answers are kept, so a twin or a target is asked once for all.
//
// Only one page of an origin is given to Visits at a time: when the origin turns out to be silent,
// the others need no request.
// Tested by tests/fetch/prober_test.cpp, and over sockets by tests/fetch/origins_test.py.

#include "webstrata/fetch/probe/prober.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "webstrata/fetch/rules/budget.h"
#include "webstrata/fetch/wire/origin.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

std::string silence_name(const std::string& url) { return "silence " + url; }

std::string joined(const std::vector<std::string>& facts) {
  std::string text;
  for (const std::string& fact : facts) {
    if (!text.empty()) text += "; ";
    text += fact;
  }
  return text;
}

Moment spacing(const Confirm& confirm) {
  return confirm.checks > 1 ? confirm.period_ms / (confirm.checks - 1) : 0;
}

Settlement settlement_of(const Response& response, const PageAnswer& answer, Moment now) {
  return {.outcome = outcome_of_status(answer.status, !answer.target.empty()),
          .status = response.status,
          .target = answer.target,
          .evidence = response.detail,
          .failure = response.status == 0 ? response.failure : Failure::None,
          .bytes = response.bytes_received,
          .sign = host_sign(response),
          .retry_at = retry_after(response, now),
          .address = response.address};
}

}  // namespace

std::optional<Confirm> parse_confirm(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  Confirm confirm;
  const std::string_view checks = text.substr(0, cross);
  const auto end = std::from_chars(checks.data(), checks.data() + checks.size(), confirm.checks);
  if (end.ec != std::errc() || end.ptr != checks.data() + checks.size() || confirm.checks == 0) {
    return std::nullopt;
  }
  const auto period = parse_duration(text.substr(cross + 1));
  if (!period) return std::nullopt;
  confirm.period_ms = *period;
  return confirm;
}

Prober::Prober(Transport& transport, const Clock& clock, Ledger& ledger, ProbeOptions options)
    : clock_(clock),
      ledger_(ledger),
      options_(std::move(options)),
      visits_(transport, clock, ledger,
              {.product = options_.product,
               .limits = options_.limits,
               .is_forbidden = options_.is_forgotten,
               .waits_for_robots = false}) {
  move_silences(ledger_.clock_shift());
  if (options_.is_forgotten) ledger_.forget(options_.is_forgotten, clock_.now());
}

bool Prober::is_done() const noexcept {
  return open_.empty() && decided_.empty() && (!options_.waits || again_.empty());
}

bool Prober::is_forgotten(const std::string& url) const {
  Url parsed;
  return options_.is_forgotten && parse_url(url, parsed) && options_.is_forgotten(parsed);
}

void Prober::add(const std::string& url) {
  if (!added_.insert(url).second) return;
  if (is_forgotten(url)) {  // the ledger does not hear of it either
    Judgement judgement;
    judgement.evidence = {"not requested: it was forgotten"};
    judgement.time = clock_.now();
    decided_.push_back({url, std::move(judgement), std::nullopt, clock_.now()});
    return;
  }
  const auto number = ledger_.find(url);
  if (number && *number != kNoUrl) {
    const LedgerUrl known = ledger_.url(*number);
    const bool is_later = known.state == UrlState::Waiting && known.not_before > clock_.now();
    const bool is_decided = known.outcome != Outcome::Unknown &&
                            (known.state == UrlState::Done || (is_later && !options_.waits));
    if (is_decided) {
      Judgement judgement;
      judgement.outcome = known.outcome;
      judgement.status = known.status;
      judgement.target = known.target;
      judgement.evidence = {known.evidence};
      judgement.failure = known.failure;
      judgement.time = known.time;
      decided_.push_back({url, std::move(judgement),
                          is_later ? std::optional(known.not_before) : std::nullopt, known.time});
      return;
    }
    if (is_later) {
      again_.emplace(known.not_before, url);
      return;
    }
    if (known.outcome == Outcome::Unreachable) ledger_.forgive(origin_of_text(url));
  }
  take_up(url);
}

void Prober::take_up(const std::string& url) {
  open_.insert(url);
  advance(url);
}

// Judges with what is known, and asks for what is not.
void Prober::advance(const std::string& url) {
  Judgement judgement = judge(
      url,
      [this](const std::string& wanted) {
        const auto found = answers_.find(wanted);
        return found == answers_.end() ? nullptr : &found->second;
      },
      options_.judge);
  if (judgement.needs.empty()) {
    decide(url, std::move(judgement));
    return;
  }
  const std::string needs = judgement.needs;
  waiting_for_[needs].push_back(url);
  if (judgement.needs_body) bodies_wanted_.insert(needs);
  ask(needs, judgement.is_twin);
}

void Prober::ask(const std::string& url, bool is_twin) {
  if (!asked_.insert(url).second) return;
  if (is_twin) twins_.insert(url);
  const std::string origin = origin_of_text(url);
  if (const auto silent = silent_.find(origin); silent != silent_.end()) {
    PageAnswer answer = silent->second;
    answer.url = url;
    note(std::move(answer));
    return;
  }
  const auto not_asked = [&](std::string_view why) {
    PageAnswer answer;
    answer.url = url;
    answer.end = AskEnd::Refused;
    answer.detail = why;
    note(std::move(answer));
  };
  if (is_forgotten(url)) {  // where a redirect leads, say
    not_asked("it was forgotten");
    return;
  }
  auto number = ledger_.add(url, {.found = clock_.now()});
  if (!number) {
    number = ledger_.find(url);
    if (number == kNoUrl) {
      not_asked("this job turned it away");
      return;
    }
    const UrlState state = ledger_.url(*number).state;
    if (state == UrlState::Done || state == UrlState::Dropped) {
      ledger_.reopen(*number, clock_.now(), "asked again");
    }
  }
  OriginLine& line = lines_[origin];
  line.waiting.push_back({.url = *number,
                          .href = url,
                          .why = is_twin ? "a twin" : "a probe",
                          .is_head = options_.asks_head && !bodies_wanted_.contains(url)});
  if (!line.is_busy && line.waiting.size() == 1) idle_.push_back(origin);
}

std::optional<Visit> Prober::next_visit() {
  while (!idle_.empty()) {
    const std::string origin = std::move(idle_.front());
    idle_.pop_front();
    OriginLine& line = lines_[origin];
    if (line.is_busy || line.waiting.empty()) continue;
    Visit visit = std::move(line.waiting.front());
    line.waiting.pop_front();
    line.is_busy = true;
    if (head_refused_.contains(origin)) visit.is_head = false;
    return visit;
  }
  return std::nullopt;
}

std::vector<Probed> Prober::turn(Moment until) {
  const Moment now = clock_.now();
  check_again(now);
  if (options_.waits && !again_.empty()) until = std::min(until, again_.begin()->first);
  if (!decided_.empty()) until = now;
  write_down();  // visits commit the ledger
  Visits::Next next = [this] { return next_visit(); };
  if (is_draining_) next = nullptr;
  for (Visited& visited : visits_.turn(until, next)) take(visited);
  if (!is_draining_ && visits_.in_flight() == 0 && !open_.empty()) {
    const std::string reason = ledger_.spent(clock_.now());
    if (!reason.empty()) give_up_the_rest(reason);
  }
  write_down();
  ledger_.commit(clock_.now());
  written_ = 0;
  return std::exchange(decided_, {});
}

void Prober::write_down() {
  if (options_.on_commit) options_.on_commit(std::span(decided_).subspan(written_));
  written_ = decided_.size();
}

bool Prober::is_refused_head(const Visited& visited) const {
  const int status = visited.response.status;
  return visited.visit.is_head && (status == 405 || status == 501);
}

// A page waits in the ledger until it is judged. Of a twin, or of where a page led to, an answer
// was wanted and no judgement.
void Prober::take_answer(Visited& visited, const PageAnswer& answer) {
  const std::string& url = visited.visit.href;
  const bool is_twin = twins_.contains(url);
  Settlement settlement = settlement_of(visited.response, answer, clock_.now());
  if (open_.contains(url)) {
    settlement.again_at = clock_.now();
  } else {
    settlement.is_dropped = true;
    const std::string why = is_twin ? "asked as a twin" : "asked as the end of a redirect";
    const std::string& detail = settlement.evidence;
    settlement.evidence = detail.empty() ? why : fmt::format("{}: {}", why, detail);
  }
  ledger_.settle(*visited.charge, settlement, clock_.now());
  const bool is_page = !is_twin && !visited.visit.is_head && answer.status != 0;
  if (options_.on_answer && is_page && !is_forgotten(url)) options_.on_answer(visited.response);
}

void Prober::take(Visited& visited) {
  const std::string url = visited.visit.href;
  const std::string origin = origin_of_text(url);
  lines_[origin].is_busy = false;
  PageAnswer answer;
  answer.url = url;
  answer.time = clock_.now();
  answer.detail = visited.reason;
  switch (visited.end) {
    case VisitEnd::Answered:
      answer = reader_.read(visited.response, visited.visit.is_head);
      take_answer(visited, answer);
      if (is_refused_head(visited)) {
        head_refused_.insert(origin);
        asked_.erase(url);
        ask(url, twins_.contains(url));
        idle_.push_back(origin);  // others may have waited for this answer
        return;
      }
      break;
    case VisitEnd::Disallowed:
      answer.end = AskEnd::Disallowed;
      break;
    case VisitEnd::Forgotten:
      answer.end = AskEnd::Refused;
      break;
    case VisitEnd::Closed:
      answer.end = AskEnd::NotAsked;
      break;
    case VisitEnd::Silent:
      take_silence(visited, origin);
      answer = silent_.at(origin);
      answer.url = url;
      break;
  }
  if (answer.failure == Failure::NameNotFound && answer.end == AskEnd::Answered) {
    silent_.try_emplace(origin, answer);
    silent_.at(origin).status = 0;
  }
  note(std::move(answer));
  // Whoever waits for a silent origin has its answer.
  if (const auto silent = silent_.find(origin); silent != silent_.end()) {
    const PageAnswer of_all = silent->second;
    while (!lines_[origin].waiting.empty()) {
      PageAnswer same = of_all;
      same.url = lines_[origin].waiting.front().href;
      lines_[origin].waiting.pop_front();
      note(std::move(same));
    }
  } else if (!lines_[origin].waiting.empty() && !lines_[origin].is_busy) {
    idle_.push_back(origin);
  }
}

// What a robots.txt that cannot be read says about every page of its origin. An answer that forbids
// nothing and shows nothing, and the silence of another origin to which the file moved, are no sign
// that the pages are gone: nobody asked for them.
void Prober::take_silence(const Visited& visited, const std::string& origin) {
  const Response& response = visited.response;
  PageAnswer answer;
  answer.time = clock_.now();
  answer.failure = response.failure;
  answer.detail = response.detail;
  const bool moved = visited.silent != origin;
  if (response.status != 0 || moved) {
    const std::string what =
        response.status != 0
            ? fmt::format("answers {}", response.status)
            : fmt::format("cannot be read ({}: {})", to_string(response.failure), response.detail);
    answer.end = response.status == 429                        ? AskEnd::Disallowed
                 : response.failure == Failure::AddressRefused ? AskEnd::Refused
                                                               : AskEnd::NotAsked;
    answer.failure = Failure::None;
    answer.detail =
        fmt::format("robots.txt{} {}: nothing is allowed until it can be read",
                    moved ? fmt::format(", which moved to {},", visited.silent) : "", what);
  }
  silent_.insert_or_assign(origin, std::move(answer));
}

void Prober::note(PageAnswer answer) {
  const std::string url = answer.url;
  asked_.erase(url);
  answers_.insert_or_assign(url, std::move(answer));
  const auto found = waiting_for_.find(url);
  if (found == waiting_for_.end()) return;
  const std::vector<std::string> pages = std::move(found->second);
  waiting_for_.erase(found);
  for (const std::string& page : pages) {
    if (open_.contains(page)) advance(page);
  }
}

void Prober::decide(const std::string& url, Judgement judgement) {
  open_.erase(url);
  const Moment now = clock_.now();
  if (judgement.time == 0) judgement.time = now;
  if (is_forgotten(judgement.target)) {  // it moved to what may not be named
    for (std::string& line : judgement.evidence) {
      const std::size_t place = line.find(judgement.target);
      if (place != std::string::npos) {
        line.replace(place, judgement.target.size(), "a forgotten URL");
      }
    }
    judgement.target.clear();
  }
  std::optional<Moment> again_at;
  bool is_over = false;  // --wait has waited enough for somebody to ask
  if (judgement.outcome == Outcome::Unreachable && !judgement.is_refusal) {
    if (judgement.is_unasked) {
      again_at = now + std::max<Moment>(spacing(options_.confirm), 1);
      is_over = ++unasked_[url] >= options_.confirm.checks;
    } else {
      again_at = note_silence(url, judgement);
    }
  }
  auto number = ledger_.find(url);
  if (!number) number = ledger_.add(url, {.found = now});
  if (number && *number != kNoUrl) {
    const UrlState state = ledger_.url(*number).state;
    if (state == UrlState::Waiting || state == UrlState::Dropped) {
      ledger_.conclude(*number, judgement.outcome, judgement.target, joined(judgement.evidence),
                       now, judgement.failure);
    }
    if (again_at) ledger_.reopen(*number, *again_at, joined(judgement.evidence));
  }
  if (again_at && options_.waits && !is_over) {
    again_.emplace(*again_at, url);
    return;  // told when it is certain
  }
  decided_.push_back({url, std::move(judgement), again_at, now});
}

Prober::Silence Prober::silence_in(std::string_view text) {
  Silence silence;
  const char* at = text.data();
  const char* end = at + text.size();
  const auto take_number = [&](auto& number) {
    at = std::from_chars(at, end, number).ptr;
    if (at != end) ++at;
  };
  take_number(silence.checks);
  take_number(silence.first);
  take_number(silence.last);
  return silence;
}

void Prober::keep_silence(std::string_view name, const Silence& silence) {
  ledger_.set_setting(name, fmt::format("{} {} {}", silence.checks, silence.first, silence.last));
}

// A clock that was set makes no checks: they stay as far apart as they were.
void Prober::move_silences(Moment shift) {
  if (shift == 0) return;
  ledger_.each_setting(silence_name(""), [&](std::string_view name, std::string_view text) {
    Silence silence = silence_in(text);
    silence.first += shift;
    silence.last += shift;
    keep_silence(name, silence);
  });
}

// One more check found nobody. Makes it a death, or tells when to look again.
std::optional<Moment> Prober::note_silence(const std::string& url, Judgement& judgement) {
  const Confirm& confirm = options_.confirm;
  const Moment now = clock_.now();
  Silence silence = silence_in(ledger_.setting(silence_name(url)).value_or(""));
  // Checks in quick succession are one.
  if (silence.checks == 0) silence.first = now;
  if (silence.checks == 0 || now - silence.last >= spacing(confirm)) {
    ++silence.checks;
    silence.last = now;
  }
  keep_silence(silence_name(url), silence);
  judgement.evidence.push_back(fmt::format("check {} of {}, unreachable for {}", silence.checks,
                                           confirm.checks, duration_text(now - silence.first)));
  if (silence.checks >= confirm.checks && now - silence.first >= confirm.period_ms) {
    judgement.outcome = Outcome::Gone;
    return std::nullopt;
  }
  return silence.last + std::max<Moment>(spacing(confirm), 1);
}

// Pages whose next check is due are asked as if nothing were known.
void Prober::check_again(Moment now) {
  while (!again_.empty() && again_.begin()->first <= now) {
    const std::string url = again_.begin()->second;
    again_.erase(again_.begin());
    // The page, and wherever it led.
    std::string at = url;
    for (auto old = answers_.find(at); old != answers_.end(); old = answers_.find(at)) {
      silent_.erase(origin_of_text(at));
      at = old->second.target;
      answers_.erase(old);
    }
    ledger_.forgive(origin_of_text(url));
    take_up(url);
  }
}

void Prober::give_up_the_rest(const std::string& reason) {
  const std::set<std::string> rest = std::exchange(open_, {});
  waiting_for_.clear();
  for (const std::string& url : rest) {
    Judgement judgement;
    judgement.evidence = {fmt::format("not requested: {}", reason)};
    judgement.time = clock_.now();
    decided_.push_back({url, std::move(judgement), std::nullopt, clock_.now()});
  }
}

}  // namespace webstrata
