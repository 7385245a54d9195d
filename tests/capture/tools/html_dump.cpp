// SPDX-License-Identifier: Apache-2.0

// For html_differential_test.py: reads pages (u32 little-endian length + bytes) on standard input
// and prints, per page, one line per reference attribute of a start tag, in order:
//
//   tag TAB attribute TAB value, with \ \n \t escaped
//
// and after each page "=anchor" TAB text for every link a reader can follow, "=title" TAB title,
// and "=end".

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "webstrata/capture/html/html_references.h"

namespace {

using webstrata::HtmlAttribute;
using webstrata::HtmlTag;
using webstrata::HtmlToken;

std::string read_all() {
  std::string bytes;
  char chunk[1 << 16];
  std::size_t size = 0;
  while ((size = std::fread(chunk, 1, sizeof chunk, stdin)) > 0) bytes.append(chunk, size);
  return bytes;
}

void append_escaped(std::string_view value, std::string& out) {
  for (const char c : value) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out.push_back(c);
    }
  }
}

void dump_anchors(std::string_view page, std::string& out) {
  webstrata::ReadOptions options;
  options.kinds = webstrata::LinkKind::Navigation;
  options.with_anchor_text = true;
  webstrata::HtmlReferences references(options);
  references.read(page, true);
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (references[i].kinds.has(webstrata::LinkKind::Refresh)) continue;
    out.append("=anchor\t");
    append_escaped(references[i].text, out);
    out.push_back('\n');
  }
}

// Every known tag and attribute, also those of no interest to links: more to compare.
void dump(std::string_view page, std::string& out) {
  webstrata::HtmlTagSet tags;
  for (std::size_t i = 1; i < static_cast<std::size_t>(HtmlTag::Count); ++i) {
    tags.insert(static_cast<HtmlTag>(i));
  }
  webstrata::HtmlTokenizer tokenizer;
  webstrata::FoldedText title;
  bool has_title = false;
  std::string buffer;
  tokenizer.begin(page, tags, webstrata::HtmlTokenizer::Emit::Wanted);
  for (HtmlToken token; (token = tokenizer.next()) != HtmlToken::End;) {
    if (token == HtmlToken::Text) {
      if (!has_title) title.append(tokenizer.text(), true);
      has_title = true;
      continue;
    }
    for (std::size_t i = 1; i < static_cast<std::size_t>(HtmlAttribute::Count); ++i) {
      const auto name = static_cast<HtmlAttribute>(i);
      if (!tokenizer.has(name)) continue;
      out.append(to_string(tokenizer.tag())).append("\t").append(to_string(name)).append("\t");
      append_escaped(tokenizer.value(name, buffer), out);
      out.push_back('\n');
    }
  }
  dump_anchors(page, out);
  out.append("=title\t");
  append_escaped(title.text(), out);
  out.append("\n=end\n");
}

}  // namespace

int main() {
  const std::string input = read_all();
  std::string_view rest = input;
  std::string out;
  while (rest.size() >= 4) {
    std::uint32_t size = 0;
    std::memcpy(&size, rest.data(), 4);
    const std::string_view page = rest.substr(4, size);
    dump(page, out);
    rest.remove_prefix(4 + page.size());
    std::fwrite(out.data(), 1, out.size(), stdout);
    out.clear();
  }
  return 0;
}
