// SPDX-License-Identifier: Apache-2.0

// Only the flags of the named command are declared, the first Ctrl-C asks for an orderly end and
// the second ends at once, and every exception becomes one line on standard error and exit code 2.
// Messages of CLI11 are replaced where they would not help the user.
// Tested by tests/cli/bad_use_test.py, tests/cli/help_test.py and
// tests/base/short_memory_test.py.

#include "webstrata/cli/frame/program.h"

#include <cxxabi.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "webstrata/base/broken_pipe.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/printable.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/config.h"
#include "webstrata/cli/frame/did_you_mean.h"
#include "webstrata/cli/frame/generated.h"
#include "webstrata/cli/frame/help.h"

#ifndef WEBSTRATA_VERSION
#define WEBSTRATA_VERSION "unknown"
#endif

namespace webstrata {
namespace {

CancelToken interrupted;

// The first signal asks for an orderly end, the second one ends at once.
void on_signal(int signal) {
  if (interrupted.cancelled()) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  interrupted.cancel();
}

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe becomes an error of write()
  std::signal(SIGXFSZ, SIG_IGN);  // so does a file beyond `ulimit -f`
}

void put_on_standard_error(std::string_view text) {
  const auto ignored = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);  // there is no caller to report it to
}

int exit_code(ExitCode code) { return static_cast<int>(code); }

// The command that the user called: `webstrata`, `webstrata liverank` or `webstrata liverank plan`.
struct NamedCommand {
  const CLI::App* app;
  std::string name;
};

NamedCommand named_command(const CLI::App& app) {
  NamedCommand named{&app, app.get_name()};
  while (!named.app->get_subcommands().empty()) {
    named.app = named.app->get_subcommands().front();
    named.name += " " + named.app->get_name();
  }
  return named;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// What CLI11 says, except where it speaks of the wrong thing or offers no help.
std::string usage_message(const CLI::App& app, const NamedCommand& named,
                          const CLI::ParseError& error) {
  for (const std::string& word : app.remaining(true)) {
    if (!word.starts_with('-') || word == "--") continue;
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("{}: no such option{}", name, did_you_mean(name, option_names(*named.app)));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return fmt::format("{}: unexpected argument", app.remaining(true).front());
  }
  const bool is_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  return is_missing && named.app == &app ? "a command is missing" : error.what();
}

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const bool is_request = error.get_exit_code() == 0;  // --help, --version
  if (is_request) return app.exit(error);
  const NamedCommand named = named_command(app);
  complain(fmt::format("{} (see {} --help)", usage_message(app, named, error), named.name),
           Tone::Error);
  return exit_code(ExitCode::Failed);
}

// CLI11 would only say that a command is missing.
void refuse_unknown_command(std::string_view word) {
  if (word.starts_with('-')) return;
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  if (std::ranges::find(names, word) != names.end()) return;
  throw Error(ErrorKind::BadInput, fmt::format("{}: no such command{} (see webstrata --help)", word,
                                               did_you_mean(word, names)));
}

}  // namespace

const CancelToken& interruption() { return interrupted; }

void complain(std::string_view message, Tone tone) {
  const std::string name = coloured("webstrata:", tone, STDERR_FILENO);
  put_on_standard_error(fmt::format("{} {}\n", name, printable(message)));
}

void say(std::string_view text) { put_on_standard_error(printable(text) + '\n'); }

void say_lines(std::string_view lines) {
  put_on_standard_error(printable(lines, {.keep_columns = true}));
}

namespace {

void describe(CLI::App& app) {
  app.set_version_flag("-V,--version", "webstrata " WEBSTRATA_VERSION, "Print the version");
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  app.formatter(help_formatter());
  app.set_help_flag("-h,--help", "Print this help");
  app.footer(
      "webstrata COMMAND --help describes a command.\n"
      "Exit: 0 done, 1 nothing found, 2 failed.");
}

CLI::App* add_command(CLI::App& app, const Command& command) {
  CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
  sub->group(std::string(command.group));
  sub->footer(std::string(command.description));
  sub->get_help_ptr()->group(std::string(kGeneralGroup));
  return sub;
}

// Those of the commands below it, too.
void declare_common_of(FlagSet& flags) {
  declare_common(flags);
  for (const std::string_view name : {"plan", "learn"}) {
    if (FlagSet* below = flags.below(name)) declare_common(*below);
  }
}

// Whether any command has this option. All flags of all commands are declared for this answer.
bool is_option_of_a_command(const std::string& name) {
  CLI::App app("", "webstrata");
  std::deque<FlagSet> flag_sets;
  for (const Command& command : commands()) {
    CLI::App* sub = add_command(app, command);
    command.declare(flag_sets.emplace_back(*sub));
    if (sub->get_option_no_throw("--" + name) != nullptr) return true;
  }
  return false;
}

// The defaults of the command, or of the one below it that `words` name.
void configure(FlagSet& flags, const Command& command, const std::vector<std::string>& words) {
  const auto asks_for_help = [](const std::string& word) {
    return word == "-h" || word == "--help";
  };
  if (std::ranges::any_of(words, asks_for_help)) return;  // a bad file must not keep it away
  choose_config(words);
  FlagSet* below = words.empty() ? nullptr : flags.below(words.front());
  const std::string name =
      below == nullptr ? std::string(command.name) : fmt::format("{} {}", command.name, words[0]);
  apply_config(below == nullptr ? flags : *below, name, words, is_option_of_a_command);
}

// `webstrata --generate FOLDER`, for the build: manual pages and completions.
int generate(const std::filesystem::path& folder) {
  CLI::App app("", "webstrata");
  std::deque<FlagSet> flag_sets;
  std::vector<CommandFacts> all;
  for (const Command& command : commands()) {
    FlagSet& flags = flag_sets.emplace_back(*add_command(app, command));
    command.declare(flags);
    declare_common_of(flags);
    all.push_back(flags.facts());
  }
  for (const GeneratedFile& file : generated_files(all, WEBSTRATA_VERSION)) {
    const std::filesystem::path path = folder / file.path;
    std::filesystem::create_directories(path.parent_path());
    FileWriter writer = FileWriter::create(path);
    writer.write(file.text);
    writer.commit();
  }
  return exit_code(ExitCode::Done);
}

constexpr std::string_view kOutOfMemory = "webstrata: out of memory; use fewer --threads\n";

bool has_memory_for_an_exception() noexcept {
  void* const memory = std::malloc(std::size_t{1} << 12);
  std::free(memory);
  return memory != nullptr;
}

// Where std::bad_alloc cannot be thrown (no memory for the exception itself) or passes through a
// library's noexcept. The files are left as after a kill, which the next run repairs. Everything
// else that comes here is a bug of ours and aborts as usual.
[[noreturn]] void end_at_once() noexcept {
  const std::type_info* thrown = abi::__cxa_current_exception_type();
  const bool is_memory = thrown != nullptr
                             ? *thrown == typeid(std::bad_alloc)
                             : std::uncaught_exceptions() > 0 || !has_memory_for_an_exception();
  if (!is_memory) std::abort();
  put_on_standard_error(kOutOfMemory);
  ::_exit(exit_code(ExitCode::Failed));
}

// Before main and before other constructors: those of CLI11's validators allocate.
[[gnu::constructor(101)]] void watch_for_the_end() { std::set_terminate(end_at_once); }

// Only the flags of the named command are declared: declaring all takes longer than starting the
// program (docs/decisions/017-start-up.md).
int parse_and_run(int argument_count, char** arguments) {
  const std::string_view word = argument_count > 1 ? arguments[1] : "";
  if (word == "--generate" && argument_count == 3) return generate(arguments[2]);
  CLI::App app("webstrata: a memory for web crawls.", "webstrata");
  describe(app);
  ExitCode result = ExitCode::Done;
  std::deque<FlagSet> flag_sets;  // live as long as what is parsed with them
  for (const Command& command : commands()) {
    CLI::App* sub = add_command(app, command);
    if (command.name != word) continue;
    FlagSet& flags = flag_sets.emplace_back(*sub);
    const auto run = command.declare(flags);
    declare_common_of(flags);
    configure(flags, command, {arguments + 2, arguments + argument_count});
    sub->callback([run, &result] { result = run(); });
  }
  try {
    if (!word.empty()) refuse_unknown_command(word);
    app.parse(argument_count, arguments);
    return exit_code(result);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error);
  }
}

}  // namespace

int run_program(int argument_count, char** arguments) {
  hold_standard_streams();
  catch_signals();
  interrupt_files_by(&interrupted);
  try {
    try {
      return parse_and_run(argument_count, arguments);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const BrokenPipe&) {  // `| head` has what it wants
      return exit_code(ExitCode::Done);
    } catch (const std::exception& error) {
      complain(error.what(), Tone::Error);
    }
  } catch (const std::bad_alloc&) {  // also where there is no memory left to print an error
    put_on_standard_error(kOutOfMemory);
  }
  return exit_code(ExitCode::Failed);
}

}  // namespace webstrata
