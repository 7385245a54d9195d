// SPDX-License-Identifier: Apache-2.0

// The words that a command takes on the command line.
//
//   flags.group("Output");
//   flags.add_option("--top", top, "Print only the N highest scores (default: all)")
//       ->positive()
//       ->type_name("N");
//   flags.add_flag("--json", json, "Print one JSON object per line");
//
// A description says what the option does, its unit, and its default in brackets at the end.
//
// CLI11 does the work behind a face without its templates, which cost ten seconds of compiling for
// each file that sees them: only flags.cpp, help.cpp and program.cpp do.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace webstrata {

// One declared word. Its rules return it again, so that calls can be chained.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}

  Flag* type_name(std::string_view name);  // what --help shows for the value
  Flag* group(std::string_view name);      // instead of the group of the FlagSet
  Flag* required(bool is = true);
  Flag* excludes(Flag* other);
  Flag* needs(Flag* other);
  Flag* expected(int least, int most);   // values
  Flag* repeatable();                    // of a vector: one value each time, any number of times
  Flag* delimiter(char between);         // several values in one word
  Flag* envname(std::string_view name);  // a variable of the environment that may hold it

  Flag* never_configured();  // a file of defaults may not set it

  Flag* positive();
  Flag* within(double low, double high);
  Flag* within(int low, int high);
  Flag* one_of(std::vector<std::string> words);
  // Words that completions offer; others are still accepted.
  Flag* suggests(std::vector<std::string> words);
  // `trouble` says what is wrong with a word, or nothing.
  Flag* check(std::function<std::string(const std::string& word)> trouble);
  // The same, before all other rules.
  Flag* check_first(std::function<std::string(const std::string& word)> trouble);

 private:
  friend class FlagSet;
  CLI::Option* option_;
  std::vector<std::string> words_;  // of one_of and suggests
  bool is_configurable_ = true;
};

// What manual pages and completions say about an option or an argument.
struct FlagFacts {
  std::string short_name;  // "-q"
  std::string name;        // "--quiet"; an argument has no dashes
  std::string value;       // "N"; empty for a flag without a value
  std::string group;
  std::string description;
  std::vector<std::string> words;  // values to offer
  bool is_argument = false;
  bool is_required = false;
  bool is_repeatable = false;
};

struct CommandFacts {
  std::string name;
  std::string summary;
  std::string description;
  std::string group;
  std::vector<FlagFacts> flags;
  std::vector<CommandFacts> below;  // "plan" and "learn" of liverank
};

inline constexpr std::string_view kPlainGroup = "Options";
// Shown last: --help, --threads, --quiet.
inline constexpr std::string_view kGeneralGroup = "General";

// By name, such as "--top".
using GivenFlags = std::map<std::string, std::vector<std::string>>;

// The words of one command.
class FlagSet {
 public:
  explicit FlagSet(CLI::App& app) : app_(&app) {}

  // The heading in --help for the options added from now on. kPlainGroup: those that belong to no
  // other.
  void group(std::string_view name) { group_ = name; }

  // "--name" or "-n,--name"; without dashes it goes by its place. Value is text, a number, an
  // optional of these, or a vector: flags.cpp lists the types at its end.
  template <typename Value>
  Flag* add_option(std::string names, Value& value, std::string description);
  Flag* add_flag(std::string names, bool& value, std::string description);
  // Calls `take` with the value.
  Flag* add_call(std::string names, std::function<void(const std::string&)> take,
                 std::string description);

  // One of several words, each of which stands for a value.
  template <typename Value>
  Flag* add_choice(std::string names, Value& value,
                   const std::vector<std::pair<std::string, Value>>& choices,
                   std::string description) {
    std::vector<std::string> words;
    for (const auto& choice : choices) words.push_back(choice.first);
    const auto take = [&value, choices](std::size_t index) { value = choices[index].second; };
    return add_word(std::move(names), std::move(words), take, std::move(description));
  }

  // One that was added before.
  Flag* option(const std::string& name);
  // A command below this one, such as `liverank plan`.
  FlagSet* add_subcommand(std::string name, std::string summary);
  // Whether the user called this command.
  [[nodiscard]] bool parsed() const;
  // What the user said: the values of every option that was named.
  [[nodiscard]] GivenFlags given() const;
  // The same, and what configure() has set.
  [[nodiscard]] GivenFlags given_or_configured() const;

  // Sets the default of an option, before the words are parsed. `name` is without dashes. False if
  // there is no such option, or if it may not be set so. Throws Error(BadInput) for a bad value.
  bool configure(const std::string& name, const std::vector<std::string>& values);
  // Whether `name`, or an option that cannot be combined with it, is among the words of the command
  // line: then its default does not matter.
  [[nodiscard]] bool is_decided_by(const std::string& name,
                                   const std::vector<std::string>& words) const;
  // Null if there is none of that name.
  FlagSet* below(std::string_view name);
  // What was declared.
  [[nodiscard]] CommandFacts facts() const;

 private:
  Flag* add_word(std::string names, std::vector<std::string> words,
                 std::function<void(std::size_t)> take, std::string description);
  Flag* keep(CLI::Option* option);

  CLI::App* app_;
  std::string group_ = std::string(kPlainGroup);
  std::deque<Flag> flags_;
  std::deque<FlagSet> below_;
  GivenFlags configured_;
};

// The names in a list of entries, for Flag::suggests.
template <typename Entries>
std::vector<std::string> entry_names(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.emplace_back(entry.name);
  return names;
}

}  // namespace webstrata
