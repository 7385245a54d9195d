// SPDX-License-Identifier: Apache-2.0

// A plan is a function of the state file: the planner is built from the settings, pages already
// named are left out, all answers are learned in their order, and then the planner names the next
// pages. Nothing else is remembered between runs, so plan and learn may run on different days and
// machines.
// Tested by tests/cli/liverank_test.py.

#include "webstrata/jobs/campaign.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/jobs/truth_file.h"
#include "webstrata/liverank/host_evidence.h"

namespace webstrata {
namespace {

constexpr std::string_view kHead = "webstrata liverank 1";

void read_line(std::string_view line, const LineReader& lines, LiveState& state) {
  const std::size_t first = line.find('\t');
  const std::string_view kind = line.substr(0, first);
  const std::string_view rest =
      first == std::string_view::npos ? std::string_view() : line.substr(first + 1);
  if (kind == "asked") {
    state.asked.emplace_back(rest);
    return;
  }
  const std::size_t second = rest.find('\t');
  if (second == std::string_view::npos) lines.refuse("not a line of the state of a campaign");
  const std::string name(rest.substr(0, second));
  const std::string_view word = rest.substr(second + 1);
  if (kind == "set") {
    state.settings[name] = word;
  } else if (kind == "answer") {
    state.answers.push_back({name, std::string(word)});
  } else {
    lines.refuse("not a line of the state of a campaign");
  }
}

}  // namespace

LiveState read_live_state(const std::filesystem::path& path) {
  LiveState state;
  LineReader lines(path);
  const auto head = lines.next();
  if (!head || *head != kHead)
    lines.refuse("not the state of a campaign: the first plan creates it");
  while (const auto line = lines.next()) {
    if (!line->empty()) read_line(*line, lines, state);
  }
  return state;
}

LiveState begun_state(const std::filesystem::path& path, const CampaignWords& words) {
  if (!std::filesystem::exists(path)) return {settings_of(words), {}, {}};
  LiveState state = read_live_state(path);
  for (const auto& [name, word] : settings_of(words)) {
    const auto before = state.settings.find(name);
    if (before == state.settings.end() || before->second == word) continue;
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{} was started with {} = {}: give the same value, or use another state file",
                    path.string(), name, before->second));
  }
  return state;
}

void write_live_state(const std::filesystem::path& path, const LiveState& state) {
  std::string text = fmt::format("{}\n", kHead);
  for (const auto& [name, word] : state.settings) text += fmt::format("set\t{}\t{}\n", name, word);
  for (const std::string& url : state.asked) text += fmt::format("asked\t{}\n", url);
  for (const LiveAnswer& answer : state.answers) {
    text += fmt::format("answer\t{}\t{}\n", answer.url, answer.word);
  }
  FileWriter file = FileWriter::create(path);
  file.write(text);
  file.commit();
}

namespace {

std::vector<Node> pages_of_dead_hosts(const Population& pages, const std::vector<Finding>& findings,
                                      const Planner& planner, const RestoreOptions& options) {
  std::vector<Node> settled;
  const bool gives_up = options.dead_host_tests > 0 || options.dead_domain_tests > 0;
  if (!gives_up || pages.levels.empty()) return settled;
  UrlLevel domains;
  if (options.dead_domain_tests > 0) domains = url_domains(pages.graph);
  HostEvidence hosts(pages.levels.front(), pages.origins, options.dead_host_tests, &domains,
                     options.dead_domain_tests);
  for (const Finding& finding : findings) hosts.add(finding);
  for (Node page = 0; page < pages.size(); ++page) {
    if (planner.is_open(page) && hosts.is_dead(page)) settled.push_back(page);
  }
  return settled;
}

TruthLine parsed(const LiveAnswer& answer, Target target) {
  const auto line = parse_answer(answer.word, target);
  if (line) return *line;
  throw Error(ErrorKind::BadInput,
              fmt::format("the answer {} about {} does not apply to the target {}", answer.word,
                          answer.url, to_string(target)));
}

}  // namespace

RestoreReport restore(const LiveState& state, const Population& pages,
                      const RestoreOptions& options, Planner& planner) {
  RestoreReport report;
  std::vector<Node> asked;
  for (const std::string& url : state.asked) {
    if (const auto page = pages.graph.find(url)) asked.push_back(*page);
  }
  planner.leave_out(asked);
  Time latest = 0;
  for (const LiveAnswer& answer : state.answers) {
    latest = std::max(latest, parsed(answer, options.truth.target).active.value_or(latest));
  }
  const AnswerJudge judge(pages, options.truth);
  std::vector<Finding> findings;
  for (const LiveAnswer& answer : state.answers) {
    const auto page = pages.graph.find(answer.url);
    if (page) {
      findings.push_back(judge.judge(*page, parsed(answer, options.truth.target), latest));
    } else {
      ++report.unknown_urls;
    }
  }
  report.learned = planner.learn(findings);
  const auto settled = pages_of_dead_hosts(pages, findings, planner, options);
  planner.leave_out(settled);
  report.settled = settled.size();
  return report;
}

namespace {

bool is_dynamic(const PlanRequest& request) {
  return planner_entry(request.method).planner_class == PlannerClass::Dynamic;
}

// A campaign's state is a record of its own: what was forgotten leaves it too.
void forget_in(LiveState& state, const HandOver& hand_over) {
  std::erase_if(state.asked, [&](const std::string& url) { return !hand_over.may_name(url); });
  std::erase_if(state.answers,
                [&](const LiveAnswer& answer) { return !hand_over.may_name(answer.url); });
}

// No answer arrives within a plan, so the first one of a dynamic method is a sample as large as the
// plan, unless the user says otherwise; but at most a hundredth of the pages, which teach enough.
// The state remembers the size, because later plans may have another.
PlannerOptions with_first_sample(const PlanRequest& request, const Population& pages,
                                 LiveState& state) {
  PlannerOptions options = request.options;
  const bool is_chosen =
      request.has_sample_size || (options.sample && options.sample->per_site > 0);
  if (!is_dynamic(request) || is_chosen) return options;
  SampleOptions sample = options.sample.value_or(planner_entry(request.method).sample);
  std::uint64_t size = sample_size(sample, pages.size());
  const auto known = state.settings.find("first");
  if (known != state.settings.end()) {
    size = std::strtoull(known->second.c_str(), nullptr, 10);
  } else {
    const std::uint64_t enough = std::max<std::uint64_t>(20, pages.size() / 100);
    size = std::max(size, std::min(request.tests.value_or(0), enough));
  }
  state.settings["first"] = std::to_string(size);
  sample.size = static_cast<double>(size);
  sample.size_min = 0;
  options.sample = sample;
  return options;
}

// How many pages a plan names: static methods name all, sample-based ones their sample and then all
// others, dynamic ones a hundredth of the pages after the sample.
std::uint64_t plan_size(const PlanRequest& request, const Planner& planner,
                        const LiveState& state) {
  std::uint64_t count = planner.batch_size();
  if (is_dynamic(request) && !state.asked.empty()) {
    count = std::max<std::uint64_t>(count, planner.page_count() / 100);
  }
  count = request.tests.value_or(count);
  if (!request.budget) return count;
  const std::uint64_t spent = std::min<std::uint64_t>(*request.budget, state.asked.size());
  return std::min(count, *request.budget - spent);
}

// A dynamic method may want an answer before it says more; a plan is filled up nevertheless.
std::vector<Node> filled_plan(Planner& planner, std::uint64_t count, bool is_dynamic) {
  std::vector<Node> plan = planner.next(count);
  while (is_dynamic && plan.size() < count) {
    const auto more = planner.next(count - plan.size());
    if (more.empty()) break;
    plan.insert(plan.end(), more.begin(), more.end());
  }
  return plan;
}

}  // namespace

CampaignPlan next_plan(LiveState& state, const Population& pages, const PlanRequest& request,
                       const HandOver& hand_over) {
  forget_in(state, hand_over);
  const auto planner =
      make_planner(request.method, pages, with_first_sample(request, pages, state));
  CampaignPlan plan;
  plan.known = restore(state, pages, request.restore, *planner);
  const std::vector<Node> forgotten = hand_over.forgotten(pages.graph);
  planner->leave_out(forgotten);
  plan.pages = filled_plan(*planner, plan_size(request, *planner, state), is_dynamic(request));
  for (const Node page : plan.pages) state.asked.push_back(pages.graph.name(page));
  plan.forgotten = forgotten.size();
  plan.decided = planner->decided().size();
  plan.live = planner->live_count();
  return plan;
}

CampaignPlan plan_campaign(LiveState& state, const Snapshot& graph, const CampaignWords& words,
                           std::optional<std::uint64_t> tests, const HandOver& hand_over,
                           const WorkOptions& work) {
  const Population pages = population_of(graph, population_options_of(words.method, work));
  PlanRequest request;
  request.method = words.method.method;
  request.options = planner_options_of(words.method, words.budget, work);
  request.has_sample_size = !words.method.sample_size.empty();
  request.tests = tests;
  request.budget = words.budget;
  request.restore = {truth_options_of(words), words.dead_host_tests, words.dead_domain_tests};
  CampaignPlan plan = next_plan(state, pages, request, hand_over);
  plan.page_count = pages.size();
  for (const Node page : plan.pages) {
    std::string name = pages.graph.name(page);
    if (hand_over.may_name(name)) plan.urls.push_back(std::move(name));
  }
  return plan;
}

std::uint64_t learn(LiveState& state, const std::vector<LiveAnswer>& answers) {
  const Target target = parse_target(state.settings["target"]).value_or(Target::Present);
  for (const LiveAnswer& answer : answers) parsed(answer, target);
  state.answers.insert(state.answers.end(), answers.begin(), answers.end());
  return answers.size();
}

std::uint64_t learn(LiveState& state, const std::string& results) {
  const std::size_t before = state.answers.size();
  const Target target = parse_target(state.settings["target"]).value_or(Target::Present);
  const auto take = [&](const TruthLine& line, std::string_view word) {
    const std::string answer = word.empty() ? "alive" : std::string(word);
    state.answers.push_back({std::string(line.url), answer});
  };
  const auto was_asked = [&](std::string_view name) {
    return std::ranges::find(state.asked, name) != state.asked.end();
  };
  const auto form = read_truth_lines(results, target, take, was_asked);
  if (form.lines == 0) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: the list of results is empty", results));
  }
  return state.answers.size() - before;
}

}  // namespace webstrata
