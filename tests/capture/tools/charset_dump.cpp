// SPDX-License-Identifier: Apache-2.0

// For charset_differential_test.py: each line of standard input is "label hex"; the answer is a
// line with the bytes decoded to UTF-8, in hex, or "-" for an unknown label.

#include <iostream>
#include <sstream>
#include <string>

#include <fmt/core.h>

#include "webstrata/capture/html/charset_converter.h"

int main() {
  webstrata::CharsetConverter converter;
  std::string line;
  std::string buffer;
  while (std::getline(std::cin, line)) {
    std::istringstream fields(line);
    std::string label;
    std::string hex;
    fields >> label >> hex;
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
      bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    const auto charset = webstrata::charset_of_label(label);
    std::string answer = charset ? "" : "-";
    if (charset) {
      for (const char c : converter.to_utf8(bytes, *charset, buffer)) {
        answer += fmt::format("{:02x}", static_cast<unsigned char>(c));
      }
    }
    std::cout << answer << '\n';
  }
  return 0;
}
