// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/probe_test.py, tests/python/jobs_test.py.

#include "webstrata/jobs/probe_settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

[[noreturn]] void refuse_setting(const GivenWord& word, std::string_view wanted) {
  throw Error(ErrorKind::BadInput, fmt::format("{} {}: {}", word.what, word.text(), wanted));
}

Confirm confirm_of(const GivenWord& word) {
  const auto confirm = parse_confirm(word.text());
  if (!confirm) refuse_setting(word, "say checks and time, such as 3x3d");
  return *confirm;
}

ProbeRule rule_of(const GivenWord& word) {
  if (word.text() == "evidence") return ProbeRule::Evidence;
  if (word.text() == "paper") return ProbeRule::Paper;
  refuse_setting(word, "evidence or paper");
}

}  // namespace

void set_probe_setting(ProbeSettings& settings, std::string_view name, const GivenWord& word) {
  ProbeJobOptions& options = settings.options;
  if (set_fetch_setting(settings.fetch, name, word)) return;
  if (name == "confirm") {
    options.confirm = confirm_of(word);
  } else if (name == "rule") {
    options.rule = rule_of(word);
  } else if (name == "head") {
    options.asks_head = word.truth();
  } else if (name == "timeout") {
    options.limits.total_ms_max = word.duration_ms();
  } else if (name == "body") {
    options.limits.body_bytes_max = word.bytes();
  } else if (name == "requests") {
    options.requests = word.number(1);
  } else if (name == "wait") {
    options.waits = word.truth();
  } else if (name == "seed") {
    options.seed = word.number();
  } else if (name == "job") {
    options.job = word.text();
  } else if (name == "out") {
    options.out = word.text();
  } else {
    throw Error(ErrorKind::BadInput, fmt::format("{}: not a setting of a probe", word.what));
  }
}

ProbeJobOptions probe_options_of(const ProbeSettings& settings) {
  ProbeJobOptions options = settings.options;
  if (options.asks_head && options.rule == ProbeRule::Paper) {
    throw Error(ErrorKind::BadInput,
                "the rule of the papers reads the text of pages, which answers to HEAD do not "
                "have: give head or rule paper, not both");
  }
  options.transport = transport_of(settings.fetch);
  options.rules = politeness_of(settings.fetch);
  options.limits.connect_ms_max =
      std::min(options.limits.connect_ms_max, options.limits.total_ms_max);
  return options;
}

}  // namespace webstrata
