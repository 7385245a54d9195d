// SPDX-License-Identifier: Apache-2.0

// Questions about names and single pages. cached_stack.h caches what is decoded;
// page_verdict.h decides which row answers a question; page_rows.h reads the rows.
// Tested by tests/archive/archive_test.cpp.

#include "webstrata/archive/ask/archive.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/gather/sighting_record.h"
#include "webstrata/archive/read/cached_stack.h"
#include "webstrata/archive/read/page_history.h"
#include "webstrata/archive/read/page_rows.h"
#include "webstrata/archive/read/page_texts_reader.h"
#include "webstrata/archive/read/page_verdict.h"
#include "webstrata/base/error.h"

namespace webstrata {

struct Archive::State {
  State(const std::filesystem::path& archive, std::size_t cache_bytes)
      : path(archive),
        lease(GenerationLease::take(archive)),
        stack(lease.folder(), lease.manifest(), cache_bytes) {}

  std::filesystem::path path;
  GenerationLease lease;
  CachedStack stack;
};

Archive Archive::open(const std::filesystem::path& path, std::size_t cache_bytes) {
  return Archive(std::make_shared<const State>(path, cache_bytes));
}

Archive::Archive(std::shared_ptr<const State> state) : state_(std::move(state)) {}

const Manifest& Archive::manifest() const noexcept { return state_->lease.manifest(); }

const std::filesystem::path& Archive::path() const noexcept { return state_->path; }

const StackReader& Archive::stack() const noexcept { return state_->stack.reader(); }

std::uint64_t Archive::node_count() const noexcept { return stack().node_count(); }

namespace {

void sort_and_unite(std::vector<Uid>& uids) {
  if (std::ranges::adjacent_find(uids, std::ranges::greater_equal()) == uids.end()) return;
  std::sort(uids.begin(), uids.end());
  uids.erase(std::unique(uids.begin(), uids.end()), uids.end());
}

// The numbers of the ranges that overlap an interval, as the times of rows of in-links.
TimeInterval ranges_of(TimeInterval interval, const ArchiveOptions& options) {
  if (interval.first > interval.last) return {1, 0};
  return {range_of(interval.first, options.range_seconds),
          range_of(interval.last, options.range_seconds)};
}

constexpr Time kBeginningOfTime = std::numeric_limits<Time>::min();

// A page at a time, before its links are read.
class PageMoment {
 public:
  PageMoment(PageHistories& histories, Uid uid, Time time)
      : uid_(uid),
        history_(&histories.of(uid)),
        verdict_(verdict_at(history_->outcomes(), rows().times(), time)) {}

  [[nodiscard]] PageAt page() const {
    PageAt page;
    page.state = verdict_.state;
    page.since = verdict_.since;
    if (verdict_.row) {
      page.captured = rows().times()[*verdict_.row];
      rows().append_row(*page.captured, page.links);
      if (rows().is_cut()) std::ranges::sort(page.links, {}, &LinkAt::node);
      if (page.state == PageState::Moved) {
        std::erase_if(page.links, [&](const LinkAt& link) { return !is_redirect(link); });
      }
    } else if (verdict_.state == PageState::Moved) {
      for (const Uid target : redirects()) page.links.push_back(redirect_to(target));
      if (!page.links.empty()) page.captured = page.since;
    }
    return page;
  }

  [[nodiscard]] std::optional<LinkAt> link(Uid target) const {
    if (verdict_.row) {
      const auto found = rows().link_in_row(rows().times()[*verdict_.row], target);
      if (!found || (verdict_.state == PageState::Moved && !is_redirect(*found))) return {};
      return found;
    }
    if (verdict_.state != PageState::Moved) return {};
    const std::vector<Uid> targets = redirects();
    if (!std::ranges::binary_search(targets, target)) return {};
    return redirect_to(target);
  }

 private:
  [[nodiscard]] const PageRows& rows() const noexcept { return history_->rows(); }

  // The only link of a page that moved; one that moved to itself has none.
  [[nodiscard]] bool is_redirect(const LinkAt& link) const {
    return link.kinds.has(LinkKind::Redirect) && link.node != uid_;
  }
  static LinkAt redirect_to(Uid target) { return {target, LinkKind::Redirect, 1}; }

  // Where the deciding sightings point, if there is no capture.
  [[nodiscard]] std::vector<Uid> redirects() const {
    std::vector<Uid> targets;
    for (const SightingOutcome& sighting : history_->outcomes()) {
      const bool decides =
          sighting.time == verdict_.since && effective_outcome(sighting) == Outcome::Moved;
      if (decides && sighting.redirect && *sighting.redirect != uid_) {
        targets.push_back(*sighting.redirect);
      }
    }
    sort_and_unite(targets);
    return targets;
  }

  Uid uid_;
  const PageHistory* history_;
  PageVerdict verdict_;
};

}  // namespace

std::vector<Time> Archive::capture_times(Uid uid) const {
  const PageRows rows(state_->stack, Direction::Out, uid);
  return {rows.times().begin(), rows.times().end()};
}

std::vector<Sighting> Archive::sightings(Uid uid) const {
  std::vector<SightingRecord> records;
  state_->stack.sightings(uid, PageRows(state_->stack, Direction::Out, uid), records);
  std::vector<Sighting> sightings(records.size());
  const std::string own_url = url(uid);
  for (std::size_t i = 0; i < records.size(); ++i) {
    SightingRecord& record = records[i];
    Sighting& sighting = sightings[i];
    sighting.url = own_url;
    move_fields(record, sighting);
    if (record.redirect) sighting.redirect_target = url(*record.redirect);
    if (record.refers_to) sighting.refers_to_url = url(*record.refers_to);
  }
  return sightings;
}

void Archive::page(Uid uid, PageFacts& facts, bool with_texts) const {
  read_all(state_->stack, uid, facts);
  if (with_texts) read_texts(state_->stack, uid, nullptr, facts.texts);
}

std::vector<LinkText> Archive::texts(Uid source, std::optional<Uid> target,
                                     std::optional<TimeInterval> during) const {
  PageTexts texts;
  read_texts(state_->stack, source, target ? &*target : nullptr, texts);
  std::vector<LinkText> found;
  const TextUse* before = nullptr;
  for (const TextUse& use : texts.uses) {  // by target, text and time
    if (during && (use.time < during->first || use.time > during->last)) continue;
    const bool is_same =
        before != nullptr && before->target == use.target && before->text == use.text;
    if (!is_same) found.push_back({use.target, texts.words[use.text], use.time, use.time, 0});
    found.back().last = use.time;
    ++found.back().captures;
    before = &use;
  }
  return found;
}

std::vector<Uid> Archive::links(Uid uid, Direction direction) const {
  std::vector<Uid> links;
  read_links(state_->stack, direction, uid, links);
  return links;
}

std::uint64_t Archive::link_count(Uid uid, Direction direction) const {
  return links(uid, direction).size();
}

std::vector<Uid> Archive::links(Uid uid, TimeInterval during, Direction direction) const {
  std::vector<Uid> links;
  if (direction == Direction::Out) {
    PageRows(state_->stack, direction, uid).append_links(during, links);
    sort_and_unite(links);
    return links;
  }
  links = in_links_by_range(uid, during);
  std::erase_if(links, [&](Uid source) {
    return !PageRows(state_->stack, Direction::Out, source).has_link(during, uid);
  });
  return links;
}

std::vector<Uid> Archive::in_links_by_range(Uid uid, TimeInterval during) const {
  std::vector<Uid> links;
  const TimeInterval ranges = ranges_of(during, manifest().options);
  PageRows(state_->stack, Direction::In, uid).append_links(ranges, links);
  sort_and_unite(links);
  return links;
}

PageAt Archive::links_at(Uid uid, Time time) const {
  PageHistories histories(state_->stack);
  return PageMoment(histories, uid, time).page();
}

std::vector<LinkAt> Archive::in_links_at(Uid uid, Time time) const {
  std::vector<LinkAt> links;
  PageHistories histories(state_->stack);
  for (const Uid source : in_links_by_range(uid, {kBeginningOfTime, time})) {
    auto link = PageMoment(histories, source, time).link(uid);
    if (!link) continue;
    link->node = source;
    links.push_back(*link);
  }
  return links;
}

std::vector<LinkHistory> Archive::history(Uid uid, Direction direction,
                                          std::optional<TimeInterval> during) const {
  std::vector<LinkHistory> histories;
  if (direction == Direction::Out) {
    PageRows(state_->stack, direction, uid).append_history(uid, during, histories);
    return histories;
  }
  const std::vector<Uid> sources =
      during ? in_links_by_range(uid, *during) : links(uid, Direction::In);
  for (const Uid source : sources) {
    const PageRows rows(state_->stack, Direction::Out, source);
    if (const auto found = rows.history(source, uid, during)) histories.push_back(*found);
  }
  return histories;
}

std::optional<LinkHistory> Archive::history(Uid source, Uid target) const {
  return PageRows(state_->stack, Direction::Out, source).history(source, target, std::nullopt);
}

namespace {

bool has_time_inside(std::span<const Time> times, const std::optional<TimeInterval>& interval) {
  if (!interval) return !times.empty();
  const auto first = std::ranges::lower_bound(times, interval->first);
  return first != times.end() && *first <= interval->last;
}

// Appends the nodes of a stratum's block that have a time inside the interval; a node with several
// segments may be repeated.
void add_pages_of_block(const GenerationReader& stratum, const StratumNumbers& numbers,
                        std::uint64_t block, const std::optional<TimeInterval>& interval,
                        std::vector<Uid>& pages) {
  const BlockSummary& summary = stratum.layer(Layer::Times).summary(block);
  const bool is_elsewhere =
      interval && (interval->first > interval->last || summary.last < interval->first ||
                   summary.first > interval->last);
  if (summary.items == 0 || is_elsewhere) return;
  const BlockView view = stratum.view(Layer::Times, block);
  TimeLists times;
  for (const BlockChunk& chunk : view.chunks()) {
    TimesChunk::open(chunk.bytes).decode(times);
    const Uid first = stratum.first_node(block) + chunk.first_node;
    for (std::size_t node = 0; node < times.node_count(); ++node) {
      if (has_time_inside(times.list(node), interval)) pages.push_back(numbers.uid(first + node));
    }
  }
}

// The blocks of the base give the order; those of the strata above it are read when their first
// node is reached. A page that a stratum replaces keeps all its times there.
void visit_pages(const StackReader& stack, const std::optional<TimeInterval>& interval,
                 const std::function<bool(Uid)>& visit) {
  std::vector<Uid> pages;
  std::vector<std::uint64_t> next(stack.size());
  for (std::uint64_t block = 0; block < stack.block_count(); ++block) {
    const Uid end = stack.nodes_of(block).end;
    for (std::size_t i = 0; i < stack.size(); ++i) {
      const GenerationReader& stratum = stack.stratum(i);
      const auto begins_here = [&] {
        return next[i] < stratum.block_count() &&
               stack.numbers(i).uid(stratum.first_node(next[i])) < end;
      };
      while (begins_here()) {
        add_pages_of_block(stratum, stack.numbers(i), next[i]++, interval, pages);
      }
    }
    std::ranges::sort(pages);
    pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
    const auto reached = std::ranges::lower_bound(pages, end);
    for (auto page = pages.begin(); page != reached; ++page) {
      if (!visit(*page)) return;
    }
    pages.erase(pages.begin(), reached);
  }
}

}  // namespace

void Archive::pages(const std::function<bool(Uid)>& visit) const {
  visit_pages(stack(), std::nullopt, visit);
}

void Archive::pages(TimeInterval interval, const std::function<bool(Uid)>& visit) const {
  visit_pages(stack(), interval, visit);
}

std::string Archive::key(Uid uid) const {
  std::string key;
  state_->stack.key(uid, key);
  return key;
}

std::string Archive::url(Uid uid) const {
  const std::string key_text = key(uid);
  auto url = url_of_key(key_text);
  if (!url) {
    throw Error(
        ErrorKind::Corrupt,
        fmt::format(
            "{}: the key of node {} is not the key of a URL; restore the archive from a copy",
            path().string(), uid));
  }
  return *std::move(url);
}

std::optional<Uid> Archive::uid(std::string_view url) const {
  Url parsed;
  if (!parse_url(url, parsed)) return std::nullopt;
  std::string key;
  append_key(parsed, key);
  bool found = false;
  const Uid uid = state_->stack.lower_bound(key, found);
  return found ? std::optional(uid) : std::nullopt;
}

UidRange Archive::range(const KeyRange& keys) const {
  bool found = false;
  const Uid first = state_->stack.lower_bound(keys.first, found);
  return {first, std::max(first, state_->stack.lower_bound(keys.end, found))};
}

namespace {

// "example.org" of "www2.www.example.org".
std::string_view without_www(std::string_view host) {
  while (host.starts_with("www")) {
    const std::size_t digits_end = host.find_first_not_of("0123456789", 3);
    if (digits_end == std::string_view::npos || host[digits_end] != '.') break;
    host.remove_prefix(digits_end + 1);
  }
  return host;
}

}  // namespace

// No dialect moves a URL to another host, except for a leading "www" and the like. So everything
// that can fold to the same key is in the domain, on hosts of that form; the others are skipped.
std::vector<Uid> Archive::folded(std::string_view url_text, Dialect dialect) const {
  std::vector<Uid> found;
  Url parsed;
  if (!parse_url(url_text, parsed)) return found;
  if (dialect == Dialect::Exact || !parsed.is_web()) {
    if (const auto exact = uid(url_text)) found.push_back(*exact);
    return found;
  }
  const std::string wanted = fold(dialect, url_text);
  if (wanted.empty()) return found;  // it has no key in that dialect
  const std::string host(without_www(parsed.host()));
  const UidRange domain = range(domain_keys(host));
  Url candidate;
  for (Uid node = domain.first; node < domain.end;) {
    const std::string candidate_url = url(node);
    const bool is_url = parse_url(candidate_url, candidate);
    if (is_url && without_www(candidate.host()) != host) {
      node = std::max(node + 1, range(host_keys(candidate.host())).end);
      continue;
    }
    if (fold(dialect, candidate_url) == wanted) found.push_back(node);
    ++node;
  }
  return found;
}

}  // namespace webstrata
