// SPDX-License-Identifier: Apache-2.0

// Uids are in the order of keys, so how near two nodes are is a question of ranges: a directory, a
// host and a registered domain are one range each.
// Tested by tests/report/strata_report_test.py.

#include "webstrata/show/strata.h"

#include <map>
#include <optional>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/base/json.h"
#include "webstrata/report/report_json.h"
#include "webstrata/url/host.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

using report::Strata;

// Gives each name its number, in the order in which they come.
class GroupNames {
 public:
  explicit GroupNames(std::string name) : grouping_{.name = std::move(name)} {}

  void add(const std::string& group) {
    const auto [entry, is_new] =
        numbers_.try_emplace(group, static_cast<std::uint32_t>(grouping_.groups.size()));
    if (is_new) grouping_.groups.push_back(group);
    grouping_.of.push_back(entry->second);
  }

  Strata::Grouping take() { return std::move(grouping_); }

 private:
  Strata::Grouping grouping_;
  std::map<std::string, std::uint32_t> numbers_;
};

// The nearest place that holds a page and another node.
class Nearness {
 public:
  Nearness(const Archive& archive, Uid page) {
    Url url;
    if (!parse_url(archive.url(page), url)) return;
    directory_ = archive.range(directory_keys(url));
    host_ = archive.range(host_keys(url.host()));
    const std::string_view domain = registered_domain(url.host());
    domain_ = domain.empty() ? host_ : archive.range(domain_keys(domain));
  }

  [[nodiscard]] std::uint32_t of(Uid node) const {
    const auto is_in = [&](const UidRange& range) {
      return node >= range.first && node < range.end;
    };
    return is_in(directory_) ? 0U : is_in(host_) ? 1U : is_in(domain_) ? 2U : 3U;
  }

 private:
  UidRange directory_;
  UidRange host_;
  UidRange domain_;
};

std::string host_of_url(const std::string& text) {
  Url url;
  return parse_url(text, url) ? std::string(url.host()) : "no host";
}

std::vector<std::uint32_t> flat_runs(const PresenceRow& row) {
  std::vector<std::uint32_t> runs;
  for (const PresenceRun& run : row.runs) runs.insert(runs.end(), {run.first, run.count});
  return runs;
}

std::string caption_of(Direction direction, const Presence& found) {
  std::string text =
      direction == Direction::Out
          ? "A row is a link, a column a capture of the page; a cell is filled where the capture "
            "has the link."
          : "A row is a page that linked here; a bar lasts from a capture of that page that has "
            "the link to the last in succession that has it.";
  if (found.left_out > 0) {
    text += fmt::format(" The {} links in most captures are shown; {} are left out.",
                        human_number(found.rows.size()), human_number(found.left_out));
  }
  return text;
}

}  // namespace

Strata strata_of(const Archive& archive, std::span<const Uid> nodes, Direction direction,
                 const Presence& found) {
  Strata strata{.title = direction == Direction::Out ? "Links over time" : "Who linked here",
                .caption = caption_of(direction, found),
                .times = {found.times.begin(), found.times.end()},
                .left_out = found.left_out};
  std::optional<Nearness> near;
  if (!nodes.empty()) near.emplace(archive, nodes.front());
  Strata::Grouping place{.name = "place",
                         .groups = {"same directory", "same host", "same domain", "elsewhere"}};
  GroupNames kinds("kind");
  GroupNames hosts("host");
  for (const PresenceRow& row : found.rows) {
    std::string url = archive.url(row.node);
    hosts.add(host_of_url(url));
    kinds.add(to_string(row.kinds));
    place.of.push_back(near ? near->of(row.node) : 3U);
    strata.rows.push_back({.name = std::move(url), .runs = flat_runs(row)});
  }
  strata.groupings = {std::move(place), kinds.take(), hosts.take()};
  return strata;
}

std::string strata_as_json(const Strata& strata) {
  std::string text;
  JsonWriter json(text);
  report::append_strata(json.begin_object(), strata);
  json.end_object();
  text += "\n";
  return text;
}

}  // namespace webstrata
