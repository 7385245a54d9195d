// SPDX-License-Identifier: Apache-2.0

// The order of the checks saves requests: no twin is needed if the status decides, or if the
// archive knows the page's bytes. Tested by tests/fetch/verdict_test.cpp.

#include "webstrata/fetch/probe/verdict.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/checksum.h"
#include "webstrata/base/random.h"
#include "webstrata/fetch/probe/parked.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

// Texts that share this much of their runs of words are the same page with some words changed.
constexpr double kNearlySame = 0.9;
// Whatever the title says.
constexpr double kSame = 0.99;

bool is_success(const PageAnswer& answer) { return answer.status >= 200 && answer.status < 300; }
bool is_redirect(const PageAnswer& answer) {
  return answer.status >= 300 && answer.status < 400 && !answer.target.empty();
}

std::string random_word(std::string_view key, std::uint64_t seed) {
  Random random(checksum64(key, seed));
  std::string word;
  for (int i = 0; i < 14; ++i) word += static_cast<char>('a' + random.below(26));
  return word;
}

bool is_home(const Url& url) { return url.path() == "/" && url.query().empty(); }

bool is_our_refusal(const PageAnswer& answer) {
  return answer.end == AskEnd::Refused || answer.failure == Failure::AddressRefused;
}

std::string described(const PageAnswer& answer) {
  if (answer.end == AskEnd::Disallowed) return answer.detail;
  if (answer.end == AskEnd::NotAsked || answer.end == AskEnd::Refused)
    return fmt::format("not requested: {}", answer.detail);
  if (answer.status == 0) return fmt::format("{} ({})", to_string(answer.failure), answer.detail);
  const std::string status = fmt::format("{}{}", answer.is_head ? "HEAD: " : "", answer.status);
  return is_redirect(answer) ? fmt::format("{} to {}", status, answer.target) : status;
}

// The outcome of a single answer.
Outcome plain_outcome(const PageAnswer& answer) {
  if (answer.end == AskEnd::Disallowed) return Outcome::Blocked;
  if (answer.end != AskEnd::Answered || answer.status == 0) return Outcome::Unreachable;
  // A head that announces a page, and then the connection breaks: no page was seen.
  if (is_success(answer) && answer.is_empty && answer.failure != Failure::None) {
    return Outcome::Unreachable;
  }
  return outcome_of_status(answer.status, !answer.target.empty());
}

class Judge {
 public:
  Judge(const std::string& url, const FindAnswer& answers, const JudgeOptions& options)
      : url_(url), answers_(answers), options_(options) {}

  Judgement run() {
    const PageAnswer* page = ask(url_);
    if (page == nullptr) return result_;
    result_.status = result_.end_status = page->status;
    result_.time = page->time;
    result_.is_refusal = is_our_refusal(*page);
    result_.is_unasked = page->end == AskEnd::NotAsked;
    if (page->status == 0 && page->end == AskEnd::Answered) {
      result_.failure = page->failure;
    }
    tell(described(*page));
    if (page->truncated != Truncation::None && page->failure != Failure::None) {
      tell(fmt::format("the body was cut: {}", to_string(page->failure)));
    }
    if (options_.rule == ProbeRule::Paper) {
      judge_as_the_paper(*page);
    } else if (is_redirect(*page)) {
      judge_redirect(*page);
    } else if (is_success(*page) && plain_outcome(*page) == Outcome::Alive) {
      judge_success(*page);
    } else {
      result_.outcome = plain_outcome(*page);
    }
    return std::move(result_);
  }

 private:
  const PageAnswer* ask(const std::string& url, bool is_twin = false) {
    const PageAnswer* answer = answers_(url);
    if (answer == nullptr) {
      result_.needs = url;
      result_.is_twin = is_twin;
    }
    return answer;
  }
  // The answer to GET, with its content.
  const PageAnswer* ask_for_body(const std::string& url, bool is_twin) {
    const PageAnswer* answer = ask(url, is_twin);
    if (answer == nullptr || !answer->is_head) return answer;
    result_.needs = url;
    result_.is_twin = is_twin;
    result_.needs_body = true;
    return nullptr;
  }
  void tell(std::string fact) { result_.evidence.push_back(std::move(fact)); }

  // The last answer of a chain of redirects; null if it is missing or there is no end.
  const PageAnswer* follow(const PageAnswer& page, bool (*is_followed)(const PageAnswer&)) {
    std::vector<std::string> seen = {url_};
    const PageAnswer* at = &page;
    while (is_followed(*at)) {
      const std::string target = at->target;
      result_.target = target;
      const bool is_circle = std::find(seen.begin(), seen.end(), target) != seen.end();
      if (is_circle || seen.size() > options_.redirects_max) {
        result_.outcome = Outcome::Unreachable;
        tell(is_circle ? "redirects in a circle"
                       : fmt::format("more than {} redirects", options_.redirects_max));
        return nullptr;
      }
      seen.push_back(target);
      at = ask(target);
      if (at == nullptr) return nullptr;
      result_.is_refusal = is_our_refusal(*at);
      result_.is_unasked = at->end == AskEnd::NotAsked;
      result_.end_status = at->status;
      tell(fmt::format("{}: {}", target, described(*at)));
    }
    return at;
  }

  void judge_as_the_paper(const PageAnswer& page) {
    const PageAnswer* end = follow(page, [](const PageAnswer& answer) {
      return answer.status == 301 && !answer.target.empty();
    });
    if (end == nullptr) return;
    result_.outcome = plain_outcome(*end);
    if (end->status == 200 && end->says_not_found) {
      result_.outcome = Outcome::SoftGone;
      tell("its title or text says \"Page Not Found\" or \"Error 404\"");
    } else if (end->status == 200 && page.status == 301) {
      result_.outcome = Outcome::Moved;
    }
  }

  void judge_redirect(const PageAnswer& page) {
    const PageAnswer* end = follow(page, is_redirect);
    if (end == nullptr) return;
    const Outcome there = plain_outcome(*end);
    // A target that refuses counts as a target; one that is gone or silent does not.
    result_.outcome =
        there == Outcome::Gone || there == Outcome::Unreachable ? there : Outcome::Moved;
    if (result_.outcome != Outcome::Moved) return;
    if (const auto service = service_of_target(); !service.empty()) {
      result_.outcome = Outcome::SoftGone;
      tell(fmt::format("parked: it moved to {}", service));
      return;
    }
    Url url;
    if (!parse_url(url_, url) || is_home(url) || keeps_its_path(url, page.target)) return;
    const PageAnswer* twin = ask(twin_of(url_, options_.seed), true);
    if (twin == nullptr) return;
    if (is_redirect(*twin) && twin->target == page.target) {
      result_.outcome = Outcome::SoftGone;
      tell(fmt::format("a made-up name is sent there too: {}", twin->url));
    } else {
      tell(fmt::format("a made-up name: {}", described(*twin)));
    }
  }

  [[nodiscard]] std::string_view service_of_target() const {
    Url from;
    Url target;
    if (!parse_url(url_, from) || !parse_url(result_.target, target)) return {};
    return parking_service(from.host()).empty() ? parking_service(target.host())
                                                : std::string_view();
  }

  // The same page under another host or scheme.
  static bool keeps_its_path(const Url& url, const std::string& target) {
    Url there;
    return parse_url(target, there) && there.path() == url.path() && there.query() == url.query();
  }

  void judge_success(const PageAnswer& page) {
    result_.outcome = Outcome::Alive;
    if (is_as_archived(page)) return;
    Url url;
    if (!parse_url(url_, url)) return;
    const bool looks_parked = !page.sale_phrase.empty() || !page.parking_service.empty();
    if (is_home(url) && !looks_parked) {
      tell("a home page has no twin");
      return;
    }
    const std::string twin_url = twin_of(url_, options_.seed);
    const PageAnswer* twin = ask(twin_url, true);
    // Both exist: what the server says decides, not that it says something.
    if (twin != nullptr && is_success(*twin)) {
      if (ask_for_body(url_, false) == nullptr) return;
      twin = ask_for_body(twin_url, true);
    }
    if (twin == nullptr) return;
    const bool is_same = compare_with_twin(page, *twin);
    if (looks_parked) judge_parking(page, is_same);
    if (is_same && !is_home(url)) result_.outcome = Outcome::SoftGone;
  }

  bool is_as_archived(const PageAnswer& page) {
    if (!options_.known || page.is_head || page.truncated != Truncation::None) return false;
    const auto known = options_.known(url_);
    if (!known || known->digest.empty()) return false;
    if (known->digest != page.digest) {
      tell("its bytes differ from the archive's");
      return false;
    }
    tell(fmt::format("the same bytes as archived at {}", to_rfc3339(known->time)));
    return true;
  }

  // Whether the page is what the server answers for any name.
  bool compare_with_twin(const PageAnswer& page, const PageAnswer& twin) {
    if (!is_success(twin)) {
      tell(fmt::format("a made-up name: {}", described(twin)));
      return false;
    }
    if (page.digest == twin.digest && page.truncated == Truncation::None) {
      tell(fmt::format("the same bytes as a made-up name: {}", twin.url));
      return true;
    }
    const bool has_words = page.sketch.words > 0 && twin.sketch.words > 0;
    const double shared = has_words ? similarity(page.sketch, twin.sketch) : 0;
    const bool is_same = shared >= kSame || (shared >= kNearlySame && page.title == twin.title);
    tell(fmt::format("{:.0f} % of its text is that of a made-up name: {}", 100 * shared, twin.url));
    return is_same;
  }

  // Two signs of different kinds.
  void judge_parking(const PageAnswer& page, bool is_same_as_twin) {
    const int signs = (page.sale_phrase.empty() ? 0 : 1) + (page.parking_service.empty() ? 0 : 1) +
                      (is_same_as_twin ? 1 : 0);
    if (signs < 2) return;
    result_.outcome = Outcome::SoftGone;
    std::string fact = "parked:";
    if (!page.sale_phrase.empty()) fact += fmt::format(" it says \"{}\";", page.sale_phrase);
    if (!page.parking_service.empty()) fact += fmt::format(" it loads {};", page.parking_service);
    if (is_same_as_twin) fact += " every name shows the same;";
    fact.pop_back();
    tell(std::move(fact));
  }

  const std::string& url_;
  const FindAnswer& answers_;
  const JudgeOptions& options_;
  Judgement result_;
};

}  // namespace

Judgement judge(const std::string& url, const FindAnswer& answers, const JudgeOptions& options) {
  return Judge(url, answers, options).run();
}

std::string twin_of(std::string_view href, std::uint64_t seed) {
  Url url;
  if (!parse_url(href, url)) return {};
  const std::string_view path = url.path();
  const std::string_view origin =
      url.href().substr(0, url.href().size() - path.size() - url.query().size());
  if (url.query().size() > 1) {
    // "?id=7&view=full" → random values under the same names.
    std::string twin = fmt::format("{}{}", origin, path);
    const std::string word = random_word(twin, seed);
    char sign = '?';
    for (std::string_view rest = url.query().substr(1); !rest.empty(); sign = '&') {
      const std::string_view pair = rest.substr(0, rest.find('&'));
      const std::size_t equals = pair.find('=');
      twin += sign;
      twin += equals == std::string_view::npos ? word
                                               : fmt::format("{}={}", pair.substr(0, equals), word);
      rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    }
    return twin;
  }
  std::string_view directory = path;
  while (directory.size() > 1 && directory.ends_with('/')) directory.remove_suffix(1);
  const bool names_a_directory = directory.size() != path.size();
  const std::string_view name = directory.substr(directory.rfind('/') + 1);
  directory = directory.substr(0, directory.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  const std::string_view ending = names_a_directory                           ? "/"
                                  : dot == std::string_view::npos || dot == 0 ? std::string_view()
                                                                              : name.substr(dot);
  const std::string base = fmt::format("{}{}", origin, directory);
  return fmt::format("{}{}{}", base, random_word(fmt::format("{}{}", base, ending), seed), ending);
}

}  // namespace webstrata
