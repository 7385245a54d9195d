// SPDX-License-Identifier: Apache-2.0

// Completions offer commands, options and the words of options that have a fixed list; elsewhere
// they offer files. Tested by tests/cli/generated_test.py.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "webstrata/cli/frame/generated.h"

namespace webstrata {
namespace {

// "liverank" and "liverank plan", each with its flags.
struct CompletedCommand {
  std::string words;
  const CommandFacts* facts;
};

void add_commands(std::vector<CompletedCommand>& all, const CommandFacts& command,
                  const std::string& before) {
  const std::string words = before.empty() ? command.name : before + " " + command.name;
  all.push_back({words, &command});
  for (const CommandFacts& below : command.below) add_commands(all, below, words);
}

std::vector<CompletedCommand> completed(const std::vector<CommandFacts>& commands) {
  std::vector<CompletedCommand> all;
  for (const CommandFacts& command : commands) add_commands(all, command, "");
  return all;
}

std::vector<std::string> names_of(const std::vector<CommandFacts>& commands) {
  std::vector<std::string> names;
  for (const CommandFacts& command : commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> option_words(const CommandFacts& command) {
  std::vector<std::string> words;
  for (const FlagFacts& flag : command.flags) {
    if (flag.is_argument) continue;
    if (!flag.short_name.empty()) words.push_back(flag.short_name);
    words.push_back(flag.name);
  }
  return words;
}

// For a text between single quotes in every shell: quotes become typographic ones, which need no
// escapes.
std::string quotable(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\'') {
      out += "’";
    } else if (letter == '\\') {
      out += "/";
    } else {
      out += letter;
    }
  }
  return out;
}

// In an _arguments specification of zsh, brackets and colons have a meaning.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char letter : quotable(text)) {
    if (letter == '[' || letter == ']' || letter == ':') out += '\\';
    out += letter;
  }
  return out;
}

std::string zsh_argument(const FlagFacts& flag) {
  std::string action = "_files";
  if (!flag.words.empty()) action = fmt::format("({})", fmt::join(flag.words, " "));
  return fmt::format(":{}:{}", zsh_text(flag.value.empty() ? flag.name : flag.value), action);
}

std::string zsh_flag(const FlagFacts& flag) {
  const std::string value = flag.value.empty() ? "" : zsh_argument(flag);
  const std::string rest = fmt::format("[{}]{}", zsh_text(flag.description), value);
  const std::string often = flag.is_repeatable ? "*" : "";
  std::string out = fmt::format("        '{}{}{}'", often, flag.name, rest);
  if (!flag.short_name.empty()) {
    out = fmt::format("        '{}{}{}' \\\n{}", often, flag.short_name, rest, out);
  }
  return out;
}

}  // namespace

std::string bash_completion(const std::vector<CommandFacts>& commands) {
  std::string out = fmt::format(
      "# bash completion for webstrata; generated from its flag lists.\n"
      "_webstrata() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local command=${{COMP_WORDS[1]}} options='' words=''\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"$command ${{COMP_WORDS[2]}}\" in\n",
      fmt::join(names_of(commands), " "));
  for (const CommandFacts& command : commands) {
    for (const CommandFacts& below : command.below) {
      out += fmt::format("    '{0} {1}') ((COMP_CWORD > 2)) && command='{0} {1}' ;;\n",
                         command.name, below.name);
    }
  }
  out += "  esac\n  case \"$command\" in\n";
  for (const CompletedCommand& command : completed(commands)) {
    out += fmt::format("    '{}')\n      options='{}'\n", command.words,
                       fmt::join(option_words(*command.facts), " "));
    if (!command.facts->below.empty()) {
      out += fmt::format("      ((COMP_CWORD == 2)) && words='{}'\n",
                         fmt::join(names_of(command.facts->below), " "));
    }
    out += "      case \"$previous\" in\n";
    for (const FlagFacts& flag : command.facts->flags) {
      if (flag.words.empty()) continue;
      out += fmt::format("        {}) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n",
                         flag.name, fmt::join(flag.words, " "));
    }
    out += "      esac ;;\n";
  }
  return out +
         "  esac\n"
         "  if [[ $current == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\") $(compgen -f -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _webstrata webstrata\n";
}

std::string zsh_completion(const std::vector<CommandFacts>& commands) {
  std::string out =
      "#compdef webstrata\n# zsh completion for webstrata; generated from its flag lists.\n"
      "_webstrata() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const CommandFacts& command : commands) {
    out += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.summary));
  }
  out +=
      "  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe 'command' commands\n"
      "    _arguments '(- *)'{-h,--help}'[Print help]' '(- *)'{-V,--version}'[Print the version]'\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  case \"$words[2] $words[3]\" in\n";
  for (const CommandFacts& command : commands) {
    for (const CommandFacts& below : command.below) {
      out += fmt::format("    '{0} {1}') command='{0} {1}' ;;\n", command.name, below.name);
    }
  }
  out += "  esac\n  case \"$command\" in\n";
  for (const CompletedCommand& command : completed(commands)) {
    out += fmt::format("    '{}')\n      _arguments \\\n", command.words);
    for (const FlagFacts& flag : command.facts->flags) {
      if (!flag.is_argument) out += zsh_flag(flag) + " \\\n";
    }
    out += "        '*: :_files' ;;\n";
  }
  return out + "  esac\n}\n_webstrata \"$@\"\n";
}

std::string fish_completion(const std::vector<CommandFacts>& commands) {
  std::string out = "# fish completion for webstrata; generated from its flag lists.\n";
  for (const CommandFacts& command : commands) {
    out += fmt::format("complete -c webstrata -n __fish_use_subcommand -f -a {} -d '{}'\n",
                       command.name, quotable(command.summary));
  }
  out +=
      "complete -c webstrata -n __fish_use_subcommand -s h -l help -d 'Print help'\n"
      "complete -c webstrata -n __fish_use_subcommand -s V -l version -d 'Print the version'\n";
  for (const CompletedCommand& command : completed(commands)) {
    std::string seen;
    for (std::string_view rest = command.words; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      seen += fmt::format("{}__fish_seen_subcommand_from {}", seen.empty() ? "" : "; and ", word);
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
    for (const CommandFacts& below : command.facts->below) {
      out += fmt::format("complete -c webstrata -n '{}' -a {} -d '{}'\n", seen, below.name,
                         quotable(below.summary));
    }
    for (const FlagFacts& flag : command.facts->flags) {
      if (flag.is_argument) continue;
      out += fmt::format("complete -c webstrata -n '{}' -l {}", seen, flag.name.substr(2));
      if (!flag.short_name.empty()) out += fmt::format(" -s {}", flag.short_name.substr(1));
      if (!flag.words.empty()) {
        out += fmt::format(" -x -a '{}'", fmt::join(flag.words, " "));
      } else if (!flag.value.empty()) {
        out += " -r";
      }
      out += fmt::format(" -d '{}'\n", quotable(flag.description));
    }
  }
  return out;
}

}  // namespace webstrata
