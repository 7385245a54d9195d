// SPDX-License-Identifier: Apache-2.0

// The links of a page, or of all that a wildcard covers: one by one, or counted by host or domain.
//
// What that costs depends on the page. Links at a date are one row of it; its history is all of its
// rows, and a link to it is looked up in the page that has it. So the number of rows and pages is
// found first, and an event loop leaves what is too much for it to a worker.
// Tested by tests/serve/answers_test.cpp.

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/archive/ask/found_links.h"
#include "webstrata/base/json.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/serve/ask/list_answer.h"
#include "webstrata/serve/ask/wide_scans.h"
#include "webstrata/serve/ask/years.h"
#include "webstrata/show/link_forms.h"
#include "webstrata/url/host.h"
#include "webstrata/url/url.h"

namespace webstrata::serve {
namespace {

constexpr std::uint64_t kNodesShown = 100;  // of a wildcard
// What is read in an event loop at most, for one answer: some milliseconds.
constexpr std::uint64_t kPagesInLoop = 64;
constexpr std::uint64_t kLinkFactsInLoop = 50'000;

LinkQuestion link_question(const Question& question) {
  LinkQuestion asked;
  asked.direction =
      question.choice("direction", {"out", "in"}) == "in" ? Direction::In : Direction::Out;
  asked.at = question.at("at");
  asked.during = question.during("during");
  if (asked.at && asked.during) throw Problem(400, "at and during cannot be combined");
  asked.kinds = question.kinds("all");
  asked.wants_history = !asked.at;
  asked.wants_texts = question.choice("texts", {"0", "1"}) == "1";
  return asked;
}

std::string head_of_links(const Archive& archive, const std::vector<Uid>& nodes,
                          const LinkQuestion& asked) {
  std::string head = "\"nodes\":[";
  for (std::size_t i = 0; i < std::min<std::size_t>(nodes.size(), kNodesShown); ++i) {
    if (i > 0) head += ',';
    JsonWriter json(head);
    json.begin_object().field("url", archive.url(nodes[i])).field("uid", nodes[i]);
    if (asked.at) {
      const PageAt page = archive.links_at(nodes[i], *asked.at);
      json.field("state", to_string(page.state));
      if (page.captured) json.field("captured", to_rfc3339(*page.captured));
    }
    json.end_object();
  }
  head += fmt::format("],\"direction\":\"{}\"", asked.direction == Direction::In ? "in" : "out");
  if (asked.at) head += fmt::format(",\"at\":\"{}\"", to_rfc3339(*asked.at));
  return head;
}

// The position after the node named by `after`: its URL, since uids change with the generation.
FoundLinks::const_iterator position_of(const FoundLinks& links, const Archive& archive,
                                       const std::optional<std::string>& after) {
  if (!after) return links.begin();
  const auto uid = archive.uid(*after);
  if (!uid) throw Problem(400, "after: not a value that an answer gave as next");
  return links.upper_bound(*uid);
}

// A link to a page is looked up in the page that has it, and the history of a page's own links is
// read from all of its captures: of some pages that takes long.
bool takes_long(const Archive& archive, const std::vector<Uid>& nodes, const LinkQuestion& asked) {
  std::uint64_t pages = 0;
  std::uint64_t link_facts = 0;
  for (const Uid node : nodes) {
    if (asked.direction == Direction::In) {
      pages += archive.link_count(node, Direction::In);
    } else if (!asked.at) {
      link_facts += archive.link_count(node) * archive.capture_times(node).size();
    }
  }
  return asked.wants_texts || pages > kPagesInLoop || link_facts > kLinkFactsInLoop;
}

// What `asked` says about a link.
std::vector<ListColumn> link_columns_of(const LinkQuestion& asked) {
  using enum ColumnKind;
  std::vector<ListColumn> columns = {{"url"}, {"uid", Whole}, {"kinds"}};
  if (asked.at) columns.push_back({"count", Whole});
  const std::vector<ListColumn> seen = {{"first", Moment}, {"last", Moment}, {"captures", Whole}};
  if (asked.wants_history) columns.insert(columns.end(), seen.begin(), seen.end());
  if (asked.wants_texts) {
    columns.push_back(
        {"texts", Records, {{"text"}, {"captures", Whole}, {"first", Moment}, {"last", Moment}}});
  }
  return columns;
}

Response page_links(const Question& question, const LinkQuestion& asked) {
  const Archive archive = question.archive();
  const std::vector<Uid> nodes = question.nodes("url");
  if (takes_long(archive, nodes, asked)) question.leave_loop();
  const auto links = std::make_shared<FoundLinks>(find_links(archive, nodes, asked));
  const auto place = std::make_shared<FoundLinks::const_iterator>(
      position_of(*links, archive, question.text("after")));
  ListAnswer list;
  list.name = "links";
  list.columns = link_columns_of(asked);
  list.head = head_of_links(archive, nodes, asked);
  if (tells_anchor_texts(asked)) list.head += ",\"texts\":" + anchor_texts_as_json(*links);
  list.next = [archive, links, place](std::string& out) {
    if (*place == links->end()) return false;
    append_link(out, archive, (*place)->first, (*place)->second);
    ++*place;
    return true;
  };
  list.resume = [archive, place] { return archive.url(std::prev(*place)->first); };
  return list_response(question, std::move(list));
}

// Of a wildcard, all that it covers: counted once and kept, since that may take a while.
LinkGroups grouped_links(const Question& question, const LinkQuestion& asked, bool by_domain) {
  GroupQuestion groups = {.direction = asked.direction,
                          .during = asked.during,
                          .kinds = asked.kinds,
                          .by_domain = by_domain};
  if (const auto range = question.covered("url")) {
    groups.nodes = *range;
    return *question.served->derived.link_groups(question.archive(), groups,
                                                 question.request.deadline);
  }
  question.leave_loop();
  return link_groups(question.archive(), question.nodes("url"), groups);
}

using Group = std::pair<std::string, LinkGroup>;

void append_group(std::string& out, const Group& row) {
  const auto& [name, group] = row;
  JsonWriter json(out);
  json.begin_object().field("name", name).field("links", group.links);
  json.field("first", to_rfc3339(group.first)).field("last", to_rfc3339(group.last));
  append_year_counts(json, "years", group.years);
  json.end_object();
}

Response counted_links(const Question& question, const LinkQuestion& asked,
                       const std::string& level) {
  if (asked.at) throw Problem(400, "level: links are counted over time; use during instead of at");
  const LinkGroups groups = grouped_links(question, asked, level == "domain");
  auto rows = std::make_shared<std::vector<Group>>(groups.begin(), groups.end());
  std::stable_sort(rows->begin(), rows->end(),
                   [](const Group& a, const Group& b) { return b.second.links < a.second.links; });
  ListAnswer list;
  list.name = "links";
  list.columns = {{"name"},
                  {"links", ColumnKind::Whole},
                  {"first", ColumnKind::Moment},
                  {"last", ColumnKind::Moment},
                  {"years", ColumnKind::Years}};
  list.head = fmt::format("\"direction\":\"{}\",\"level\":\"{}\",\"total\":{}",
                          asked.direction == Direction::In ? "in" : "out", level, rows->size());
  fill_from_rows<Group>(list, question, std::move(rows), append_group);
  return list_response(question, std::move(list));
}

}  // namespace

Response answer_links(const Question& question) {
  const LinkQuestion asked = link_question(question);
  const std::string level = question.choice("level", {"page", "host", "domain"});
  return level == "page" ? page_links(question, asked) : counted_links(question, asked, level);
}

Response answer_history(const Question& question) {
  const Archive& archive = question.archive();
  const Uid source = question.node("source");
  const Uid target = question.node("target");
  const auto life = archive.history(source, target);
  if (!life) {
    throw Problem(404, fmt::format("no capture of {} has a link to {}", archive.url(source),
                                   archive.url(target)));
  }
  std::string body;
  JsonWriter json(body);
  json.begin_object().field("source", archive.url(source)).field("target", archive.url(target));
  json.field("first", to_rfc3339(life->first)).field("last", to_rfc3339(life->last));
  json.field("captures", life->captures).field("kinds", to_string(life->kinds));
  json.key("seen").begin_array();
  PageFacts facts;
  archive.page(source, facts);
  for (std::size_t row = 0; row < facts.row_count(); ++row) {
    const auto begin = facts.targets.begin() + static_cast<std::ptrdiff_t>(facts.row_start(row));
    const auto end = facts.targets.begin() + facts.row_ends[row];
    json.begin_object().field("time", to_rfc3339(facts.times[row]));
    json.field("present", std::find(begin, end, target) != end).end_object();
  }
  json.end_array().end_object();
  return json_response(std::move(body));
}

}  // namespace webstrata::serve
