// SPDX-License-Identifier: Apache-2.0

// Every choice is drawn from a hash of what it is about: (seed, kind of choice, host, place). A
// page's links are those of four lists, which differ in how many pages share them: the menu of its
// host, that of its folder, that of its section (a few pages in a row), and its own. A list has
// slots. From one crawl to the next a list may be edited, and then some of its slots are filled
// again; the number of times that this happened so far is the only thing that a crawl has to know
// about the past.
//
// The constants are those of two real crawls, Debian's documentation of 2021 and 2023, where that
// says what is wanted: sizes of hosts and folders, births and deaths, shares of local links. Those
// of the lists were chosen so that what web_shape.py measures agrees (docs/SCALE.md has the table).

#include "bench/scale/dated_web.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

namespace webstrata {
namespace {

constexpr Time kFirstCrawl = 1'628'899'200;  // 2021-08-14
constexpr double kMonthSeconds = 30.44 * 86'400;
constexpr std::uint64_t kPagesPerSecond = 20;  // of a crawl

// Sizes of hosts: median 37, nine tenths up to 94, and a few large ones (largest hundredth: a third
// of all pages).
constexpr double kHostMedian = 37;
constexpr double kHostSpread = 0.73;
constexpr double kLargeHosts = 0.024;
constexpr double kLargeLeast = 600;
constexpr double kLargeMost = 5000;
constexpr double kFolderMedian = 9;
constexpr double kFolderSpread = 1.6;
constexpr double kSectionPages = 6;

// From one release to the next, 22 months later.
constexpr double kMeasuredMonths = 22;
constexpr double kHostsDie = 0.079;
constexpr double kHostsBorn = 0.124;
// Pages are born and die with their folder or alone. With their hosts 0.18 die and 0.22 are new.
constexpr double kFoldersDie = 0.11;
constexpr double kPagesDie = 0.012;
constexpr double kFoldersBorn = 0.09;
constexpr double kPagesBorn = 0.01;
constexpr double kEditsSmall = 0.12;
constexpr double kEditsLarge = 0.27;
constexpr std::uint64_t kLargeList = 10;  // slots
constexpr double kRefilled = 0.95;        // of the slots of an edited list

constexpr double kNoLinks = 0.042;    // pages without links
constexpr double kOwnSource = 0.95;   // pages with a link to a file of their own
constexpr double kOwnPicture = 0.25;  // and to another one
constexpr double kFullMenus = 0.16;   // folders whose pages link to all of its pages
constexpr std::uint64_t kFullMenuMost = 1000;
constexpr double kIndexPages = 0.003;  // of all pages
constexpr double kInRuns = 0.7;  // of the links to the same folder: to one page after the other
constexpr std::uint64_t kIndexFolders =
    12;  // an index lists as many pages as its folder has, times this
constexpr std::uint64_t kIndexMost = 4000;
constexpr std::uint64_t kNeverCaptured = 60;  // of a hundred pages elsewhere
constexpr double kPopularExponent = 0.92;     // of targets elsewhere, by rank: a tail of 2.1
constexpr std::uint64_t kPopularPerHost = 3;

enum class Draw : std::uint64_t {
  HostSize,
  HostLarge,
  HostLife,
  HostBirth,
  HostName,
  Domain,
  Folder,
  PageLife,
  PageBirth,
  FolderLife,
  FolderBirth,
  NoLinks,
  OwnSource,
  FullMenu,
  Index,
  Section,
  Size,
  Edit,
  Refill,
  Fill,
  FillMore,
  Word,
  Day
};

std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t drawn(std::uint64_t seed, Draw draw, std::uint64_t a, std::uint64_t b = 0,
                    std::uint64_t c = 0) {
  const auto kind = static_cast<std::uint64_t>(draw);
  return mixed(mixed(mixed(mixed(seed * 64 + kind) ^ a) ^ b) ^ c);
}

double unit(std::uint64_t hash) { return (static_cast<double>(hash >> 11) + 0.5) * 0x1p-53; }

std::uint64_t below(std::uint64_t hash, std::uint64_t bound) {
  return static_cast<std::uint64_t>(unit(hash) * static_cast<double>(bound));
}

double lognormal(std::uint64_t hash, double median, double spread) {
  const double radius = std::sqrt(-2 * std::log(unit(hash)));
  return median * std::exp(spread * radius * std::cos(2 * std::numbers::pi * unit(mixed(hash))));
}

// The step in which something ends that ends with this probability in each.
int steps_until(std::uint64_t hash, double probability) {
  return static_cast<int>(
      std::min(1e6, std::floor(std::log(unit(hash)) / std::log1p(-probability))));
}

// A rank below `count`, small ones more often: the continuous form of Zipf's law.
std::uint64_t popular(std::uint64_t hash, std::uint64_t count, double exponent) {
  const double share = std::pow(unit(hash), 1 / (1 - exponent));
  return std::min(count - 1, static_cast<std::uint64_t>(share * static_cast<double>(count)));
}

// Of a size below `count`, every order of magnitude as often.
std::uint64_t near_the_first(std::uint64_t hash, std::uint64_t count) {
  return std::min(
      count - 1, static_cast<std::uint64_t>(std::pow(static_cast<double>(count), unit(hash)) * 1.5 -
                                            1.5 * unit(hash)));
}

// Syllables in alphabetical order: words of equal length have the order of their numbers.
std::string word(std::uint64_t number, int syllables) {
  constexpr std::string_view kConsonants = "bcdfglmnprstvz";
  constexpr std::string_view kVowels = "aeiou";
  constexpr std::uint64_t kCount = 70;
  std::string text(static_cast<std::size_t>(2 * syllables), 'a');
  for (int i = syllables - 1; i >= 0; --i, number /= kCount) {
    const auto syllable = static_cast<std::size_t>(number % kCount);
    text[static_cast<std::size_t>(2 * i)] = kConsonants[syllable / kVowels.size()];
    text[static_cast<std::size_t>(2 * i + 1)] = kVowels[syllable % kVowels.size()];
  }
  return text;
}

}  // namespace

// A host with its folders; computed when it is visited.
struct DatedWeb::Host {
  std::uint64_t number = 0;
  std::uint64_t pages = 0;             // ever alive
  std::vector<std::uint64_t> folders;  // the first page of each, and the number of pages
  std::string start;                   // "http://host/"

  [[nodiscard]] std::uint64_t folder_of(std::uint64_t page) const {
    return static_cast<std::uint64_t>(std::ranges::upper_bound(folders, page) - folders.begin()) -
           1;
  }

  // The URL of a page: that of its folder for the first one of it.
  [[nodiscard]] std::string url(std::uint64_t page) const {
    const std::uint64_t folder = folder_of(page);
    std::string text = start;
    if (folder > 0) text += word(folder * 37, 2) + "-" + word(mixed(number ^ folder), 3) + "/";
    if (folder == 0 && page == 0) return text;
    if (page == folders[folder]) return text + "index.html";
    text += word((page - folders[folder]) * 11 + number % 7, 3) + "-";
    return text + word(mixed(number * 31 + page), 4) + ".html";
  }
};

namespace {

// What is needed to fill a list.
struct Place {
  std::uint64_t seed;
  int crawl;
  double interval;
  std::uint64_t host_count;
};

struct ListKind {
  std::uint64_t kind;  // 0 host, 1 folder, 2 section, 3 own: the place in kLists
  double median;
  double spread;
  double near;       // share of links into the same folder
  double elsewhere;  // share of links to other hosts
  std::uint64_t most;
};

constexpr std::array<ListKind, 4> kLists = {{
    {0, 4.0, 0.7, 0.0, 0.45, 60},
    {1, 2.5, 1.75, 0.85, 0.04, 900},
    {2, 1.2, 1.7, 0.65, 0.10, 900},
    {3, 1.2, 1.6, 0.50, 0.45, 3000},
}};

// How often that slot was filled again until the crawl.
std::uint64_t fillings(const Place& place, std::uint64_t list, std::uint64_t slot,
                       std::uint64_t slots) {
  std::uint64_t count = 0;
  const double measured = slots < kLargeList ? kEditsSmall : kEditsLarge;
  const double edits = 1 - std::pow(1 - measured, place.interval);
  for (int step = 1; step <= place.crawl; ++step) {
    const auto number = static_cast<std::uint64_t>(step);
    if (unit(drawn(place.seed, Draw::Edit, list, number)) >= edits) continue;
    if (unit(drawn(place.seed, Draw::Refill, list, slot, number)) < kRefilled) count = number;
  }
  return count;
}

}  // namespace

DatedWeb::DatedWeb(const DatedWebOptions& options)
    : options_(options), interval_(options.months / kMeasuredMonths) {
  const double born = kHostsBorn / (1 - kHostsBorn) * interval_;
  const auto later = static_cast<std::uint64_t>(static_cast<double>(options.hosts) * born);
  const std::uint64_t hosts = options.hosts + later * static_cast<std::uint64_t>(options.crawls);
  first_pages_.push_back(0);
  for (std::uint64_t host = 0; host < hosts; ++host) {
    const std::uint64_t hash = drawn(options.seed, Draw::HostSize, host);
    double size = lognormal(hash, kHostMedian, kHostSpread);
    if (unit(drawn(options.seed, Draw::HostLarge, host)) < kLargeHosts) {
      size = kLargeLeast * std::pow(kLargeMost / kLargeLeast, unit(hash));
    }
    size *=
        1 + (kPagesBorn + kFoldersBorn) * interval_ * options.crawls;  // those that are born later
    first_pages_.push_back(first_pages_.back() +
                           static_cast<std::uint64_t>(std::max(1.0, std::round(size))));
  }
}

DatedWeb::Host DatedWeb::host(std::uint64_t number) const {
  Host host;
  host.number = number;
  host.pages = first_pages_[number + 1] - first_pages_[number];
  for (std::uint64_t at = 0; at < host.pages;) {
    host.folders.push_back(at);
    const double size =
        lognormal(drawn(options_.seed, Draw::Folder, number, at), kFolderMedian, kFolderSpread);
    at += static_cast<std::uint64_t>(std::max(1.0, size));
  }
  host.folders.push_back(host.pages);
  const std::uint64_t name = drawn(options_.seed, Draw::HostName, number);
  const std::uint64_t domain = drawn(options_.seed, Draw::Domain, number) % (host_count() / 3 + 1);
  host.start =
      fmt::format("http://{}{}-doc.{}.example/", word(name, 4), number, word(mixed(domain), 4));
  return host;
}

bool DatedWeb::is_host_alive(std::uint64_t host, int crawl) const {
  int born = 0;
  if (host >= options_.hosts) {
    const std::uint64_t later = host_count() - options_.hosts;
    const std::uint64_t each = later / static_cast<std::uint64_t>(options_.crawls);
    born = 1 + static_cast<int>((host - options_.hosts) / std::max<std::uint64_t>(1, each));
  }
  const double dies = 1 - std::pow(1 - kHostsDie, interval_);
  return crawl >= born &&
         crawl - born <= steps_until(drawn(options_.seed, Draw::HostLife, host), dies);
}

// Born in crawl 0 or later, so that this share of what is there was born since the crawl before.
bool DatedWeb::lives(std::uint64_t birth, std::uint64_t life, double born, double dies,
                     int crawl) const {
  const double later = born * interval_ * options_.crawls;
  int first = 0;
  if (unit(birth) < later / (1 + later)) {
    first = 1 + static_cast<int>(below(mixed(birth), static_cast<std::uint64_t>(options_.crawls)));
  }
  return crawl >= first && crawl - first <= steps_until(life, 1 - std::pow(1 - dies, interval_));
}

// The first page of a host is there as long as the host.
bool DatedWeb::is_alive(const Host& host, std::uint64_t page, int crawl) const {
  const std::uint64_t seed = options_.seed;
  const std::uint64_t folder = host.folder_of(page);
  const bool has_folder = folder == 0 || lives(drawn(seed, Draw::FolderBirth, host.number, folder),
                                               drawn(seed, Draw::FolderLife, host.number, folder),
                                               kFoldersBorn, kFoldersDie, crawl);
  return has_folder && (page == 0 || lives(drawn(seed, Draw::PageBirth, host.number, page),
                                           drawn(seed, Draw::PageLife, host.number, page),
                                           kPagesBorn, kPagesDie, crawl));
}

// What fills the lists of the pages of one host, as they are in one crawl.
class DatedWeb::Filler {
 public:
  Filler(const DatedWeb& web, const Host& host, int crawl)
      : web_(web), host_(host), place_{web.options_.seed, crawl, web.interval_, web.host_count()} {}

  // All links of a page.
  void fill(std::uint64_t page, DatedPage& out);

 private:
  // The first page of the folder or section that it is in.
  [[nodiscard]] std::uint64_t section_of(std::uint64_t page) const;
  [[nodiscard]] std::string elsewhere(std::uint64_t hash) const;
  // Empty if that page is not there.
  [[nodiscard]] std::string local(std::uint64_t hash, bool is_near) const;
  void add_pages(std::uint64_t first, std::uint64_t count, std::vector<std::string>& links) const;
  [[nodiscard]] std::vector<std::string> filled(const ListKind& kind, std::uint64_t list) const;
  [[nodiscard]] std::vector<std::string> folder_menu(std::uint64_t list) const;
  void add_own(std::uint64_t page, DatedPage& out) const;

  const DatedWeb& web_;
  const Host& host_;
  Place place_;
  std::uint64_t folder_ = 0;  // of the page, its first page and its end
  std::uint64_t start_ = 0;
  std::uint64_t end_ = 0;
  // Lists that pages share, kept from page to page.
  std::array<std::uint64_t, 3> keys_ = {};
  std::array<std::vector<std::string>, 3> lists_;
};

std::uint64_t DatedWeb::Filler::section_of(std::uint64_t page) const {
  const auto begins = [&](std::uint64_t at) {
    return unit(drawn(place_.seed, Draw::Section, host_.number, at)) <= 1 / kSectionPages;
  };
  while (page > start_ && !begins(page)) --page;
  return page;
}

std::string DatedWeb::Filler::elsewhere(std::uint64_t hash) const {
  const std::uint64_t rank = popular(hash, place_.host_count * kPopularPerHost, kPopularExponent);
  const std::uint64_t more = mixed(rank ^ place_.seed);
  if (more % 100 < kNeverCaptured) {
    return fmt::format("http://www.{}.example/{}", word(more, 5),
                       rank % 5 == 0 ? word(rank, 3) : "");
  }
  const Host other = web_.host(more / 128 % place_.host_count);
  return other.url(rank % 3 == 0 ? 0 : near_the_first(mixed(more), other.pages));
}

std::string DatedWeb::Filler::local(std::uint64_t hash, bool is_near) const {
  const std::uint64_t target =
      is_near ? start_ + below(hash, end_ - start_) : near_the_first(hash, host_.pages);
  if (!web_.is_alive(host_, target, place_.crawl)) return {};
  if (target % 9 == 4) return host_.url(target) + "?view=print";  // of no page that is captured
  return host_.url(target);
}

void DatedWeb::Filler::add_pages(std::uint64_t first, std::uint64_t count,
                                 std::vector<std::string>& links) const {
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t target = (first + i) % host_.pages;
    if (web_.is_alive(host_, target, place_.crawl)) links.push_back(host_.url(target));
  }
}

std::vector<std::string> DatedWeb::Filler::filled(const ListKind& kind, std::uint64_t list) const {
  const double size = lognormal(drawn(place_.seed, Draw::Size, list), kind.median, kind.spread);
  const auto slots = std::min(kind.most, static_cast<std::uint64_t>(size));
  const std::uint64_t run = below(list, end_ - start_);
  std::vector<std::string> links;
  for (std::uint64_t slot = 0; slot < slots; ++slot) {
    const std::uint64_t filling = fillings(place_, list, slot, slots);
    const std::uint64_t hash = drawn(place_.seed, Draw::Fill, list, slot, filling);
    const double way = unit(drawn(place_.seed, Draw::FillMore, list, slot, filling));
    if (filling == 0 && kind.kind > 0 && unit(mixed(hash)) < kind.near * kInRuns) {
      add_pages(start_ + (run + slot) % (end_ - start_), 1, links);
    } else if (way < kind.elsewhere) {
      links.push_back(elsewhere(hash));
    } else if (auto link = local(hash, way < kind.elsewhere + kind.near); !link.empty()) {
      links.push_back(std::move(link));
    }
  }
  return links;
}

std::vector<std::string> DatedWeb::Filler::folder_menu(std::uint64_t list) const {
  std::vector<std::string> links = filled(kLists[1], list);
  if (unit(drawn(place_.seed, Draw::FullMenu, host_.number, folder_)) < kFullMenus) {
    add_pages(start_, std::min(end_ - start_, kFullMenuMost), links);
  }
  return links;
}

// Files that belong to the page, and what an index lists.
void DatedWeb::Filler::add_own(std::uint64_t page, DatedPage& out) const {
  const std::uint64_t seed = place_.seed;
  const std::uint64_t number = host_.number;
  if (unit(drawn(seed, Draw::OwnSource, number, page)) < kOwnSource) {
    out.links.push_back(out.url + ".txt");
  }
  if (unit(drawn(seed, Draw::OwnSource, number, page, 1)) < kOwnPicture) {
    out.links.push_back(out.url + ".svg");
  }
  const bool is_index = unit(drawn(seed, Draw::Index, number, page)) < kIndexPages;
  if (!is_index && page != start_) return;
  const std::uint64_t most = (end_ - start_) * (is_index ? kIndexFolders : 1);
  add_pages(start_, std::min(most, kIndexMost), out.links);
}

void DatedWeb::Filler::fill(std::uint64_t page, DatedPage& out) {
  folder_ = host_.folder_of(page);
  start_ = host_.folders[folder_];
  end_ = host_.folders[folder_ + 1];
  const auto list_of = [&](std::size_t kind, std::uint64_t at) {
    return drawn(place_.seed, Draw::Size, host_.number * kLists.size() + kind, at);
  };
  const std::array<std::uint64_t, 3> at = {0, start_, section_of(page)};
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::uint64_t list = list_of(i, at[i]);
    if (keys_[i] != list) {
      keys_[i] = list;
      lists_[i] = i == 1 ? folder_menu(list) : filled(kLists[i], list);
    }
    out.links.insert(out.links.end(), lists_[i].begin(), lists_[i].end());
  }
  for (auto& link : filled(kLists[3], list_of(3, page))) out.links.push_back(std::move(link));
  add_own(page, out);
}

void DatedWeb::visit_page(const Host& host, std::uint64_t page, Filler& filler, DatedPage& out,
                          const Visit& visit) const {
  out.url = host.url(page);
  out.links.clear();
  if (unit(drawn(options_.seed, Draw::NoLinks, host.number, page)) >= kNoLinks) {
    filler.fill(page, out);
    std::ranges::sort(out.links);
    out.links.erase(std::ranges::unique(out.links).begin(), out.links.end());
    std::erase(out.links, out.url);
  }
  visit(out);
}

void DatedWeb::crawl(int number, const Visit& visit) const {
  const Time begin = kFirstCrawl + static_cast<Time>(number * options_.months * kMonthSeconds);
  std::uint64_t captured = 0;
  DatedPage out;
  for (std::uint64_t i = 0; i < host_count(); ++i) {
    if (!is_host_alive(i, number)) continue;
    const Host host = this->host(i);
    Filler filler(*this, host, number);
    for (std::uint64_t page = 0; page < host.pages; ++page) {
      if (!is_alive(host, page, number)) continue;
      out.time = begin + static_cast<Time>(captured++ / kPagesPerSecond);
      visit_page(host, page, filler, out, visit);
    }
  }
}

void DatedWeb::day(int number, std::uint64_t captures, const Visit& visit) const {
  const int crawl = options_.crawls;
  const Time begin = kFirstCrawl + static_cast<Time>(crawl * options_.months * kMonthSeconds) +
                     number * Time{86'400};
  DatedPage out;
  std::uint64_t captured = 0;
  for (std::uint64_t i = 0; captured < captures; ++i) {
    const std::uint64_t any =
        below(drawn(options_.seed, Draw::Day, static_cast<std::uint64_t>(number), i),
              first_pages_.back());
    const auto after = std::ranges::upper_bound(first_pages_, any);
    const auto at = static_cast<std::uint64_t>(after - first_pages_.begin()) - 1;
    if (!is_host_alive(at, crawl)) continue;
    const Host host = this->host(at);
    if (!is_alive(host, any - first_pages_[at], crawl)) continue;
    Filler filler(*this, host, crawl);
    out.time = begin + static_cast<Time>(captured++);  // no page twice in a second
    visit_page(host, any - first_pages_[at], filler, out, visit);
  }
}

}  // namespace webstrata
