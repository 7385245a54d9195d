// SPDX-License-Identifier: Apache-2.0

// The user's configuration file: defaults for options.
//
//   threads = 4                # for every command that has --threads
//   agent = "my-archive (me@archive.example)"
//   [export]                   # for one command
//   key = ia
//   [liverank plan]
//   tests = 500
//
// A name is that of an option without its dashes; for options that may be repeated the line is,
// too. Options without a value are true or false. A line that begins with # is a comment.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

struct ConfigEntry {
  std::string section;  // empty: for all commands
  std::string name;
  std::string value;
  std::size_t line = 0;  // from 1

  friend bool operator==(const ConfigEntry&, const ConfigEntry&) = default;
};

// WEBSTRATA_CONFIG if it is set (empty: none), else webstrata/config in XDG_CONFIG_HOME or
// ~/.config. Empty if there is no such place.
std::filesystem::path config_path();

// Throws Error(BadInput), with the number of the line, for what has neither form. `name` is for
// messages.
std::vector<ConfigEntry> parse_config(std::string_view text, const std::string& name);

// The entries of config_path(); none if there is no such file.
std::vector<ConfigEntry> load_config();

}  // namespace webstrata
