// SPDX-License-Identifier: Apache-2.0

// A thin layer over CLI11: each function forwards to one of its options and returns itself for
// chaining. What help and completions need (names, values, groups, words) is read back from CLI11
// in facts().
// Tested by every script in tests/cli.

#include "webstrata/cli/frame/flags.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// Empty: it is among them, and all is well.
std::string not_among(const std::vector<std::string>& words, const std::string& word) {
  if (std::ranges::find(words, word) != words.end()) return "";
  return fmt::format("{} is not one of {}", word, fmt::join(words, ", "));
}

FlagFacts facts_of(const CLI::Option& option) {
  FlagFacts facts;
  facts.is_argument = option.get_positional();
  facts.name = facts.is_argument ? option.get_name(true) : "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) facts.short_name = "-" + option.get_snames().front();
  const bool takes_value = option.get_type_size() != 0 && option.get_expected_max() > 0;
  if (!facts.is_argument && takes_value) facts.value = option.get_type_name();
  facts.group = option.get_group();
  facts.description = option.get_description();
  facts.is_required = option.get_required();
  facts.is_repeatable = option.get_expected_max() == CLI::detail::expected_max_vector_size ||
                        option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return facts;
}

}  // namespace

// An empty description keeps a rule out of --help, where the words say it better.
Flag* Flag::type_name(std::string_view name) {
  option_->type_name(std::string(name));
  return this;
}

Flag* Flag::group(std::string_view name) {
  option_->group(std::string(name));
  return this;
}

Flag* Flag::required(bool is) {
  option_->required(is);
  return this;
}

Flag* Flag::excludes(Flag* other) {
  option_->excludes(other->option_);
  return this;
}

Flag* Flag::needs(Flag* other) {
  option_->needs(other->option_);
  return this;
}

Flag* Flag::expected(int least, int most) {
  option_->expected(least, most);
  return this;
}

Flag* Flag::repeatable() {
  option_->expected(1)->take_all()->allow_extra_args(false);
  return this;
}
Flag* Flag::delimiter(char between) {
  option_->delimiter(between);
  return this;
}

Flag* Flag::envname(std::string_view name) {
  option_->envname(std::string(name));
  return this;
}

Flag* Flag::never_configured() {
  is_configurable_ = false;
  return this;
}

Flag* Flag::positive() {
  option_->check(CLI::PositiveNumber.description(""));
  return this;
}

Flag* Flag::within(double low, double high) {
  option_->check(CLI::Range(low, high).description(""));
  return this;
}

Flag* Flag::within(int low, int high) {
  option_->check(CLI::Range(low, high).description(""));
  return this;
}

Flag* Flag::one_of(std::vector<std::string> words) {
  words_ = words;
  return check([words](const std::string& word) { return not_among(words, word); });
}

Flag* Flag::suggests(std::vector<std::string> words) {
  words_ = std::move(words);
  return this;
}

Flag* Flag::check(std::function<std::string(const std::string&)> trouble) {
  option_->check(CLI::Validator(std::move(trouble), ""));
  return this;
}

Flag* Flag::check_first(std::function<std::string(const std::string&)> trouble) {
  option_->transform(CLI::Validator(std::move(trouble), ""));
  return this;
}

template <typename Value>
Flag* FlagSet::add_option(std::string names, Value& value, std::string description) {
  return keep(app_->add_option(std::move(names), value, std::move(description)));
}

Flag* FlagSet::add_flag(std::string names, bool& value, std::string description) {
  return keep(app_->add_flag(std::move(names), value, std::move(description)));
}

Flag* FlagSet::add_call(std::string names, std::function<void(const std::string&)> take,
                        std::string description) {
  return keep(
      app_->add_option_function<std::string>(std::move(names), take, std::move(description)));
}

Flag* FlagSet::add_word(std::string names, std::vector<std::string> words,
                        std::function<void(std::size_t)> take, std::string description) {
  const auto take_word = [words, take](const std::string& word) {
    take(static_cast<std::size_t>(std::ranges::find(words, word) - words.begin()));
  };
  return add_call(std::move(names), take_word, std::move(description))->one_of(std::move(words));
}

Flag* FlagSet::option(const std::string& name) {
  return &flags_.emplace_back(*app_->get_option(name));
}

FlagSet* FlagSet::add_subcommand(std::string name, std::string summary) {
  CLI::App* below = app_->add_subcommand(std::move(name), std::move(summary));
  below->group("Commands");
  below->get_help_ptr()->group(std::string(kGeneralGroup));
  return &below_.emplace_back(*below);
}

bool FlagSet::parsed() const { return app_->parsed(); }

GivenFlags FlagSet::given() const {
  GivenFlags given;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->count() > 0) given[option->get_name()] = option->results();
  }
  return given;
}

GivenFlags FlagSet::given_or_configured() const {
  GivenFlags all = given();
  all.insert(configured_.begin(), configured_.end());
  return all;
}

// The value goes through the rules of the option into its variable, and the option is again as if
// it had not been named: the words of the command line may name it, and replace the value.
bool FlagSet::configure(const std::string& name, const std::vector<std::string>& values) {
  CLI::Option* option = app_->get_option_no_throw("--" + name);
  if (option == nullptr || option->get_positional() || name == "help") return false;
  for (const Flag& flag : flags_) {
    if (flag.option_ == option && !flag.is_configurable_) return false;
  }
  try {
    for (const std::string& value : values) option->add_result(value);
    option->run_callback();
  } catch (const CLI::ParseError& error) {
    refuse(error.what());
  }
  option->clear();
  option->required(false);
  configured_["--" + name] = values;
  return true;
}

bool FlagSet::is_decided_by(const std::string& name, const std::vector<std::string>& words) const {
  const CLI::Option* option = app_->get_option_no_throw("--" + name);
  if (option == nullptr) return false;
  const auto is_named = [&words](const CLI::Option* one) {
    for (const std::string& word : words) {
      if (word == "--") return false;
      const std::string_view given = std::string_view(word).substr(0, word.find('='));
      for (const std::string& longer : one->get_lnames()) {
        if (given == "--" + longer) return true;
      }
      for (const std::string& shorter : one->get_snames()) {
        if (given == "-" + shorter) return true;
      }
    }
    return false;
  };
  const auto& others = option->get_excludes();
  return is_named(option) || std::any_of(others.begin(), others.end(), is_named);
}

FlagSet* FlagSet::below(std::string_view name) {
  for (FlagSet& set : below_) {
    if (set.app_->get_name() == name) return &set;
  }
  return nullptr;
}

CommandFacts FlagSet::facts() const {
  CommandFacts facts;
  facts.name = app_->get_name();
  facts.summary = app_->get_description();
  facts.description = app_->get_footer();
  facts.group = app_->get_group();
  for (const CLI::Option* option : app_->get_options()) {
    FlagFacts one = facts_of(*option);
    for (const Flag& flag : flags_) {
      if (flag.option_ == option && !flag.words_.empty()) one.words = flag.words_;
    }
    facts.flags.push_back(std::move(one));
  }
  for (const FlagSet& below : below_) facts.below.push_back(below.facts());
  return facts;
}

Flag* FlagSet::keep(CLI::Option* option) {
  option->group(group_);
  return &flags_.emplace_back(*option);
}

#define WEBSTRATA_TAKES(Value) \
  template Flag* FlagSet::add_option<Value>(std::string, Value&, std::string);
WEBSTRATA_TAKES(std::string)
WEBSTRATA_TAKES(int)
WEBSTRATA_TAKES(std::uint32_t)
WEBSTRATA_TAKES(std::int64_t)
WEBSTRATA_TAKES(std::uint64_t)
WEBSTRATA_TAKES(double)
WEBSTRATA_TAKES(std::optional<std::string>)
WEBSTRATA_TAKES(std::optional<int>)
WEBSTRATA_TAKES(std::optional<std::uint32_t>)
WEBSTRATA_TAKES(std::optional<std::uint64_t>)
WEBSTRATA_TAKES(std::optional<double>)
WEBSTRATA_TAKES(std::vector<std::string>)
WEBSTRATA_TAKES(std::vector<int>)
WEBSTRATA_TAKES(std::vector<std::uint32_t>)
WEBSTRATA_TAKES(std::vector<std::uint64_t>)
WEBSTRATA_TAKES(std::vector<double>)
#undef WEBSTRATA_TAKES

}  // namespace webstrata
