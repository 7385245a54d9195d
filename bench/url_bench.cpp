// SPDX-License-Identifier: Apache-2.0

// How many references a thread resolves per second, and how many keys it makes.
//
//   url_bench [--pairs FILE] [--seconds S]
//
// FILE holds lines "base <tab> reference"; without it a small synthetic mix is used.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <string>
#include <vector>

#include "webstrata/base/file.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace {

using webstrata::Url;

struct Pair {
  std::string base;
  std::string reference;
};

// The forms that pages use, in roughly the shares of the openbsd tarball.
std::vector<Pair> synthetic_pairs() {
  const std::string base = "http://www.example.org/docs/guide/chapter-three/index.html";
  std::vector<Pair> pairs;
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    for (const std::string& reference :
         {"page" + number + ".html", "../part" + number + "/overview.html",
          "/images/icon" + number + ".png",
          "http://www.example.org/news/2023/item-" + number + ".html",
          "https://other" + number + ".example.net/a/long/path/to/a/page?id=" + number + "&lang=en",
          "#section-" + number, "section.html#s" + number,
          "//static.example.net/s/" + number + ".css"}) {
      pairs.push_back({base, reference});
    }
  }
  return pairs;
}

std::vector<Pair> read_pairs(const std::string& path) {
  const std::string text = webstrata::read_file(path);
  std::vector<Pair> pairs;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) pairs.push_back({line.substr(0, tab), line.substr(tab + 1)});
    start = end + 1;
  }
  return pairs;
}

// Calls `pass` again and again for about `seconds`; returns its items per second. The time is this
// process's own, so that other processes do not count.
template <typename Pass>
double rate(std::size_t items, double seconds, const Pass& pass) {
  pass();  // warm memory and branches
  const std::clock_t start = std::clock();
  double elapsed = 0;
  std::size_t passes = 0;
  while (elapsed < seconds) {
    pass();
    ++passes;
    elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }
  return static_cast<double>(items) * static_cast<double>(passes) / elapsed;
}

}  // namespace

int main(int argument_count, char** arguments) {
  CLI::App app("Measures URL resolution and keys, one thread.");
  std::string pairs_path;
  double seconds = 2;
  app.add_option("--pairs", pairs_path, "lines of base, tab, reference");
  app.add_option("--seconds", seconds, "how long each measurement takes");
  CLI11_PARSE(app, argument_count, arguments);

  const std::vector<Pair> pairs = pairs_path.empty() ? synthetic_pairs() : read_pairs(pairs_path);
  std::vector<Url> bases;
  std::vector<Url> urls;
  std::vector<std::size_t> base_of(pairs.size());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].base != pairs[i - 1].base) {
      bases.emplace_back();
      webstrata::parse_url(pairs[i].base, bases.back());
    }
    base_of[i] = bases.size() - 1;
    Url url;
    if (webstrata::resolve_url(bases.back(), pairs[i].reference, url)) urls.push_back(url);
    bytes += pairs[i].reference.size();
  }

  std::size_t sink = 0;
  Url url;
  const double resolves = rate(pairs.size(), seconds, [&] {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (webstrata::resolve_url(bases[base_of[i]], pairs[i].reference, url))
        sink += url.href().size();
    }
  });
  const double parses = rate(urls.size(), seconds, [&] {
    for (const Url& each : urls) sink += webstrata::parse_url(each.href(), url) ? 1 : 0;
  });
  std::string key;
  const double keys = rate(urls.size(), seconds, [&] {
    for (const Url& each : urls) {
      key.clear();
      webstrata::append_key(each, key);
      sink += key.size();
    }
  });
  fmt::print("{} pairs, {} resolved, mean reference {:.1f} bytes (checksum {})\n", pairs.size(),
             urls.size(), static_cast<double>(bytes) / static_cast<double>(pairs.size()),
             sink % 1000);
  fmt::print("resolve {:6.2f} M/s\nparse   {:6.2f} M/s\nkeys    {:6.2f} M/s\n", resolves / 1e6,
             parses / 1e6, keys / 1e6);
}
