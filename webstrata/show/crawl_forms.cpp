// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/crawl_test.py.

#include "webstrata/show/crawl_forms.h"

#include <fmt/format.h>

#include "webstrata/base/counted.h"
#include "webstrata/base/duration.h"
#include "webstrata/base/human.h"
#include "webstrata/base/json.h"

namespace webstrata {

double CrawlStatus::rate(Moment now, std::uint64_t requests) {
  if (marks_.empty() || now - marks_.back().first >= 500) marks_.emplace_back(now, requests);
  while (marks_.size() > 20) marks_.erase(marks_.begin());
  const Moment span = now - marks_.front().first;
  if (span <= 0) return 0;
  return static_cast<double>(requests - marks_.front().second) * 1000 / static_cast<double>(span);
}

std::string CrawlStatus::text(const CrawlNews& news, Moment now, bool has_topic) {
  std::string text =
      fmt::format("{} requests, {:.1f}/s", human_number(news.requests), rate(now, news.requests));
  std::string left;
  const auto add_left = [&](const std::string& part) {
    left += fmt::format("{}{}", left.empty() ? "" : ", ", part);
  };
  if (news.requests_left) add_left(human_number(*news.requests_left) + " requests");
  if (news.bytes_left) add_left(human_amount(*news.bytes_left, "B"));
  if (news.time_left_ms) add_left(duration_text(*news.time_left_ms / 1000 * 1000));
  if (!left.empty()) text += fmt::format(" | left: {}", left);
  text += fmt::format(" | {} pages, {}", human_number(news.pages), human_amount(news.bytes, "B"));
  if (has_topic) text += fmt::format(" | harvest {:.1f}", news.harvest);
  text += fmt::format(" | {} URLs waiting on {} hosts, {} in flight", human_number(news.waiting),
                      human_number(news.hosts_waiting), news.in_flight);
  if (news.is_draining) text += " | finishing";
  return text;
}

std::string_view to_string(CrawlEnd end) noexcept {
  switch (end) {
    case CrawlEnd::NothingLeft:
      return "nothing-left";
    case CrawlEnd::Spent:
      return "spent";
    case CrawlEnd::Stopped:
      return "stopped";
  }
  return "stopped";
}

std::string as_json(const CrawlResult& result, const std::string& job) {
  std::string text;
  JsonWriter json(text);
  const CrawlNews& news = result.news;
  json.begin_object().field("job", job);
  json.field("end", to_string(result.end));
  json.field("reason", result.reason).field("requests", news.requests).field("bytes", news.bytes);
  json.field("bytes_reserved", news.bytes_reserved).field("lost", news.lost);
  json.field("pages", news.pages).field("harvest", news.harvest).field("waiting", news.waiting);
  json.field("outside", news.outside);
  json.field("hosts", news.hosts)
      .field("robots_capped", news.robots_capped)
      .field("origins_refused", news.origins_refused)
      .field("moved_aside", result.moved_aside.size());
  if (!result.wacz.empty()) json.field("wacz", result.wacz.string());
  json.end_object();
  return text;
}

std::vector<std::string> as_lines(const CrawlResult& result, const std::string& job) {
  std::vector<std::string> lines;
  const CrawlNews& news = result.news;
  lines.push_back(fmt::format("{}: {} pages of {} hosts with {} requests, {}; {} URLs waiting",
                              result.reason, human_number(news.pages), human_number(news.hosts),
                              human_number(news.requests), human_amount(news.bytes, "B"),
                              human_number(news.waiting)));
  if (news.lost > 0) {
    lines.push_back(fmt::format("lost in killed runs: {} answers, charged as at most {}",
                                human_number(news.lost), human_amount(news.bytes_reserved, "B")));
  }
  if (news.robots_capped > 0) {
    lines.push_back(
        fmt::format("not requested, because matching robots.txt takes too long: {} URLs",
                    human_number(news.robots_capped)));
  }
  if (news.origins_refused > 0) {
    lines.push_back(
        fmt::format("not contacted, because their addresses are private, loopback or link-local: "
                    "{}; --allow-private contacts them",
                    counted(news.origins_refused, "server", "servers")));
  }
  if (!result.moved_aside.empty()) {
    lines.push_back(
        fmt::format("moved to {}, because no request accounts for them: {} files or ends of files",
                    result.moved_aside.front().parent_path().string(), result.moved_aside.size()));
  }
  if (!result.wacz.empty()) lines.push_back(fmt::format("packed: {}", result.wacz.string()));
  if (news.outside > 0) {
    lines.push_back(fmt::format("waiting, but outside the scope of this run: {} URLs",
                                human_number(news.outside)));
  }
  if (news.waiting > news.outside) {
    lines.push_back(fmt::format("to continue: webstrata crawl {} --resume{}", job,
                                result.end == CrawlEnd::Spent ? " with a larger budget" : ""));
  }
  return lines;
}

}  // namespace webstrata
