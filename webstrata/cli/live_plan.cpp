// Tested by tests/cli/liverank_test.py.

#include "webstrata/cli/live_plan.h"

#include <fmt/format.h>

#include "webstrata/cli/output.h"
#include "webstrata/graph/line_reader.h"

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
  } else if (const auto outcome = parse_outcome(word); kind == "answer" && outcome) {
    state.answers.push_back({name, *outcome});
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
    text += fmt::format("answer\t{}\t{}\n", answer.url, to_string(answer.outcome));
  }
  Output output(path.string());
  output.write(text);
  output.commit();
}

RestoreReport restore(const LiveState& state, const Population& pages, Target target,
                      Planner& planner) {
  RestoreReport report;
  std::vector<Node> asked;
  for (const std::string& url : state.asked) {
    if (const auto page = pages.graph.find(url)) asked.push_back(*page);
  }
  planner.leave_out(asked);
  std::vector<Finding> findings;
  for (const LiveAnswer& answer : state.answers) {
    const auto page = pages.graph.find(answer.url);
    if (page) {
      findings.push_back({*page, answer.outcome, verdict_of(answer.outcome, target)});
    } else {
      ++report.unknown_urls;
    }
  }
  report.learned = planner.learn(findings);
  return report;
}

}  // namespace webstrata
