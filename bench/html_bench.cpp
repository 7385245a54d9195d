// SPDX-License-Identifier: Apache-2.0

// How fast links come out of HTML, on one thread.
//
//   html_bench PAGES.bin [ROUNDS]
//
// PAGES.bin is any number of (length as u32 little-endian, bytes). Each round runs every
// contestant once over all pages; the best CPU time of each counts. Tested on 200 MB of Debian's
// documentation; the numbers are in the commits that changed them.

#include <cstdint>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "webstrata/base/file.h"
#include "webstrata/capture/html/html_links.h"
#include "webstrata/capture/html/html_references.h"

namespace {

using webstrata::Capture;
using webstrata::HtmlTag;
using webstrata::HtmlToken;
using Pages = std::vector<std::string_view>;

struct Count {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;  // of what was found, so that nothing is optimised away
};

struct Contestant {
  std::string name;
  std::function<Count(const Pages&)> run;
};

Pages cut_pages(std::string_view bytes) {
  Pages pages;
  while (bytes.size() >= 4) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data(), 4);
    pages.push_back(bytes.substr(4, size));
    bytes.remove_prefix(4 + pages.back().size());
  }
  return pages;
}

Count count_less_than(const Pages& pages) {
  Count count;
  for (const std::string_view page : pages) {
    std::size_t at = 0;
    while ((at = page.find('<', at)) != std::string_view::npos) {
      ++count.items;
      ++at;
    }
  }
  return count;
}

Count tokenize(const Pages& pages, const webstrata::HtmlTagSet& tags,
               webstrata::HtmlTokenizer::Emit emit) {
  Count count;
  webstrata::HtmlTokenizer tokenizer;
  std::string buffer;
  for (const std::string_view page : pages) {
    tokenizer.begin(page, tags, emit);
    for (HtmlToken token; (token = tokenizer.next()) != HtmlToken::End;) {
      if (token != HtmlToken::StartTag) continue;
      for (const auto name : {webstrata::HtmlAttribute::Href, webstrata::HtmlAttribute::Src}) {
        if (!tokenizer.has(name)) continue;
        ++count.items;
        count.bytes += tokenizer.value(name, buffer).size();
      }
    }
  }
  return count;
}

Count gather(const Pages& pages, const webstrata::ReadOptions& options) {
  Count count;
  webstrata::HtmlReferences references(options);
  for (const std::string_view page : pages) {
    references.read(page, false);
    count.items += references.size();
    for (std::size_t i = 0; i < references.size(); ++i) count.bytes += references[i].value.size();
  }
  return count;
}

Count extract(const Pages& pages, const webstrata::ReadOptions& options) {
  Count count;
  webstrata::Report report;
  webstrata::HtmlLinkExtractor extractor(options, report);
  webstrata::Url url;
  parse_url("http://host.docs.example/some/folder/page.html", url);
  Capture capture;
  for (const std::string_view page : pages) {
    capture.clear();
    extractor.extract(page, "", url, capture);
    count.items += capture.links.size();
    count.bytes += capture.text.size();
    for (std::size_t i = 0; i < capture.links.size(); ++i) {
      count.bytes += capture.links[i].target.size() + capture.links[i].text.size();
    }
  }
  return count;
}

std::vector<Contestant> contestants() {
  using webstrata::ReadOptions;
  const ReadOptions graph;
  ReadOptions all;
  all.kinds = webstrata::kAllKinds;
  ReadOptions texts = all;
  texts.with_anchor_text = texts.with_context = texts.with_title = texts.with_text = true;
  const webstrata::HtmlTagSet anchors = {HtmlTag::A};
  const webstrata::HtmlTagSet many = {HtmlTag::A,    HtmlTag::Area,   HtmlTag::Link,
                                      HtmlTag::Img,  HtmlTag::Script, HtmlTag::Frame,
                                      HtmlTag::Form, HtmlTag::Meta,   HtmlTag::Iframe};
  using Emit = webstrata::HtmlTokenizer::Emit;
  return {
      {"floor: find every '<'", count_less_than},
      {"tokenizer, a[href] decoded",
       [=](const Pages& p) { return tokenize(p, anchors, Emit::Wanted); }},
      {"tokenizer, 9 tags' href and src",
       [=](const Pages& p) { return tokenize(p, many, Emit::Wanted); }},
      {"tokenizer, every token",
       [=](const Pages& p) { return tokenize(p, many, Emit::Everything); }},
      {"references, graph kinds", [=](const Pages& p) { return gather(p, graph); }},
      {"references, all kinds", [=](const Pages& p) { return gather(p, all); }},
      {"links resolved, graph kinds", [=](const Pages& p) { return extract(p, graph); }},
      {"links resolved, all kinds", [=](const Pages& p) { return extract(p, all); }},
      {"links, texts, contexts, title", [=](const Pages& p) { return extract(p, texts); }},
  };
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 2) {
    fmt::print(stderr, "usage: html_bench PAGES.bin [ROUNDS]\n");
    return 2;
  }
  const std::string bytes = webstrata::read_file(arguments[1]);
  const Pages pages = cut_pages(bytes);
  const int rounds = argument_count > 2 ? std::stoi(arguments[2]) : 3;
  std::uint64_t total = 0;
  for (const std::string_view page : pages) total += page.size();

  const auto all = contestants();
  std::map<std::string, double> best;
  std::map<std::string, Count> counts;
  for (int round = 0; round < rounds; ++round) {
    for (const Contestant& contestant : all) {
      const double start = cpu_seconds();
      counts[contestant.name] = contestant.run(pages);
      const double seconds = cpu_seconds() - start;
      const auto [entry, is_new] = best.try_emplace(contestant.name, seconds);
      if (!is_new && seconds < entry->second) entry->second = seconds;
    }
  }
  fmt::print("{} pages, {} bytes, best of {} rounds, CPU time of one thread\n", pages.size(), total,
             rounds);
  for (const Contestant& contestant : all) {
    const double seconds = best[contestant.name];
    fmt::print("{:34} {:8.1f} MB/s {:10} items {:12} bytes\n", contestant.name,
               static_cast<double>(total) / seconds / 1e6, counts[contestant.name].items,
               counts[contestant.name].bytes);
  }
  return 0;
}
