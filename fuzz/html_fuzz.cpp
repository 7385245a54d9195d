// SPDX-License-Identifier: Apache-2.0

// HTML: tokenizer, references, charsets and links. The first byte chooses options and charset.
//
// Beside the sanitizers it checks that the two ways through the tokenizer see the same start tags
// and that all text that comes out is UTF-8.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "webstrata/base/utf8.h"
#include "webstrata/capture/html/charset.h"
#include "webstrata/capture/html/html_links.h"
#include "webstrata/capture/html/html_tokenizer.h"
#include "webstrata/capture/http/link_header.h"

namespace {

using namespace webstrata;

std::string wanted_tags(std::string_view page, HtmlTokenizer::Emit emit) {
  constexpr HtmlTagSet kTags = {HtmlTag::A,      HtmlTag::Img,   HtmlTag::Link, HtmlTag::Script,
                                HtmlTag::Iframe, HtmlTag::Title, HtmlTag::Meta, HtmlTag::Base};
  HtmlTokenizer tokenizer;
  std::string seen;
  std::string buffer;
  tokenizer.begin(page, kTags, emit);
  for (HtmlToken token; (token = tokenizer.next()) != HtmlToken::End;) {
    if (token != HtmlToken::StartTag || !kTags.has(tokenizer.tag())) continue;
    seen.append(to_string(tokenizer.tag()));
    for (std::size_t i = 1; i < static_cast<std::size_t>(HtmlAttribute::Count); ++i) {
      const auto name = static_cast<HtmlAttribute>(i);
      if (!tokenizer.has(name)) continue;
      seen.append(" ").append(to_string(name)).append("=");
      seen.append(tokenizer.value(name, buffer));
    }
    seen.push_back('\n');
  }
  return seen;
}

const Url& page_url() {
  static const Url url = [] {
    Url parsed;
    require(parse_url("http://example.org/d/p.html?q", parsed));
    return parsed;
  }();
  return url;
}

// Opened once, as in real use: opening a charset takes longer than most inputs.
struct Extractor {
  explicit Extractor(const ReadOptions& chosen) : options(chosen) {}

  ReadOptions options;
  Report report;
  HtmlLinkExtractor html{options, report};
  LinkCollector collector{options, report};
};

Extractor& extractor_for(unsigned choice) {
  static std::unique_ptr<Extractor> all[4];
  std::unique_ptr<Extractor>& extractor = all[choice % 4];
  if (extractor == nullptr) {
    ReadOptions options;
    options.kinds = kAllKinds;
    options.with_title = true;
    options.with_anchor_text = options.with_text = (choice & 1) != 0;
    options.with_context = (choice & 2) != 0;
    extractor = std::make_unique<Extractor>(options);
  }
  return *extractor;
}

void check_links(const Capture& capture) {
  require(is_utf8(capture.title) && is_utf8(capture.text));
  for (std::size_t i = 0; i < capture.links.size(); ++i) {
    require(is_utf8(capture.links[i].text) && is_utf8(capture.links[i].context));
    require(!capture.links[i].target.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  // A copy of its own size, so that a read beyond the page is seen.
  const std::vector<char> bytes(data + 1, data + size);
  const std::string_view page(bytes.data(), bytes.size());

  require(wanted_tags(page, HtmlTokenizer::Emit::Wanted) ==
          wanted_tags(page, HtmlTokenizer::Emit::Everything));

  const auto charset =
      static_cast<Charset>((choice >> 2) % (static_cast<unsigned>(Charset::Count) + 1));
  const std::string_view label = charset == Charset::Count ? "" : to_string(charset);
  Extractor& extractor = extractor_for(choice);
  static Capture capture;
  capture.clear();
  extractor.html.extract(page, label, page_url(), capture);
  check_links(capture);

  extractor.collector.begin(page_url(), capture.links);
  add_link_header(page, extractor.collector);
  extractor.collector.end();
  check_links(capture);
  return 0;
}
