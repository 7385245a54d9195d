// Tested by every script in tests/cli.

#include "webstrata/cli/frame/flags.h"

#include <algorithm>
#include <optional>

#include <CLI/CLI.hpp>

#include "webstrata/base/error.h"

namespace webstrata {

// An empty description keeps a rule out of --help, where the words say it better.
Flag* Flag::type_name(std::string_view name) {
  option_->type_name(std::string(name));
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

Flag* Flag::one_of(std::initializer_list<std::string> words) {
  option_->check(CLI::IsMember(std::vector<std::string>(words)).description(""));
  return this;
}

Flag* Flag::check(std::function<std::string(const std::string&)> trouble) {
  option_->check(CLI::Validator(std::move(trouble), ""));
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
  Flag* flag = add_call(std::move(names), take_word, std::move(description));
  return flag->check([words](const std::string& word) {
    return CLI::IsMember(words)(word);  // empty: all is well
  });
}

Flag* FlagSet::option(const std::string& name) { return keep(app_->get_option(name)); }

FlagSet* FlagSet::add_subcommand(std::string name, std::string summary) {
  return &below_.emplace_back(*app_->add_subcommand(std::move(name), std::move(summary)));
}

bool FlagSet::parsed() const { return app_->parsed(); }

GivenFlags FlagSet::given() const {
  GivenFlags given;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->count() > 0) given[option->get_name()] = option->results();
  }
  return given;
}

Flag* FlagSet::keep(CLI::Option* option) { return &flags_.emplace_back(*option); }

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
