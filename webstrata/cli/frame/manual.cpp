// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/generated_test.py.

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/cli/frame/generated.h"

namespace webstrata {
namespace {

// What troff would take for a request, an escape, or a hyphen instead of a minus.
std::string troff(std::string_view text) {
  std::string out;
  bool is_line_start = true;
  for (const char letter : text) {
    if (is_line_start && (letter == '.' || letter == '\'')) out += "\\&";
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else {
      out += letter;
    }
    is_line_start = letter == '\n';
  }
  return out;
}

std::string heading(std::string_view name, std::string_view summary, std::string_view version) {
  std::string upper(name);
  for (char& letter : upper) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return fmt::format(".TH {} 1 \"\" \"webstrata {}\" \"webstrata\"\n.SH NAME\n{} \\- {}\n",
                     troff(upper), version, troff(name), troff(summary));
}

std::string usage(std::string_view program, const CommandFacts& command) {
  std::string out = fmt::format(".SH SYNOPSIS\n.B {}\n[OPTIONS]", troff(program));
  for (const FlagFacts& flag : command.flags) {
    if (!flag.is_argument) continue;
    const std::string word = flag.name + (flag.is_repeatable ? "..." : "");
    out += flag.is_required ? fmt::format(" \\fI{}\\fR", troff(word))
                            : fmt::format(" [\\fI{}\\fR]", troff(word));
  }
  return out + "\n";
}

std::string entry(const FlagFacts& flag) {
  std::string names = flag.is_argument ? fmt::format("\\fI{}\\fR", troff(flag.name))
                                       : fmt::format("\\fB{}\\fR", troff(flag.name));
  if (!flag.short_name.empty()) {
    names = fmt::format("\\fB{}\\fR, {}", troff(flag.short_name), names);
  }
  if (!flag.value.empty()) names += fmt::format(" \\fI{}\\fR", troff(flag.value));
  return fmt::format(".TP\n{}\n{}\n", names, troff(flag.description));
}

std::string options_section(const CommandFacts& command) {
  std::string out;
  for (const FlagFacts& flag : command.flags) {
    if (flag.is_argument) out += entry(flag);
  }
  if (!out.empty()) out.insert(0, ".SH ARGUMENTS\n");
  out += ".SH OPTIONS\n";
  std::vector<std::string> groups;
  for (const FlagFacts& flag : command.flags) {
    const bool is_known = std::ranges::find(groups, flag.group) != groups.end();
    if (!flag.is_argument && !is_known) groups.push_back(flag.group);
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& group) { return group != kGeneralGroup; });
  for (const std::string& group : groups) {
    out += fmt::format(".SS {}\n", troff(group));
    for (const FlagFacts& flag : command.flags) {
      if (!flag.is_argument && flag.group == group) out += entry(flag);
    }
  }
  return out;
}

// Lists and examples keep their lines.
std::string description_section(std::string_view text) {
  if (text.empty()) return "";
  return fmt::format(".SH DESCRIPTION\n.nf\n{}\n.fi\n", troff(text));
}

void add_page(std::vector<GeneratedFile>& pages, const std::string& program,
              const std::string& page, const CommandFacts& command, std::string_view version) {
  std::string see_also = ".SH SEE ALSO\n.BR webstrata (1)";
  for (const CommandFacts& below : command.below) {
    add_page(pages, program + " " + below.name, page + "-" + below.name, below, version);
    see_also += fmt::format(",\n.BR {} (1)", troff(page + "-" + below.name));
  }
  pages.push_back({fmt::format("man/man1/{}.1", page),
                   heading(page, command.summary, version) + usage(program, command) +
                       description_section(command.description) + options_section(command) +
                       see_also + "\n"});
}

std::string overview(const std::vector<CommandFacts>& commands, std::string_view version) {
  std::string out = heading("webstrata", "a memory for web crawls", version) +
                    ".SH SYNOPSIS\n.B webstrata\n\\fICOMMAND\\fR [OPTIONS] ...\n.br\n"
                    ".B webstrata\n\\-\\-help | \\-\\-version\n.SH COMMANDS\n";
  std::string group;
  for (const CommandFacts& command : commands) {
    if (command.group != group) out += fmt::format(".SS {}\n", troff(command.group));
    group = command.group;
    out += fmt::format(".TP\n.BR webstrata\\-{} (1)\n{}\n", troff(command.name),
                       troff(command.summary));
  }
  return out +
         ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrint help\n"
         ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nPrint the version\n"
         ".SH EXIT STATUS\n0 done, 1 nothing found, 2 failed.\n";
}

}  // namespace

std::vector<GeneratedFile> manual_pages(const std::vector<CommandFacts>& commands,
                                        std::string_view version) {
  std::vector<GeneratedFile> pages = {{"man/man1/webstrata.1", overview(commands, version)}};
  for (const CommandFacts& command : commands) {
    add_page(pages, "webstrata " + command.name, "webstrata-" + command.name, command, version);
  }
  return pages;
}

std::vector<GeneratedFile> generated_files(const std::vector<CommandFacts>& commands,
                                           std::string_view version) {
  std::vector<GeneratedFile> files = manual_pages(commands, version);
  files.push_back({"bash-completion/completions/webstrata", bash_completion(commands)});
  files.push_back({"zsh/site-functions/_webstrata", zsh_completion(commands)});
  files.push_back({"fish/vendor_completions.d/webstrata.fish", fish_completion(commands)});
  return files;
}

}  // namespace webstrata
