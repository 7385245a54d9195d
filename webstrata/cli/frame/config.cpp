// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/config_test.py.

#include "webstrata/cli/frame/config.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/did_you_mean.h"
#include "webstrata/words/config_file.h"

namespace webstrata {
namespace {

constexpr const char* kVariable = "WEBSTRATA_CONFIG";

// "probe", "liverank plan".
bool is_command(const std::string& section) {
  const std::string first = section.substr(0, section.find(' '));
  return std::ranges::any_of(commands(), [&](const Command& one) { return one.name == first; });
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

[[noreturn]] void refuse_at(const ConfigEntry& entry, const std::string& message) {
  refuse(fmt::format("{}:{}: {}", config_path().string(), entry.line, message));
}

// The environment is asked before the file.
bool is_in_environment(const std::string& name) {
  return name == "agent" && std::getenv("WEBSTRATA_AGENT") != nullptr;
}

// The entries for one command by name: those of its own section replace those for all.
std::map<std::string, std::vector<ConfigEntry>> entries_of(const std::vector<ConfigEntry>& all,
                                                           const std::string& command) {
  std::map<std::string, std::vector<ConfigEntry>> found;
  for (const ConfigEntry& entry : all) {
    if (!entry.section.empty() && entry.section != command) continue;
    auto& entries = found[entry.name];
    const bool is_nearer = !entries.empty() && entries.front().section != entry.section;
    if (is_nearer && entry.section.empty()) continue;
    if (is_nearer) entries.clear();
    entries.push_back(entry);
  }
  return found;
}

}  // namespace

void declare_common(FlagSet& flags) {
  flags.group(kGeneralGroup);
  const auto take = [](const std::string& word) {
    set_colour(word == "always"  ? ColourWish::Always
               : word == "never" ? ColourWish::Never
                                 : ColourWish::Auto);
  };
  flags
      .add_call("--color", take,
                "Colour headers, errors and warnings: auto, always or never "
                "(default auto: on a terminal, unless NO_COLOR is set)")
      ->one_of({"auto", "always", "never"})
      ->type_name("WHEN");
  const auto ignore = [](const std::string&) {};  // choose_config() has read it
  Flag* file =
      flags.add_call("--config", ignore,
                     "Read defaults of options from FILE (default ~/.config/webstrata/config)");
  file->type_name("FILE")->never_configured();
  static bool no_config = false;  // read by choose_config(), too
  flags.add_flag("--no-config", no_config, "Read no defaults from a file")
      ->never_configured()
      ->excludes(file);
}

void choose_config(const std::vector<std::string>& words) {
  constexpr std::string_view kConfig = "--config";
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] == "--no-config") ::setenv(kVariable, "", 1);
    std::string file;
    if (words[i] == kConfig && i + 1 < words.size()) file = words[i + 1];
    if (words[i].starts_with("--config=")) file = words[i].substr(kConfig.size() + 1);
    if (file.empty()) continue;
    if (!std::filesystem::is_regular_file(file)) {
      throw Error(ErrorKind::NotFound, fmt::format("--config {}: there is no such file", file));
    }
    ::setenv(kVariable, file.c_str(), 1);
  }
}

void apply_config(FlagSet& flags, const std::string& name, const std::vector<std::string>& words,
                  const std::function<bool(const std::string&)>& is_known) {
  const std::vector<ConfigEntry> all = load_config();
  for (const ConfigEntry& entry : all) {
    if (entry.section.empty() || is_command(entry.section)) continue;
    refuse_at(entry, fmt::format("[{}]: no such command{}", entry.section,
                                 did_you_mean(entry.section, command_names())));
  }
  for (const auto& [key, entries] : entries_of(all, name)) {
    if (flags.is_decided_by(key, words) || is_in_environment(key)) continue;
    std::vector<std::string> values;
    for (const ConfigEntry& entry : entries) values.push_back(entry.value);
    const ConfigEntry& last = entries.back();
    try {
      if (flags.configure(key, values)) continue;
    } catch (const Error& error) {
      refuse_at(last, error.what());
    }
    if (!last.section.empty()) {
      refuse_at(last,
                fmt::format("{}: {} has no such option, or a file may not set it", key, name));
    }
    if (!is_known(key)) refuse_at(last, fmt::format("{}: no command has such an option", key));
  }
}

}  // namespace webstrata
