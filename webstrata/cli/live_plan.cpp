// Tested by tests/cli/liverank_test.py.

#include "webstrata/cli/live_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/output.h"
#include "webstrata/cli/truth_file.h"
#include "webstrata/graph/line_reader.h"
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
  if (second == std::string_view::npos) lines.refuse("not a line of a liverank state");
  const std::string name(rest.substr(0, second));
  const std::string_view word = rest.substr(second + 1);
  if (kind == "set") {
    state.settings[name] = word;
  } else if (kind == "answer") {
    state.answers.push_back({name, std::string(word)});
  } else {
    lines.refuse("not a line of a liverank state");
  }
}

}  // namespace

LiveState read_live_state(const std::filesystem::path& path) {
  LiveState state;
  LineReader lines(path);
  const auto head = lines.next();
  if (!head || *head != kHead) lines.refuse("not a liverank state: `liverank plan` makes one");
  while (const auto line = lines.next()) {
    if (!line->empty()) read_line(*line, lines, state);
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
  Output output(path.string());
  output.write(text);
  output.commit();
}

namespace {

std::vector<Node> pages_of_dead_hosts(const Population& pages, const std::vector<Finding>& findings,
                                      const Planner& planner, std::uint32_t tests) {
  std::vector<Node> settled;
  if (tests == 0 || pages.levels.empty()) return settled;
  HostEvidence hosts(pages.levels.front(), pages.origins, tests);
  for (const Finding& finding : findings) hosts.add(finding);
  for (Node page = 0; page < pages.size(); ++page) {
    if (planner.is_open(page) && hosts.is_dead(page)) settled.push_back(page);
  }
  return settled;
}

TruthLine parsed(const LiveAnswer& answer, Target target) {
  const auto line = parse_answer(answer.word, target);
  if (line) return *line;
  throw Error(ErrorKind::BadInput, fmt::format("the answer {} about {} means nothing for {}",
                                               answer.word, answer.url, to_string(target)));
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
  const auto settled = pages_of_dead_hosts(pages, findings, planner, options.dead_host_tests);
  planner.leave_out(settled);
  report.settled = settled.size();
  return report;
}

}  // namespace webstrata
