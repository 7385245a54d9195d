// SPDX-License-Identifier: Apache-2.0

// webstrata seeds: where to begin a crawl.
// The order of steps: load the graphs (each only once), choose seeds, with tests if there is a
// truth, replace vanished ones, leave out what an archive has forgotten, evaluate, write the report
// page, print.
// Tested by tests/cli/seeds_test.py.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "webstrata/base/counted.h"
#include "webstrata/base/error.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/flags/seeds_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/left_out.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/jobs/liverank_survival.h"
#include "webstrata/show/seed_forms.h"
#include "webstrata/show/seeds_found.h"
#include "webstrata/show/seeds_page.h"

namespace webstrata {
namespace {

// Two words may name one graph, which is then read once.
class Graphs {
 public:
  Graphs(const SeedsFlags& flags, const WorkOptions& work) : flags_(flags), work_(work) {}

  Snapshot old() { return load_with_columns(graph_of(flags_.graph)); }

  // Seen as GRAPH is: the same level, folding and kinds.
  const Snapshot& newer(const std::string& word) {
    if (word != word_) {
      GraphSource source = graph_of(word);
      const GraphSource like = graph_of(flags_.graph);
      source.request.view = like.request.view;
      source.request.kinds = like.request.kinds;
      newer_ = load_with_columns(std::move(source));
      if (pages_of(newer_).empty()) {
        throw Error(
            ErrorKind::BadInput,
            fmt::format("{}: no pages; is the date within the time span of the archive?", word));
      }
      word_ = word;
    }
    return newer_;
  }

 private:
  Snapshot load_with_columns(GraphSource source) {
    const bool wants_content = !flags_.replace.empty();
    source.request.node_columns = {.outcome = true, .captures = true, .content = wants_content};
    source.request.link_columns = {.kinds = wants_content};
    return load(source, work_);
  }

  const SeedsFlags& flags_;
  const WorkOptions& work_;
  std::string word_;
  Snapshot newer_;
};

// Asks the archive of every graph that a name may come from.
std::size_t leave_out_forgotten(const SeedsFlags& flags, SeedsFound& found) {
  const HandOver hand_over = hand_over_of({flags.graph.word, flags.truth, flags.replace});
  return std::erase_if(found.lines,
                       [&](const SeedLine& line) { return !hand_over.may_name(line.url); });
}

// The cores as they may be written down.
std::vector<BipartiteCore> without_forgotten(const SeedsFlags& flags, const Snapshot& graph,
                                             const SeedsFound& found) {
  const HandOver hand_over = hand_over_of({flags.graph.word});
  std::vector<BipartiteCore> cores = found.chosen.cores;
  for (BipartiteCore& core : cores) {
    for (auto* members : {&core.hubs, &core.authorities}) {
      std::erase_if(*members, [&](Node node) { return !hand_over.may_name(graph.name(node)); });
    }
  }
  return cores;
}

void add_lines(const Snapshot& graph, SeedsFound& found) {
  for (const SeedCandidate& seed : found.chosen.seeds) {
    found.lines.push_back({graph.name(seed.node), seed.score, seed.why});
  }
}

std::string replacement_text(const Replacement& found, const std::string& name) {
  const std::string shared = found.reason == ReplacedBy::Links
                                 ? fmt::format(" ({:.0f} %)", 100 * found.similarity)
                                 : std::string();
  return fmt::format("in place of {}: {}{}", name, to_string(found.reason), shared);
}

// Seeds that vanished give way to pages of the newer graph that are like them.
void replace(const Snapshot& graph, const Snapshot& newer, SeedsFound& found) {
  std::vector<Node> vanished;
  std::vector<Node> taken;
  for (const SeedCandidate& seed : found.chosen.seeds) {
    if (const auto alive = survivor(graph, newer, seed.node)) {
      taken.push_back(*alive);
    } else {
      vanished.push_back(seed.node);
    }
  }
  found.replacements = replace_vanished(graph, newer, vanished, taken);
  std::size_t next = 0;
  for (const SeedCandidate& seed : found.chosen.seeds) {
    const std::string name = graph.name(seed.node);
    if (next == found.replacements.size() || found.replacements[next].vanished != seed.node) {
      found.lines.push_back({name, seed.score, seed.why});
      continue;
    }
    const Replacement& by = found.replacements[next++];
    found.replaced_names.push_back(name);
    if (!by.node) continue;
    found.lines.push_back({newer.name(*by.node), seed.score, replacement_text(by, name)});
  }
}

EvaluationOptions evaluation_options_of(const SeedsFlags& flags, const WorkOptions& work) {
  EvaluationOptions options;
  if (flags.depth_max > 0) options.depth_max = flags.depth_max;
  options.seed = flags.options.seed;
  options.work = work;
  return options;
}

// ---- the page -----------------------------------------------------------------------------------

// The newer graph of a page: what the seeds are evaluated on, or else were tested with.
std::string newer_word(const SeedsFlags& flags) {
  for (const std::string* word : {&flags.evaluated, &flags.truth, &flags.replace}) {
    if (!word->empty()) return *word;
  }
  return "";
}

// How the page was made, without the folders of this computer.
std::string command_of(const SeedsFlags& flags) {
  std::string command =
      fmt::format("webstrata seeds {} --by {} --count {} --seed {}", name_of(flags.graph.word),
                  flags.method, flags.options.count, flags.options.seed);
  const std::pair<std::string_view, const std::string&> newer[] = {
      {"--truth", flags.truth}, {"--replace", flags.replace}, {"--evaluate", flags.evaluated}};
  for (const auto& [option, word] : newer) {
    if (!word.empty()) command += fmt::format(" {} {}", option, name_of(word));
  }
  return command;
}

// A page shows everything, whatever the command prints.
void write_page(Graphs& graphs, const Snapshot& graph, const SeedsFlags& flags,
                const SeedsFound& found, const WorkOptions& work) {
  SeedsPageParts parts{.graph_name = name_of(flags.graph.word), .command = command_of(flags)};
  const std::string newer = newer_word(flags);
  if (!newer.empty()) {
    parts.newer = &graphs.newer(newer);
    parts.newer_name = name_of(newer);
  }
  if (flags.evaluates && !flags.evaluated.empty()) parts.newer_evaluation = &*found.evaluated;
  if (flags.evaluates && flags.evaluated.empty() && flags.replace.empty()) {
    parts.evaluation = &found.evaluated->evaluation;
  }
  const SeedsPage page = seeds_page(graph, found, parts, evaluation_options_of(flags, work));
  report::write_html(seeds_report(graph, found, page), flags.report);
}

// ---- what is printed ----------------------------------------------------------------------------

void write_file(const std::string& path, const std::string& text) {
  Output output(path);
  output.write(text);
  output.commit();
}

void print(const Snapshot& graph, const SeedsFlags& flags, const SeedsFound& found) {
  std::string text;
  if (flags.json) {
    text = as_json(graph, found);
  } else if (flags.why) {
    for (const SeedLine& line : found.lines) text += fmt::format("{}\t{}\n", line.url, line.why);
  } else {
    text = written(found.lines, seed_form(flags.form));
  }
  if (!flags.json && found.distances) text += "\n" + distances_as_text(*found.distances);
  if (!flags.json && found.evaluated) text += "\n" + evaluation_as_text(found);
  write_file("-", text);
}

void tell(const SeedsFlags& flags, const SeedsFound& found) {
  if (flags.quiet) return;
  const SeedsResult& chosen = found.chosen;
  if (chosen.tests > 0) {
    say(fmt::format("{} alive after {}", counted(chosen.seeds.size(), "seed", "seeds"),
                    counted(chosen.tests, "test", "tests")));
  }
  if (chosen.ended == SeedsEnd::NoCandidates) {
    say(fmt::format("only {} of {} seeds: {} ran out of candidates", chosen.seeds.size(),
                    found.wanted, found.method));
  }
}

ExitCode run(const SeedsFlags& flags) {
  check(flags);
  SeedOptions options = options_of(flags);
  ProgressLine line(!flags.quiet);
  const WorkOptions work = work_on(line, flags.graph.threads);
  Graphs graphs(flags, work);
  const Snapshot graph = graphs.old();
  options.work = work;
  Snapshot truth;
  if (!flags.truth.empty()) {
    truth = graphs.newer(flags.truth);
    options.test = survival_by_name(graph, truth);
  }
  std::optional<LiveRankSurvival> liverank;
  if (flags.survival == "liverank") {
    liverank.emplace(graph, options.seed, work);
    options.pandora.survival = &*liverank;
  }
  SeedsFound found;
  found.method = flags.method;
  found.seed = options.seed;
  found.wanted = options.count;
  found.chosen = choose_seeds(graph, flags.method, options);
  if (flags.replace.empty()) {
    add_lines(graph, found);
  } else {
    replace(graph, graphs.newer(flags.replace), found);
  }
  const std::size_t forgotten = leave_out_forgotten(flags, found);
  if (flags.distances) found.distances = core_distances(graph, found.chosen.cores, work);
  if (flags.evaluates) {
    found.evaluated = evaluated_on(flags.evaluated.empty() ? graph : graphs.newer(flags.evaluated),
                                   found, evaluation_options_of(flags, work));
  }
  if (!flags.report.empty()) write_page(graphs, graph, flags, found, work);
  line.clear();
  if (!flags.cores_file.empty()) {
    write_file(flags.cores_file, cores_as_lines(graph, without_forgotten(flags, graph, found)));
  }
  print(graph, flags, found);
  tell(flags, found);
  if (!flags.quiet) report_left_out(forgotten, "seed", "seeds");
  return found.lines.empty() ? ExitCode::FoundNothing : ExitCode::Done;
}

std::function<ExitCode()> declare(FlagSet& app) {
  const auto flags = std::make_shared<SeedsFlags>();
  declare_seeds(app, *flags);
  return [flags] { return run(*flags); };
}

std::string described() {
  std::string text = "Methods:\n";
  for (const SeedMethod& method : seed_methods()) {
    text += fmt::format("  {:12} {}\n", method.name, method.summary);
  }
  text += "\nForms:\n";
  for (const SeedForm& form : seed_forms()) {
    text += fmt::format("  {:18} {}\n", form.name, form.summary);
  }
  return text +
         "\nExamples:\n"
         "  webstrata seeds lib.ws@2021 --count 20 --why\n"
         "  webstrata seeds lib.ws@2021 --truth lib.ws@2023.. --as heritrix > new.seeds\n"
         "  webstrata seeds lib.ws@2021 --by cores --cores cores.jsonl --distances --evaluate\n"
         "  webstrata seeds lib.ws@2021 --by cores --evaluate lib.ws@2023.. --report seeds.html";
}

}  // namespace

Command seeds_command() {
  static const std::string description = described();
  return {"seeds", "Choose where the next crawl begins", description, declare};
}

}  // namespace webstrata
