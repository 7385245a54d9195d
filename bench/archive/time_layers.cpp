// SPDX-License-Identifier: Apache-2.0

// The layers that know time, on thirty years of one site (openbsd-www).
//
// Figures are bits per link fact: a link counted once in every capture that has it. The archive
// keeps http, https and ftp targets only, so mailto and the like are neither stored nor counted.
// Everything is in the bytes: code tables, indexes, directories of blocks, checksums. Compared are
//
//   alone       every capture's links as a list of its own: the degree, the first target as its
//               distance from the page, then gaps, each under a Huffman table (no references)
//   the papers  the layers OL, TS and BV as lines of text, each through gzip -9
//   TS'         moments replaced by random seconds of their day, as the papers simulate them

#include <zlib.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "bench/archive/sections.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/capture/parallel_read.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/kinds.h"
#include "webstrata/codec/links.h"
#include "webstrata/codec/presence.h"
#include "webstrata/codec/times.h"
#include "webstrata/codec/token_coder.h"
#include "webstrata/url/key.h"

namespace webstrata {
namespace {

// ---------------------------------------------------------------------------------------------
// The data

struct PlainLink {
  Uid target = 0;
  LinkValue value;
  friend auto operator<=>(const PlainLink&, const PlainLink&) = default;
};

struct PlainCapture {
  Uid page = 0;
  Time time = 0;
  std::vector<PlainLink> links;
};

// A page as the layers hold it.
struct Page {
  Uid uid = 0;
  std::vector<Uid> links;
  std::vector<Time> times;
  PresenceRows rows;  // of this one node
  std::vector<LinkValue> values;
};

struct Site {
  std::uint64_t node_count = 0;
  std::uint64_t fact_count = 0;
  std::uint64_t capture_count = 0;
  std::uint64_t link_count = 0;
  std::vector<Page> pages;  // by uid
};

// Numbers keys as they come; sort() turns the numbers into uids.
class KeyNumbers {
 public:
  Uid number(std::string_view url) {
    const auto [entry, is_new] = numbers_.try_emplace(std::string(url), numbers_.size());
    return entry->second;
  }
  [[nodiscard]] std::vector<Uid> uids() const {
    std::vector<std::pair<std::string, Uid>> keys;
    for (const auto& [href, number] : numbers_) {
      Url url;
      if (!parse_url(href, url)) throw Error(ErrorKind::BadInput, "not a URL: " + href);
      append_key(url, keys.emplace_back("", number).first);
    }
    std::ranges::sort(keys);
    std::vector<Uid> uids(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) uids[keys[i].second] = i;
    return uids;
  }

 private:
  std::unordered_map<std::string, Uid> numbers_;
};

class CaptureSink : public PartSink {
 public:
  CaptureSink(KeyNumbers& numbers, std::vector<PlainCapture>& captures)
      : numbers_(numbers), captures_(captures) {}
  void take(Capture& capture) override {
    if (!capture.links_known) return;
    PlainCapture plain{numbers_.number(capture.sighting.url), capture.sighting.time, {}};
    for (std::size_t i = 0; i < capture.links.size(); ++i) {
      const Link link = capture.links[i];
      plain.links.push_back({numbers_.number(link.target), {link.kinds.bits(), link.count}});
    }
    captures_.push_back(std::move(plain));
  }
  [[nodiscard]] std::size_t buffered_bytes() const override { return 0; }
  void flush() override {}

 private:
  KeyNumbers& numbers_;
  std::vector<PlainCapture>& captures_;
};

// All captures, with uids in the place of URLs. On one thread: the sinks share the numbers.
std::vector<PlainCapture> read_captures(const std::filesystem::path& path, std::uint64_t& nodes) {
  KeyNumbers numbers;
  std::vector<PlainCapture> captures;
  ParallelOptions parallel;
  parallel.work.threads = 1;
  const auto summaries = read_inputs({path.string()}, {}, parallel, [&](std::size_t) {
    return std::make_unique<CaptureSink>(numbers, captures);
  });
  for (const InputSummary& summary : summaries) {
    if (!summary.error.empty()) throw Error(ErrorKind::NotFound, summary.error);
  }
  const std::vector<Uid> uids = numbers.uids();
  for (PlainCapture& capture : captures) {
    capture.page = uids[capture.page];
    for (PlainLink& link : capture.links) link.target = uids[link.target];
    std::ranges::sort(capture.links);
  }
  nodes = uids.size();
  return captures;
}

// Two captures of one second are one row with the union of links; the first value counts here.
std::vector<PlainLink> joined(const std::vector<PlainLink>& a, const std::vector<PlainLink>& b) {
  std::vector<PlainLink> both;
  std::ranges::merge(a, b, std::back_inserter(both), {}, &PlainLink::target, &PlainLink::target);
  const auto same = [](const PlainLink& x, const PlainLink& y) { return x.target == y.target; };
  both.erase(std::unique(both.begin(), both.end(), same), both.end());
  return both;
}

Page make_page(Uid uid, const std::map<Time, std::vector<PlainLink>>& rows) {
  Page page;
  page.uid = uid;
  for (const auto& [time, links] : rows) {
    page.times.push_back(time);
    for (const PlainLink& link : links) page.links.push_back(link.target);
  }
  std::ranges::sort(page.links);
  page.links.erase(std::unique(page.links.begin(), page.links.end()), page.links.end());
  std::vector<std::uint32_t> columns;
  for (const auto& [time, links] : rows) {
    columns.clear();
    for (const PlainLink& link : links) {
      const auto place = std::ranges::lower_bound(page.links, link.target);
      columns.push_back(static_cast<std::uint32_t>(place - page.links.begin()));
      page.values.push_back(link.value);
    }
    page.rows.add_row(columns);
  }
  page.rows.add_node(static_cast<std::uint32_t>(page.links.size()));
  return page;
}

Site read_site(const std::filesystem::path& path) {
  Site site;
  std::map<Uid, std::map<Time, std::vector<PlainLink>>> pages;
  for (PlainCapture& capture : read_captures(path, site.node_count)) {
    auto& links = pages[capture.page][capture.time];
    links = joined(links, capture.links);
  }
  for (const auto& [uid, rows] : pages) {
    site.pages.push_back(make_page(uid, rows));
    site.capture_count += rows.size();
    site.link_count += site.pages.back().links.size();
    site.fact_count += site.pages.back().rows.ones.size();
  }
  return site;
}

// ---------------------------------------------------------------------------------------------
// Sizes

constexpr std::uint64_t kBlockNodes = 1 << 16;
constexpr std::uint64_t kChecksumBytes = 8;

// A layer of all nodes in blocks and chunks as the archive cuts them. Codec::add takes a page, or
// null for a node that is none; Codec::finish gives the bytes of a chunk and is empty then.
template <class Codec>
std::uint64_t layer_bytes(const Site& site, Codec codec, std::vector<std::string>* chunks) {
  std::uint64_t bytes = 0;
  BlockWriter block;
  std::uint32_t first = 0;
  std::uint32_t nodes = 0;
  std::uint64_t items = 0;
  const auto close_chunk = [&] {
    if (nodes == 0) return;
    const std::string chunk = codec.finish();
    block.add_chunk(first, nodes, chunk);
    if (chunks != nullptr) chunks->push_back(chunk);
    first += nodes;
    nodes = 0;
    items = 0;
  };
  std::size_t next = 0;
  for (Uid uid = 0; uid < site.node_count; ++uid) {
    const bool is_page = next < site.pages.size() && site.pages[next].uid == uid;
    const Page* page = is_page ? &site.pages[next++] : nullptr;
    const std::uint64_t more = page == nullptr ? 0 : Codec::items(*page);
    if (nodes == kChunkNodes || items + more > kChunkItems) close_chunk();
    codec.add(page);
    ++nodes;
    items += more;
    if ((uid + 1) % kBlockNodes != 0 && uid + 1 != site.node_count) continue;
    close_chunk();
    bytes += block.finish().size() + kChecksumBytes;
    first = 0;
  }
  return bytes;
}

struct LinksLayer {
  LinkLists lists;
  static std::uint64_t items(const Page& page) { return page.links.size(); }
  void add(const Page* page) { lists.add(page == nullptr ? std::span<const Uid>() : page->links); }
  std::string finish() {
    const std::string bytes = encode_links(lists);
    lists.clear(lists.first + lists.node_count());
    return bytes;
  }
};

struct TimesLayer {
  TimeLists lists = {};
  static std::uint64_t items(const Page& page) { return page.times.size(); }
  void add(const Page* page) { lists.add(page == nullptr ? std::span<const Time>() : page->times); }
  std::string finish() {
    const std::string bytes = encode_times(lists);
    lists.clear();
    return bytes;
  }
};

struct PresenceLayer {
  PresenceRows rows = {};
  static std::uint64_t items(const Page& page) {
    return page.rows.ones.size() + page.rows.one_ends.size();
  }
  void add(const Page* page) {
    const std::size_t count = page == nullptr ? 0 : page->rows.row_count(0);
    for (std::size_t row = 0; row < count; ++row) rows.add_row(page->rows.row(row));
    rows.add_node(page == nullptr ? 0 : page->rows.widths[0]);
  }
  std::string finish() {
    const std::string bytes = encode_presence(rows);
    rows.clear();
    return bytes;
  }
};

struct KindsLayer {
  PresenceLayer presence = {};
  std::vector<LinkValue> values = {};
  static std::uint64_t items(const Page& page) { return PresenceLayer::items(page); }
  void add(const Page* page) {
    presence.add(page);
    if (page != nullptr) values.insert(values.end(), page->values.begin(), page->values.end());
  }
  std::string finish() {
    const std::string bytes = encode_kinds(presence.rows, values);
    presence.rows.clear();
    values.clear();
    return bytes;
  }
};

std::uint64_t zigzag(Uid from, Uid to) {
  return to >= from ? (to - from) * 2 : (from - to) * 2 - 1;
}

std::uint64_t bytes_alone(const Site& site) {
  enum : std::uint32_t { kDegree, kFirst, kGap, kCount };
  TokenWriter out(kCount);
  for (const Page& page : site.pages) {
    for (std::size_t row = 0; row < page.times.size(); ++row) {
      const auto columns = page.rows.row(row);
      out.put(kDegree, columns.size());
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const Uid target = page.links[columns[i]];
        if (i == 0) out.put(kFirst, zigzag(page.uid, target));
        if (i > 0) out.put(kGap, target - page.links[columns[i - 1]] - 1);
      }
    }
  }
  const EncodedTokens encoded = out.finish();
  return encoded.tables.size() + encoded.stream.size();
}

std::uint64_t gzip_bytes(const std::string& text) {
  z_stream stream{};
  constexpr int kGzipWindow = 15 + 16;
  if (deflateInit2(&stream, 9, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error(ErrorKind::Io, "zlib does not start");
  }
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  const std::uint64_t bytes = stream.total_out;
  deflateEnd(&stream);
  return bytes;
}

std::uint64_t links_as_text(const Site& site) {
  std::string text;
  for (const Page& page : site.pages) {
    text += fmt::format("{}\t{}\n", page.uid, fmt::join(page.links, " "));
  }
  return gzip_bytes(text);
}

std::uint64_t times_as_text(const Site& site) {
  std::string text;
  for (const Page& page : site.pages) {
    text += std::to_string(page.uid);
    for (const Time time : page.times) text += ' ' + to_timestamp14(time);
    text += '\n';
  }
  return gzip_bytes(text);
}

std::uint64_t presence_as_text(const Site& site) {
  std::string text;
  for (const Page& page : site.pages) {
    text += std::to_string(page.uid);
    for (std::size_t row = 0; row < page.times.size(); ++row) {
      std::string bits(page.links.size(), '0');
      for (const std::uint32_t column : page.rows.row(row)) bits[column] = '1';
      text += ' ' + bits;
    }
    text += '\n';
  }
  return gzip_bytes(text);
}

// Moments at random seconds of their day; two of a page in one second are one second apart then.
Site with_random_seconds(const Site& site, std::uint64_t seed) {
  constexpr Time kDay = 86'400;
  Random random(seed);
  Site other = site;
  for (Page& page : other.pages) {
    for (Time& time : page.times) {
      time = time - time % kDay + static_cast<Time>(random.below(kDay));
    }
    std::ranges::sort(page.times);
    for (std::size_t i = 1; i < page.times.size(); ++i) {
      page.times[i] = std::max(page.times[i], page.times[i - 1] + 1);
    }
  }
  return other;
}

// ---------------------------------------------------------------------------------------------
// Speed

// The open chunks of a layer, by node.
template <class Chunk>
class OpenLayer {
 public:
  template <class Open>
  OpenLayer(const std::vector<std::string>& chunks, Open open) {
    for (const std::string& bytes : chunks) {
      firsts_.push_back(next_);
      chunks_.push_back(open(bytes, next_));
      next_ += chunks_.back().node_count();
    }
  }
  const Chunk& find(Uid uid, std::size_t& node) const {
    const auto behind = std::ranges::upper_bound(firsts_, uid);
    node = uid - *std::prev(behind);
    return chunks_[static_cast<std::size_t>(behind - firsts_.begin()) - 1];
  }

 private:
  std::vector<Uid> firsts_;
  std::vector<Chunk> chunks_;
  Uid next_ = 0;
};

struct LayerChunks {
  std::vector<std::string> links, times, presence, kinds;
};

template <class Work>
double best_seconds(int repetitions, Work work) {
  double best = 1e9;
  for (int i = 0; i < repetitions; ++i) {
    const double start = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

// Pages like the one of the target: about 70 links and 16 captures.
std::vector<const Page*> middling_pages(const Site& site) {
  std::vector<const Page*> pages;
  for (const Page& page : site.pages) {
    const bool fits = page.links.size() >= 50 && page.links.size() <= 90 &&
                      page.times.size() >= 12 && page.times.size() <= 20;
    if (fits) pages.push_back(&page);
  }
  return pages;
}

void measure_reading(const Site& site, const LayerChunks& bytes, const BenchOptions& options,
                     Figures& figures) {
  const OpenLayer<LinksChunk> links(bytes.links, LinksChunk::open);
  const auto open_alone = [](auto open) {
    return [open](std::string_view chunk, Uid) { return open(chunk); };
  };
  const OpenLayer<TimesChunk> times(bytes.times, open_alone(TimesChunk::open));
  const OpenLayer<PresenceChunk> presence(bytes.presence, open_alone(PresenceChunk::open));
  const OpenLayer<KindsChunk> kinds(bytes.kinds, open_alone(KindsChunk::open));

  const std::vector<const Page*> pages = middling_pages(site);
  struct Question {
    const Page* page;
    std::size_t row;
  };
  std::vector<Question> questions;
  Random random(1);
  for (int i = 0; i < 50'000; ++i) {
    const Page* page = pages[random.below(pages.size())];
    questions.push_back({page, random.below(page->times.size())});
  }
  std::vector<std::uint32_t> columns;
  std::vector<Uid> targets;
  std::vector<Time> moments;
  std::vector<LinkValue> values;
  std::size_t node = 0;
  const double per_question = 1e9 / static_cast<double>(questions.size());
  const auto measure = [&](std::string name, std::string meaning, auto ask) {
    const double seconds = best_seconds(options.repetitions, [&] {
      for (const auto& [page, row] : questions) ask(*page, row);
    });
    figures.add(std::move(name), seconds * per_question, std::move(meaning));
  };
  measure("presence_row_ns", "a row of a page of 50-90 links, 12-20 captures, warm; target 2000",
          [&](const Page& page, std::size_t row) {
            const PresenceChunk& chunk = presence.find(page.uid, node);
            chunk.row(node, page.rows.widths[0], row, columns);
          });
  measure("kinds_row_ns", "the values of that row", [&](const Page& page, std::size_t row) {
    const KindsChunk& chunk = kinds.find(page.uid, node);
    chunk.row(node, page.rows.widths[0], row, page.rows.row(row), values);
  });
  measure("times_of_page_ns", "all times of such a page", [&](const Page& page, std::size_t) {
    const TimesChunk& chunk = times.find(page.uid, node);
    chunk.times(node, moments);
  });
  measure("links_of_page_ns", "its union of links", [&](const Page& page, std::size_t) {
    const LinksChunk& chunk = links.find(page.uid, node);
    chunk.targets(node, targets);
  });
  measure("links_at_time_layers_ns", "all four together: links of a page at a time; target 5000",
          [&](const Page& page, std::size_t row) {
            const TimesChunk& times_chunk = times.find(page.uid, node);
            times_chunk.times(node, moments);
            const auto behind = std::ranges::upper_bound(moments, page.times[row]);
            const auto at = static_cast<std::size_t>(behind - moments.begin()) - 1;
            const LinksChunk& links_chunk = links.find(page.uid, node);
            links_chunk.targets(node, targets);
            const auto width = static_cast<std::uint32_t>(targets.size());
            const PresenceChunk& presence_chunk = presence.find(page.uid, node);
            presence_chunk.row(node, width, at, columns);
            const KindsChunk& kinds_chunk = kinds.find(page.uid, node);
            kinds_chunk.row(node, width, at, columns, values);
            if (!std::ranges::equal(columns, page.rows.row(row))) {
              throw Error(ErrorKind::Corrupt, "the layers answer wrongly");
            }
          });
  const double all_seconds = best_seconds(options.repetitions, [&] {
    PresenceRows rows;
    for (const Page& page : site.pages) {
      const PresenceChunk& chunk = presence.find(page.uid, node);
      rows.clear();
      chunk.rows(node, page.rows.widths[0], rows);
    }
  });
  figures.add("presence_decode_ns_per_fact",
              all_seconds * 1e9 / static_cast<double>(site.fact_count),
              "all rows of all pages in sequence");
}

// 70 links, of which one appears or vanishes in every capture.
void measure_long_node(const BenchOptions& options, Figures& figures) {
  constexpr std::uint32_t kWidth = 70;
  constexpr std::size_t kRows = 100'000;
  Random random(2);
  PresenceRows rows;
  std::vector<bool> row(kWidth, true);
  std::vector<std::uint32_t> columns;
  for (std::size_t i = 0; i < kRows; ++i) {
    row[random.below(kWidth)].flip();
    columns.clear();
    for (std::uint32_t column = 0; column < kWidth; ++column) {
      if (row[column]) columns.push_back(column);
    }
    rows.add_row(columns);
  }
  rows.add_node(kWidth);
  const std::string bytes = encode_presence(rows);
  const PresenceChunk chunk = PresenceChunk::open(bytes);
  const double seconds = best_seconds(options.repetitions, [&] {
    for (int i = 0; i < 10'000; ++i) chunk.row(0, kWidth, random.below(kRows), columns);
  });
  figures.add("presence_row_of_100000_ns", seconds * 1e5,
              "a row of a made-up page of 100,000 captures, each another");
}

}  // namespace

void bench_time_layers(const BenchOptions& options, Figures& figures) {
  const Site site =
      read_site(options.shared / "data" / "openbsd-www" / "links_all_versions.tsv.zst");
  const auto facts = static_cast<double>(site.fact_count);
  figures.add("time_layers_pages", static_cast<double>(site.pages.size()), "openbsd-www");
  figures.add("time_layers_captures", static_cast<double>(site.capture_count), "rows");
  figures.add("time_layers_links", static_cast<double>(site.link_count), "union over all captures");
  figures.add("time_layers_facts", facts,
              "links counted once per capture; without mailto and other schemes");

  const auto add_bits = [&](std::string name, std::uint64_t bytes, std::string meaning) {
    const double bits = static_cast<double>(bytes) * 8 / facts;
    figures.add(std::move(name), bits, std::move(meaning));
    return bits;
  };
  LayerChunks chunks;
  const double start = cpu_seconds();
  const std::uint64_t links = layer_bytes(site, LinksLayer{}, &chunks.links);
  const std::uint64_t times = layer_bytes(site, TimesLayer{}, &chunks.times);
  const std::uint64_t presence = layer_bytes(site, PresenceLayer{}, &chunks.presence);
  const std::uint64_t kinds = layer_bytes(site, KindsLayer{}, &chunks.kinds);
  const double encode_seconds = cpu_seconds() - start;
  add_bits("time_layers_links_bits", links, "bits per link fact: union links");
  add_bits("time_layers_times_bits", times, "bits per link fact; aim 0.19");
  add_bits("time_layers_presence_bits", presence, "bits per link fact; aim 0.27");
  add_bits("time_layers_kinds_bits", kinds, "bits per link fact: kinds and counts");
  const double sum = add_bits("time_layers_bits", links + times + presence,
                              "links + times + presence, everything counted; target 0.70");
  figures.add("time_layers_encode_facts_per_s", facts / encode_seconds, "all four layers");

  const double alone = add_bits("captures_alone_bits", bytes_alone(site),
                                "each capture's links coded alone: Huffman-coded gaps");
  figures.add("time_layers_of_alone", sum / alone, "our sum / that; target 0.083");
  const std::uint64_t old_times = times_as_text(site);
  const std::uint64_t papers = links_as_text(site) + old_times + presence_as_text(site);
  const double papers_bits =
      add_bits("papers_way_bits", papers, "OL, TS, BV as text through gzip -9");
  figures.add("time_layers_of_papers", sum / papers_bits, "our sum / that; target 0.4");

  const Site simulated = with_random_seconds(site, 1);
  add_bits("times_random_seconds_bits", layer_bytes(simulated, TimesLayer{}, nullptr),
           "times at random seconds of their day (TS')");
  add_bits("papers_random_seconds_bits", times_as_text(simulated), "the same as text, gzip -9");

  measure_reading(site, chunks, options, figures);
  measure_long_node(options, figures);
}

}  // namespace webstrata
