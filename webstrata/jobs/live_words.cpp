// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/liverank_test.py, tests/python/jobs_test.py.

#include "webstrata/jobs/live_words.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "webstrata/archive/disk/options.h"
#include "webstrata/base/error.h"
#include "webstrata/words/scope_word.h"

namespace webstrata {
namespace {

[[noreturn]] void refuse_word(const std::string& message) {
  throw Error(ErrorKind::BadInput, message);
}

double number_of(std::string_view what, std::string_view word) {
  double number = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || rest != word.data() + word.size() || !(number >= 0)) {
    refuse_word(
        fmt::format("{} {}: not a number of pages or a share such as 0.01 or 1%", what, word));
  }
  return number;
}

std::optional<std::uint32_t> site_directories_of(std::string_view word) {
  if (word == "auto") return std::nullopt;
  if (word == "host") return 0;
  if (word == "directory") return 1;
  std::uint32_t count = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || rest != word.data() + word.size()) {
    refuse_word(
        fmt::format("site {}: not auto, host or directory; nor a number of directories", word));
  }
  return count;
}

// A number of random pages of each site, however large the sample becomes unless a size limits it.
void take_from_sites(SampleOptions& sample, const MethodWords& words) {
  const bool is_random = words.sample.empty() || sample.kind == SampleKind::Random;
  if (!is_random || words.no_neighbours) {
    refuse_word("pages per site: such a sample is random, without a kind or no-neighbours");
  }
  sample.kind = SampleKind::Random;
  sample.per_site = words.per_site;
  sample.site_directories = site_directories_of(words.site);
  sample.size = kAllPages;
  sample.size_min = 0;
}

SampleOptions sample_of(const MethodWords& words, const SampleOptions& usual,
                        std::optional<std::uint64_t> budget) {
  SampleOptions sample = usual;
  if (!words.sample.empty()) {
    const auto kind = parse_sample_kind(words.sample);
    if (!kind) {
      refuse_word(
          fmt::format("sample {}: not random, indegree, pagerank or systematic", words.sample));
    }
    sample.kind = *kind;
  }
  sample.no_neighbours = words.no_neighbours;
  std::string_view word = words.sample_size;
  if (words.per_site > 0) take_from_sites(sample, words);
  if (word.empty()) return sample;
  sample.size_min = 0;
  constexpr std::string_view kOfBudget = "-of-budget";
  if (word.ends_with(kOfBudget)) {
    if (!budget) refuse_word(fmt::format("sample size {}: needs a budget", word));
    sample.of_budget = *budget;
    word.remove_suffix(kOfBudget.size());
  }
  const bool is_percent = word.ends_with('%');
  if (is_percent) word.remove_suffix(1);
  sample.size = number_of("sample size", word) / (is_percent ? 100 : 1);
  return sample;
}

}  // namespace

PlannerOptions planner_options_of(const MethodWords& words, std::optional<std::uint64_t> budget,
                                  const WorkOptions& work) {
  PlannerOptions options;
  options.seed = words.seed;
  const bool has_sample =
      !words.sample.empty() || !words.sample_size.empty() || words.no_neighbours ||
      words.per_site > 0;
  if (has_sample) options.sample = sample_of(words, planner_entry(words.method).sample, budget);
  if (!words.ties.empty()) {
    options.ties = parse_tie_rule(words.ties);
    if (!options.ties)
      refuse_word(fmt::format("ties {}: not pagerank, number or random", words.ties));
  }
  if (words.round >= 0) options.round = words.round;
  options.site_directories = site_directories_of(words.site);
  options.damping = words.damping;
  if (words.unsampled != "last" && words.unsampled != "mean") {
    refuse_word(fmt::format("unsampled {}: not last or mean", words.unsampled));
  }
  if (words.unsampled == "mean") options.unsampled_sites = UnsampledSites::MeanRate;
  options.work = {.threads = work.threads, .progress = {}, .cancel = work.cancel};
  return options;
}

std::vector<Contestant> contestants_of(std::string_view compare, const MethodWords& words) {
  const bool is_all = compare == "all";
  const bool chooses_sample = !words.sample.empty() || !words.sample_size.empty() ||
                              words.no_neighbours || words.per_site > 0 || words.round >= 0 ||
                              words.unsampled != "last";
  if (is_all && chooses_sample) {
    refuse_word(
        "a comparison of all configurations tries every sample itself: compare methods, or a list "
        "of them, to choose kind, size, neighbours, rounds or unsampled sites");
  }
  std::vector<Contestant> contestants = named_contestants(compare);
  for (Contestant& contestant : contestants) {
    MethodWords own = words;
    own.method = contestant.method;
    const PlannerOptions options = planner_options_of(own, std::nullopt, {});
    if (!is_all) contestant = with_options(contestant, options);
    contestant.options.ties = options.ties;
    contestant.options.site_directories = options.site_directories;
    contestant.options.damping = options.damping;
  }
  return contestants;
}

TruthOptions truth_options_of(const CampaignWords& words) {
  TruthOptions options;
  const auto target = parse_target(words.method.target);
  if (!target) {
    refuse_word(fmt::format("target {}: not present, moved, unchanged, changed or active",
                            words.method.target));
  }
  options.target = *target;
  const auto same = parse_sameness(words.same);
  if (!same)
    refuse_word(fmt::format("same {}: not text, payload, links or text+links", words.same));
  options.same = *same;
  options.active_within = parse_range(words.active_within);
  return options;
}

PopulationOptions population_options_of(const MethodWords& words, const WorkOptions& work) {
  return {.scope = parse_scope_word("scope", words.scope),
          .undirected = words.undirected,
          .damping = words.damping,
          .work = work};
}

std::map<std::string, std::string> settings_of(const CampaignWords& words) {
  const MethodWords& method = words.method;
  return {{"by", method.method},
          {"seed", std::to_string(method.seed)},
          {"sample", method.sample},
          {"sample-size", method.sample_size},
          {"ties", method.ties},
          {"round", fmt::format("{}", method.round)},
          {"site", method.site},
          {"damping", fmt::format("{}", method.damping)},
          {"unsampled", method.unsampled},
          {"target", method.target},
          {"scope", method.scope},
          {"undirected", method.undirected ? "yes" : "no"},
          {"same", words.same},
          {"active-within", words.active_within},
          {"dead-host", std::to_string(words.dead_host_tests)},
          {"dead-domain", std::to_string(words.dead_domain_tests)},
          {"per-site", std::to_string(method.per_site)},
          {"no-neighbours", method.no_neighbours ? "yes" : "no"},
          {"budget", words.budget ? std::to_string(*words.budget) : "none"}};
}

}  // namespace webstrata
