// Tested by tests/cli/bad_use_test.py.

#include "webstrata/cli/frame/program.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <exception>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/printable.h"
#include "webstrata/cli/frame/command.h"

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

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const bool is_request = error.get_exit_code() == 0;  // --help, --version
  if (is_request) return app.exit(error);
  const CLI::App* place = &app;
  for (const CLI::App* command : app.get_subcommands()) place = command;
  complain(fmt::format("{} (see {} --help)", error.what(),
                       place == &app ? "webstrata" : "webstrata " + place->get_name()));
  return exit_code(ExitCode::Failed);
}

// CLI11 would only say that a command is missing.
void refuse_unknown_command(std::string_view word) {
  if (word.starts_with('-')) return;
  if (std::ranges::find(commands(), word, &Command::name) != commands().end()) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: there is no such command (see webstrata --help)", word));
}

}  // namespace

const CancelToken& interruption() { return interrupted; }

void complain(std::string_view message) { say(fmt::format("webstrata: {}", message)); }

void say(std::string_view text) { put_on_standard_error(printable(text) + '\n'); }

void say_lines(std::string_view lines) {
  put_on_standard_error(printable(lines, {.keep_columns = true}));
}

namespace {

// Declaring the flags of all commands takes longer than starting the program
// (docs/decisions/017-start-up.md), so only commands that may be meant are declared.
bool is_among(std::string_view name, int argument_count, char** arguments) {
  return std::find(arguments, arguments + argument_count, name) != arguments + argument_count;
}

int parse_and_run(int argument_count, char** arguments) {
  CLI::App app("webstrata: a memory for web crawls.", "webstrata");
  app.set_version_flag("--version", "webstrata " WEBSTRATA_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  ExitCode result = ExitCode::Done;
  std::deque<FlagSet> flag_sets;  // live as long as what is parsed with them
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    sub->footer(std::string(command.description));
    if (!is_among(command.name, argument_count, arguments)) continue;
    const auto run = command.declare(flag_sets.emplace_back(*sub));
    sub->callback([run, &result] { result = run(); });
  }
  try {
    if (argument_count > 1) refuse_unknown_command(arguments[1]);
    app.parse(argument_count, arguments);
    return exit_code(result);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error);
  }
}

}  // namespace

int run_program(int argument_count, char** arguments) {
  catch_signals();
  try {
    return parse_and_run(argument_count, arguments);
  } catch (const Error& error) {
    complain(error.what());
  } catch (const std::bad_alloc&) {
    complain("out of memory; fewer --threads need less");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return exit_code(ExitCode::Failed);
}

}  // namespace webstrata
