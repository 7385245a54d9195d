// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/config_file_test.cpp and tests/cli/config_test.py.

#include "webstrata/words/config_file.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "webstrata/base/environment.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/text.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

std::string_view without_quotes(std::string_view text) {
  const bool is_quoted = text.size() > 1 && text.front() == text.back() &&
                         (text.front() == '"' || text.front() == '\'');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

fs::path config_path() {
  if (const char* file = std::getenv("WEBSTRATA_CONFIG")) return file;
  const std::string folder = environment("XDG_CONFIG_HOME");
  if (!folder.empty()) return fs::path(folder) / "webstrata" / "config";
  const std::string home = environment("HOME");
  return home.empty() ? fs::path() : fs::path(home) / ".config" / "webstrata" / "config";
}

std::vector<ConfigEntry> parse_config(std::string_view text, const std::string& name) {
  std::vector<ConfigEntry> entries;
  std::string section;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(whole.size() + 1, text.size()));
    const std::string_view line = trim(whole);
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[' && line.back() == ']') {
      section = trim(line.substr(1, line.size() - 2));
      continue;
    }
    const std::size_t equals = line.find('=');
    std::string_view key = trim(line.substr(0, equals));
    while (key.starts_with('-')) key.remove_prefix(1);
    if (equals == std::string_view::npos || key.empty()) {
      refuse(fmt::format("{}:{}: not `name = value` and not `[command]`: {}", name, number, line));
    }
    entries.push_back({section, std::string(key),
                       std::string(without_quotes(trim(line.substr(equals + 1)))), number});
  }
  return entries;
}

std::vector<ConfigEntry> load_config() {
  const fs::path path = config_path();
  std::error_code unreadable;  // a folder of another user has no file for this one
  if (path.empty() || !fs::exists(path, unreadable)) return {};
  return parse_config(read_file(path), path.string());
}

}  // namespace webstrata
