// SPDX-License-Identifier: Apache-2.0

// Uids in the order of keys, which an update must keep, against new uids appended at the end: the
// size of the links of the same crawls both ways. docs/decisions/011 has the choice.

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

#include "bench/archive/sections.h"
#include "webstrata/base/error.h"
#include "webstrata/base/time.h"
#include "webstrata/capture/parallel_read.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/links.h"
#include "webstrata/url/key.h"

namespace webstrata {
namespace {

struct Name {
  std::string key;
  std::uint32_t batch = 0;  // of the first crawl that names it
};

// Captures as numbers of names in order of arrival. What one year brings is a batch.
class Arrivals {
 public:
  std::uint32_t number(std::string_view href, std::uint32_t batch) {
    const auto [entry, is_new] =
        numbers_.try_emplace(std::string(href), static_cast<std::uint32_t>(names_.size()));
    if (is_new) {
      Url url;
      if (!parse_url(href, url)) throw Error(ErrorKind::BadInput, "not a URL: " + entry->first);
      append_key(url, names_.emplace_back("", batch).key);
      targets_.emplace_back();
    }
    Name& name = names_[entry->second];
    name.batch = std::min(name.batch, batch);
    return entry->second;
  }
  void add_link(std::uint32_t source, std::uint32_t target) { targets_[source].push_back(target); }

  [[nodiscard]] const std::vector<Name>& names() const { return names_; }
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& targets() const { return targets_; }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<Name> names_;
  std::vector<std::vector<std::uint32_t>> targets_;  // by source, with repetitions
};

class ArrivalSink : public PartSink {
 public:
  explicit ArrivalSink(Arrivals& arrivals) : arrivals_(arrivals) {}
  void take(Capture& capture) override {
    const std::string year = to_timestamp14(capture.sighting.time).substr(0, 4);
    const auto batch = static_cast<std::uint32_t>(std::stoul(year));
    const std::uint32_t source = arrivals_.number(capture.sighting.url, batch);
    for (std::size_t i = 0; i < capture.links.size(); ++i) {
      arrivals_.add_link(source, arrivals_.number(capture.links[i].target, batch));
    }
  }
  [[nodiscard]] std::size_t buffered_bytes() const override { return 0; }
  void flush() override {}

 private:
  Arrivals& arrivals_;
};

Arrivals read(const std::vector<std::string>& paths) {
  Arrivals arrivals;
  ParallelOptions one_thread;
  one_thread.work.threads = 1;
  for (const std::string& path : paths) {
    const auto summaries = read_inputs({path}, {}, one_thread, [&](std::size_t) {
      return std::make_unique<ArrivalSink>(arrivals);
    });
    if (!summaries[0].error.empty()) throw Error(ErrorKind::NotFound, summaries[0].error);
  }
  return arrivals;
}

enum class Order { ByKey, Appended };

// The uid of each name.
std::vector<Uid> uids_of(const std::vector<Name>& names, Order order) {
  std::vector<std::uint32_t> sorted(names.size());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) sorted[i] = i;
  std::ranges::sort(sorted, [&](std::uint32_t a, std::uint32_t b) {
    if (order == Order::Appended && names[a].batch != names[b].batch) {
      return names[a].batch < names[b].batch;
    }
    return names[a].key < names[b].key;
  });
  std::vector<Uid> uids(names.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) uids[sorted[i]] = i;
  return uids;
}

// Bits per link of the union of all captures, everything counted.
double bits_per_link(const Arrivals& arrivals, Order order) {
  const std::vector<Uid> uids = uids_of(arrivals.names(), order);
  std::vector<std::uint32_t> name_of(uids.size());
  for (std::uint32_t i = 0; i < uids.size(); ++i) name_of[uids[i]] = i;
  std::uint64_t bytes = 0;
  std::uint64_t links = 0;
  LinkLists chunk;
  const auto close = [&](Uid next) {
    if (chunk.node_count() > 0) bytes += encode_links(chunk, LinksEffort::Fast).size() + 8;
    links += chunk.targets.size();
    chunk.clear(next);
  };
  chunk.clear(0);
  std::vector<Uid> list;
  for (Uid uid = 0; uid < uids.size(); ++uid) {
    list.clear();
    for (const std::uint32_t target : arrivals.targets()[name_of[uid]])
      list.push_back(uids[target]);
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    const bool is_full =
        chunk.node_count() == kChunkNodes || chunk.targets.size() + list.size() > kChunkItems;
    if (is_full) close(uid);
    chunk.add(list);
  }
  close(uids.size());
  return 8 * static_cast<double>(bytes) / static_cast<double>(links);
}

void compare(const std::string& name, const std::vector<std::string>& paths,
             const std::string& meaning, Figures& figures) {
  const Arrivals arrivals = read(paths);
  const double by_key = bits_per_link(arrivals, Order::ByKey);
  const double appended = bits_per_link(arrivals, Order::Appended);
  figures.add("append_" + name + "_by_key_bits", by_key, meaning + ": uids in the order of keys");
  figures.add("append_" + name + "_appended_bits", appended, "new uids appended, batch by batch");
  figures.add("append_" + name + "_ratio", appended / by_key, "bits per link, appended / by key");
}

}  // namespace

void bench_appending(const BenchOptions& options, Figures& figures) {
  const auto data = options.shared / "data";
  compare("openbsd", {data / "openbsd-www" / "links_all_versions.tsv.zst"},
          "openbsd-www, a batch a year", figures);
  compare("debweb",
          {data / "debweb" / "captures.bullseye.jsonl.zst",
           data / "debweb" / "captures.bookworm.jsonl.zst"},
          "debweb, two releases", figures);
}

}  // namespace webstrata
