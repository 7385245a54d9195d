// SPDX-License-Identifier: Apache-2.0

// From answers to the outcome of a page, with the evidence.
//
//   const Judgement judgement = judge("http://www.example.org/a/b.html", answers, options);
//   if (!judgement.needs.empty()) …ask for that url, then judge again
//
// Judging is a function of the answers and asks for nothing itself. It names the next URL whose
// answer it needs: the page, the URL it moved to, or a *twin*: an unused name in the same
// directory. A server that answers 200 for the twin as it does for the page says nothing about the
// page.
//
// The answers may be those to HEAD. A twin that does not exist shows that the server means what it
// says; where it does, only the contents can tell, and `needs_body` asks for them.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/time.h"
#include "webstrata/facts/outcome.h"
#include "webstrata/fetch/probe/page_answer.h"

namespace webstrata {

enum class ProbeRule : std::uint8_t {
  Evidence,  // redirects to their end, twins, digests, parked domains
  Paper,     // the papers' rule: follow 301; alive is 200 without "Page Not Found" and "Error 404"
};

// What the archive knows about a page.
struct KnownPage {
  std::string digest;
  Time time = 0;
};

struct JudgeOptions {
  ProbeRule rule = ProbeRule::Evidence;
  unsigned redirects_max = 5;
  std::uint64_t seed = 1;  // of twins' names
  std::function<std::optional<KnownPage>(const std::string& url)> known = {};
};

struct Judgement {
  std::string needs;     // the URL whose answer is missing; empty: judged
  bool is_twin = false;  // `needs` is a twin
  bool needs_body = false;  // it must be requested with GET: an answer to HEAD is known
  Outcome outcome = Outcome::Unknown;
  int status = 0;                   // of the page's own answer; 0: none
  int end_status = 0;               // of the last answer that was looked at, behind redirects
  Failure failure = Failure::None;  // why there is none
  std::string target;               // where it moved to, at the end of all redirects followed
  std::vector<std::string> evidence;
  Moment time = 0;          // of the page's own answer
  bool is_refusal = false;  // ours: no request was sent, so this is no sign that the page is gone
  bool is_unasked = false;  // no request was sent this time: no sign that the page is gone either
};

// Empty for a URL that was not requested yet.
using FindAnswer = std::function<const PageAnswer*(const std::string& url)>;

Judgement judge(const std::string& url, const FindAnswer& answers, const JudgeOptions& options);

// A random name in the page's directory, with its ending; of a URL with a query, random values in
// that. The same for all pages of the directory with that ending.
std::string twin_of(std::string_view url, std::uint64_t seed);

}  // namespace webstrata
