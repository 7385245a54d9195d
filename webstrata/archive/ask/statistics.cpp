// SPDX-License-Identifier: Apache-2.0

// Pages are read block by block; what a block cannot know (menus of hosts and directories that
// continue in the next one) is added up when the blocks are collected in order.
//
// Locality needs no names: the directory, host and domain of a page are ranges of uids, and
// neighbours mostly share them.
// Tested by tests/archive/comparison_test.cpp.

#include <algorithm>
#include <bit>
#include <chrono>
#include <unordered_map>

#include "webstrata/archive/ask/block_scan.h"
#include "webstrata/archive/ask/comparison.h"
#include "webstrata/url/host.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

// Years outside 1..9999 count as the nearest.
int year_of(Time time) {
  using namespace std::chrono;
  constexpr Time kFirst = -62135596800;  // 0001-01-01
  constexpr Time kLast = 253402300799;   // 9999-12-31
  const sys_seconds moment{seconds{std::clamp(time, kFirst, kLast)}};
  return static_cast<int>(year_month_day(floor<days>(moment)).year());
}

// A page's directory, as a part of its key: "org,example)/a/".
std::string_view directory_of_key(std::string_view key) {
  const std::size_t path = key.find('/', key.find(')'));
  if (path == std::string_view::npos) return host_of_key(key);
  const std::string_view before_query = key.substr(0, key.find('?', path));
  return key.substr(0, before_query.rfind('/') + 1);
}

// The last capture of a page, in which menus are found.
struct LastCapture {
  std::string directory;  // of its key
  std::string place;      // the directory as text
  std::vector<Uid> targets;
};

struct BlockStatistics {
  LinkStatistics sums;
  std::vector<LastCapture> pages;
};

void count_lifetime(std::vector<std::uint64_t>& histogram, Time first, Time last) {
  constexpr std::uint64_t kDay = 86400;
  const std::uint64_t days =
      (static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first)) / kDay;
  const auto bin = static_cast<std::size_t>(std::bit_width(days + 1)) - 1;
  if (histogram.size() <= bin) histogram.resize(bin + 1);
  ++histogram[bin];
}

// The ranges of a page's own directory, host and domain.
class Surroundings {
 public:
  explicit Surroundings(const Archive& archive) : archive_(archive) {}

  void move_to(std::string_view key) {
    if (directory_of_key(key) == directory_key_) return;
    directory_key_ = directory_of_key(key);
    directory_ = {};
    const auto text = url_of_key(key);
    Url url;
    if (!text || !parse_url(*text, url)) return;
    directory_ = archive_.range(directory_keys(url));
    place_ = url.host();
    if (!url.port().empty()) place_.append(":").append(url.port());
    place_ += url.path().substr(0, url.path().rfind('/') + 1);
    if (host_of_key(key) == host_key_) return;
    host_key_ = host_of_key(key);
    host_ = archive_.range(host_keys(url.host()));
    const std::string_view domain = registered_domain(url.host());
    domain_ = domain.empty() ? host_ : archive_.range(domain_keys(domain));
  }

  void count(Uid target, LinkStatistics& sums) const {
    const auto is_in = [&](const UidRange& range) {
      return target >= range.first && target < range.end;
    };
    if (is_in(directory_)) {
      ++sums.same_directory;
    } else if (is_in(host_)) {
      ++sums.same_host;
    } else if (is_in(domain_)) {
      ++sums.same_domain;
    } else {
      ++sums.elsewhere;
    }
  }

  [[nodiscard]] const std::string& directory_key() const noexcept { return directory_key_; }
  [[nodiscard]] const std::string& place() const noexcept { return place_; }

 private:
  const Archive& archive_;
  std::string directory_key_;
  std::string host_key_;
  std::string place_;
  UidRange directory_;
  UidRange host_;
  UidRange domain_;
};

class BlockReader {
 public:
  BlockReader(const Archive& archive, LinkKinds kinds)
      : archive_(archive), kinds_(kinds), surroundings_(archive) {}

  BlockStatistics run(std::uint64_t block) {
    const StackReader& stack = archive_.stack();
    StackRows rows(stack, Direction::Out);
    rows.seek(block, block + 1);
    if (!rows.next_node()) return std::move(statistics_);
    KeyList keys;
    read_keys(stack, block, keys);
    PageLayers section;
    PageFacts page;
    PageFacts more;
    while (const auto node = rows.next_node()) {
      rows.read(section);
      from_layers(section, page);
      bool is_cut = false;
      while (rows.next_node() == node) {
        rows.read(section);
        from_layers(section, more);
        append(page, more);
        is_cut = true;
      }
      if (is_cut) normalise(page);
      drop_other_kinds(page);
      surroundings_.move_to(keys[*node - stack.first_node(block)]);
      count_page(page);
    }
    return std::move(statistics_);
  }

 private:
  struct Life {
    std::size_t first = 0;  // rows
    std::size_t last = 0;
  };

  void drop_other_kinds(PageFacts& page) const {
    if (kinds_ == kAllKinds) return;
    std::uint32_t kept = 0;
    std::size_t at = 0;
    for (std::uint32_t& end : page.row_ends) {
      for (; at < end; ++at) {
        if (!LinkKinds::from_bits(page.values[at].kinds).intersects(kinds_)) continue;
        page.targets[kept++] = page.targets[at];
      }
      end = kept;
    }
    page.targets.resize(kept);
  }

  static std::span<const Uid> row(const PageFacts& page, std::size_t number) {
    const std::size_t start = page.row_start(number);
    return std::span(page.targets).subspan(start, page.row_ends[number] - start);
  }

  void count_page(const PageFacts& page) {
    LinkStatistics& sums = statistics_.sums;
    ++sums.pages;
    sums.captures += page.row_count();
    sums.link_facts += page.targets.size();
    ++sums.years[year_of(page.times.front())].new_pages;
    lives_.clear();
    for (std::size_t i = 0; i < page.row_count(); ++i) count_row(page, i);
    count_lives(page);
    const auto last = row(page, page.row_count() - 1);
    statistics_.pages.push_back(
        {surroundings_.directory_key(), surroundings_.place(), {last.begin(), last.end()}});
  }

  void count_row(const PageFacts& page, std::size_t number) {
    LinkStatistics::Year& year = statistics_.sums.years[year_of(page.times[number])];
    const std::span<const Uid> now = row(page, number);
    ++year.captures;
    year.link_facts += now.size();
    std::uint64_t kept = 0;
    for (const Uid target : now) {
      const auto [life, is_new] = lives_.try_emplace(target, Life{number, number});
      if (is_new) continue;
      // It existed before: in the last capture, or it returns.
      if (life->second.last + 1 == number) {
        ++kept;
      } else {
        ++statistics_.sums.returns;
      }
      life->second.last = number;
    }
    if (number == 0) return;
    const std::uint64_t births = now.size() - kept;
    const std::uint64_t deaths = row(page, number - 1).size() - kept;
    year.births += births;
    year.deaths += deaths;
    statistics_.sums.births += births;
    statistics_.sums.deaths += deaths;
  }

  void count_lives(const PageFacts& page) {
    LinkStatistics& sums = statistics_.sums;
    sums.links += lives_.size();
    for (const auto& [target, life] : lives_) {
      const bool is_there = life.last + 1 == page.row_count();
      count_lifetime(is_there ? sums.lifetime_days_censored : sums.lifetime_days_ended,
                     page.times[life.first], page.times[life.last]);
      surroundings_.count(target, sums);
    }
  }

  const Archive& archive_;
  LinkKinds kinds_;
  Surroundings surroundings_;
  std::unordered_map<Uid, Life> lives_;  // only ever added up, so its order does not matter
  BlockStatistics statistics_;
};

// How many pages of a place link to each target.
struct MenuCounts {
  std::string place;
  std::uint64_t pages = 0;
  std::unordered_map<Uid, std::uint64_t> targets;

  void add(const LastCapture& page) {
    ++pages;
    for (const Uid target : page.targets) ++targets[target];
  }
};

// Receives the pages in order and finds the menus of each host at its end.
class MenuFinder {
 public:
  MenuFinder(const StatisticsOptions& options, LinkStatistics& result)
      : options_(options), result_(result) {}

  void take(const LastCapture& page) {
    const std::string_view host = host_of_key(page.directory);
    if (host != host_key_) {
      finish_host();
      host_key_ = host;
      host_.place = page.place.substr(0, page.place.find_first_of(":/"));
      if (page.place.starts_with("[")) host_.place = page.place.substr(0, page.place.find(']') + 1);
    }
    result_.last_capture_links += page.targets.size();
    host_.add(page);
    MenuCounts& directory = directories_[page.directory];
    directory.place = page.place;
    directory.add(page);
  }

  void finish_host() {
    const std::vector<Uid> global = find_menu(host_, true);
    for (const Uid target : global) result_.menu_links += host_.targets.at(target);
    for (const auto& [key, directory] : directories_) {
      for (const Uid target : find_menu(directory, false)) {
        // Links of the host's menu are already counted.
        if (std::ranges::binary_search(global, target)) continue;
        result_.menu_links += directory.targets.at(target);
      }
    }
    host_ = {};
    directories_.clear();
  }

 private:
  std::vector<Uid> find_menu(const MenuCounts& counts, bool is_global) {
    std::vector<Uid> targets;
    if (counts.pages < std::max<std::uint64_t>(1, options_.menu_pages_min)) return targets;
    const double needed = options_.menu_share * static_cast<double>(counts.pages);
    for (const auto& [target, pages] : counts.targets) {
      if (static_cast<double>(pages) >= needed) targets.push_back(target);
    }
    if (targets.empty()) return targets;
    std::sort(targets.begin(), targets.end());
    result_.menus.push_back({counts.place, is_global, counts.pages, targets});
    return targets;
  }

  const StatisticsOptions& options_;
  LinkStatistics& result_;
  std::string host_key_;
  MenuCounts host_;
  std::map<std::string, MenuCounts> directories_;  // of the host, by key
};

void add(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& more) {
  if (sum.size() < more.size()) sum.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

void add(LinkStatistics& sum, const LinkStatistics& more) {
  sum.pages += more.pages;
  sum.captures += more.captures;
  sum.links += more.links;
  sum.link_facts += more.link_facts;
  sum.births += more.births;
  sum.deaths += more.deaths;
  sum.returns += more.returns;
  for (const auto& [number, year] : more.years) {
    LinkStatistics::Year& total = sum.years[number];
    total.captures += year.captures;
    total.new_pages += year.new_pages;
    total.link_facts += year.link_facts;
    total.births += year.births;
    total.deaths += year.deaths;
  }
  add(sum.lifetime_days_ended, more.lifetime_days_ended);
  add(sum.lifetime_days_censored, more.lifetime_days_censored);
  sum.same_directory += more.same_directory;
  sum.same_host += more.same_host;
  sum.same_domain += more.same_domain;
  sum.elsewhere += more.elsewhere;
}

}  // namespace

LinkStatistics link_statistics(const Archive& archive, const StatisticsOptions& options) {
  LinkStatistics result;
  MenuFinder menus(options, result);
  const auto work = [&](std::uint64_t block) {
    return BlockReader(archive, options.scan.kinds).run(block);
  };
  const auto take = [&](BlockStatistics&& block) {
    add(result, block.sums);
    for (const LastCapture& page : block.pages) menus.take(page);
  };
  scan_blocks<BlockStatistics>(archive, options.scan, "counting", work, take);
  menus.finish_host();
  return result;
}

}  // namespace webstrata
