// SPDX-License-Identifier: Apache-2.0

// Answers URL questions line by line, so that tests in other languages can compare our answers with
// those of other tools. Fields are hexadecimal, since they may hold any byte.
//
//   resolve BASE REFERENCE   the href, or "-" if it is a failure; BASE may be empty
//   fold DIALECT URL         the key of that dialect, hexadecimal (DIALECT in plain letters)

#include <fmt/format.h>

#include <iostream>
#include <sstream>
#include <string>

#include "webstrata/url/dialect.h"
#include "webstrata/url/url.h"

namespace {

std::string from_hex(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 1; i + 1 < text.size(); i += 2) {  // a leading 'x' marks the empty field
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

std::string to_hex(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::string resolved(const std::string& base_text, const std::string& reference) {
  webstrata::Url base;
  webstrata::Url url;
  if (base_text.empty())
    return webstrata::parse_url(reference, url) ? std::string(url.href()) : "-";
  if (!webstrata::parse_url(base_text, base)) return "-";
  return webstrata::resolve_url(base, reference, url) ? std::string(url.href()) : "-";
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream fields(line);
    std::string verb;
    std::string first;
    std::string second;
    fields >> verb >> first >> second;
    if (verb == "resolve") std::cout << resolved(from_hex(first), from_hex(second)) << '\n';
    if (verb == "fold") {
      std::cout << to_hex(
                       webstrata::fold(webstrata::parse_dialect(first).value(), from_hex(second)))
                << '\n';
    }
  }
}
