// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/help_test.py.

#include "webstrata/cli/frame/help.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "webstrata/cli/frame/flags.h"

namespace webstrata {
namespace {

constexpr std::size_t kDescriptionColumn = 28;
constexpr std::size_t kColumnsMax = 100;

// `left`, and `text` in a column to its right.
std::string two_columns(const std::string& left, std::string_view text) {
  const std::string margin(kDescriptionColumn, ' ');
  std::string out = "  " + left;
  std::size_t column = out.size();
  if (column + 2 > kDescriptionColumn) {
    out += "\n" + margin;
  } else {
    out.append(kDescriptionColumn - column, ' ');
  }
  column = kDescriptionColumn;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    const bool is_first = column == kDescriptionColumn;
    if (!is_first && column + 1 + word.size() > kColumnsMax) {
      out += "\n" + margin;
      column = kDescriptionColumn;
    } else if (!is_first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return out + "\n";
}

std::string left_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
  names += "--" + option.get_lnames().front();
  const bool takes_value = option.get_type_size() != 0 && option.get_expected_max() > 0;
  return takes_value ? names + " " + option.get_type_name() : names;
}

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { label("SUBCOMMAND", "COMMAND"); }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode /*mode*/) const override {
    const bool has_commands = !app->get_subcommands({}).empty();
    std::string out = make_description(app) + make_usage(app, std::move(name));
    out += options_text("Arguments", app->get_options([](const CLI::Option* option) {
      return option->get_positional();
    }));
    for (const std::string& group : groups_of(*app)) {
      out += options_text(group, app->get_options([&group](const CLI::Option* option) {
        return option->get_group() == group && !option->get_positional();
      }));
    }
    if (has_commands) out += commands_text(*app);
    const std::string footer = make_footer(app);
    return footer.empty() ? out : out + "\n" + footer;
  }

 private:
  // In the order of declaration, the general ones last.
  static std::vector<std::string> groups_of(const CLI::App& app) {
    std::vector<std::string> groups = app.get_groups();
    std::stable_partition(groups.begin(), groups.end(),
                          [](const std::string& group) { return group != kGeneralGroup; });
    return groups;
  }

  static std::string options_text(const std::string& heading,
                                  const std::vector<const CLI::Option*>& options) {
    if (options.empty()) return "";
    std::string out = fmt::format("\n{}:\n", heading);
    for (const CLI::Option* option : options) {
      out += two_columns(left_of(*option), option->get_description());
    }
    return out;
  }

  static std::string commands_text(const CLI::App& app) {
    std::string out;
    std::string group;
    for (const CLI::App* command : app.get_subcommands({})) {
      if (command->get_group() != group) out += fmt::format("\n{}:\n", command->get_group());
      group = command->get_group();
      out += two_columns(command->get_name(), command->get_description());
    }
    return out;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace webstrata
