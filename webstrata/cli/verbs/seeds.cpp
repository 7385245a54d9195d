// SPDX-License-Identifier: Apache-2.0

// webstrata seeds: where to begin a crawl.
// The order of steps: load the graphs (each only once), choose seeds, with tests if there is a
// truth, replace vanished ones, leave out what an archive has forgotten, evaluate, write the report
// page, print.
// Tested by tests/cli/seeds_test.py.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "webstrata/base/counted.h"
#include "webstrata/cli/flags/report_flag.h"
#include "webstrata/cli/flags/seeds_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/left_out.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/jobs/liverank_survival.h"
#include "webstrata/jobs/seed_graphs.h"
#include "webstrata/report/csv.h"
#include "webstrata/show/seed_forms.h"
#include "webstrata/show/seeds_found.h"
#include "webstrata/show/seeds_page.h"

namespace webstrata {
namespace {

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
void write_page(SeedGraphs& graphs, const Snapshot& graph, const SeedsFlags& flags,
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
  const report::HtmlReport report = seeds_report(graph, found, page);
  if (!flags.report.empty()) report::write_html(report, flags.report);
  if (flags.csv.empty()) return;
  report::write_csv(report, flags.csv);
  if (!found.distances) return;
  write_output((std::filesystem::path(flags.csv) / "distances.csv").string(),
               written(distances_table(*found.distances), {TableForm::Csv, true}));
}

// ---- what is printed ----------------------------------------------------------------------------

void print(const Snapshot& graph, const SeedsFlags& flags, const SeedsFound& found) {
  if (flags.why && !flags.json) print_table(why_table(found), flags.table);
  std::string text;
  if (flags.json) {
    text = as_json(graph, found);
  } else if (!flags.why) {
    TableFlags table = flags.table;
    table.form = flags.form;
    if (table.is_csv()) TableWriter(seed_columns(), style_of(table)).append_header(text);
    text += written(found.lines, seed_form(flags.form));
  }
  if (!flags.json && flags.degrees) text += "\n" + tables_as_text(*found.tables);
  if (!flags.json && found.distances) text += "\n" + distances_as_text(*found.distances);
  if (!flags.json && found.evaluated) text += "\n" + evaluation_as_text(found);
  write_output("-", text);
}

void write_cores(const SeedsFlags& flags, const Snapshot& graph, const SeedsFound& found) {
  const HandOver hand_over = hand_over_of({flags.graph.word});
  const auto cores = without_forgotten(found.chosen.cores, graph, hand_over);
  write_output(flags.cores_file, cores_as_lines(graph, cores));
}

void tell(const SeedsFlags& flags, const SeedsFound& found) {
  if (flags.quiet) return;
  const SeedsResult& chosen = found.chosen;
  if (chosen.tests > 0) {
    say(fmt::format("{} alive after {}", counted(chosen.seeds.size(), "seed", "seeds"),
                    counted(chosen.tests, "test", "tests")));
  }
  const bool has_no_core = found.method == "cores" && chosen.cores.empty();
  if (has_no_core && !flags.options.extraction.inner_links) {
    say("there is no core: no link leads from one host to another, and --keep-inner-links is not "
        "given");
  }
  if (chosen.ended == SeedsEnd::NoCandidates) {
    say(fmt::format("only {} of {} seeds: {} ran out of candidates", chosen.seeds.size(),
                    found.wanted, found.method));
  }
}

// ---- the whole ----------------------------------------------------------------------------------

// The seeds, with those that vanished replaced if that is wanted.
SeedsFound chosen_seeds(const SeedsFlags& flags, SeedGraphs& graphs, const Snapshot& graph,
                        SeedOptions options) {
  Snapshot truth;
  if (!flags.truth.empty()) {
    truth = graphs.newer(flags.truth);
    options.test = survival_by_name(graph, truth);
  }
  std::optional<LiveRankSurvival> liverank;
  if (flags.survival == "liverank") {
    liverank.emplace(graph, options.seed, options.work);
    options.pandora.survival = &*liverank;
  }
  SeedsFound found;
  found.method = flags.method;
  found.seed = options.seed;
  found.wanted = options.count;
  found.chosen = choose_seeds(graph, flags.method, options);
  if (flags.replace.empty()) {
    add_chosen(graph, found);
  } else {
    add_replaced(graph, graphs.newer(flags.replace), found);
  }
  return found;
}

ExitCode run(const SeedsFlags& flags) {
  check(flags);
  SeedOptions options = options_of(flags);
  ProgressLine line(!flags.quiet);
  options.work = work_on(line, flags.graph.threads);
  SeedGraphs graphs(flags.graph, !flags.replace.empty(), options.work);
  const Snapshot graph = graphs.old();
  SeedsFound found = chosen_seeds(flags, graphs, graph, options);
  // Names come from any of these graphs, and the archive of each may have forgotten some.
  const std::size_t forgotten =
      leave_out_forgotten(found, hand_over_of({flags.graph.word, flags.truth, flags.replace}));
  if (flags.distances) found.distances = core_distances(graph, found.chosen.cores, options.work);
  if (flags.degrees) {
    found.tables = graph_tables(graph, tables_options_of(flags, options.work));
  }
  if (flags.evaluates) {
    found.evaluated = evaluated_on(flags.evaluated.empty() ? graph : graphs.newer(flags.evaluated),
                                   found, evaluation_options_of(flags, options.work));
  }
  if (!flags.report.empty() || !flags.csv.empty())
    write_page(graphs, graph, flags, found, options.work);
  line.clear();
  if (!flags.cores_file.empty()) write_cores(flags, graph, found);
  print(graph, flags, found);
  tell(flags, found);
  if (!flags.quiet) report_left_out(forgotten, "seed", "seeds");
  return found.lines.empty() ? ExitCode::FoundNothing : ExitCode::Done;
}

std::function<ExitCode()> declare_seeds_command(FlagSet& app) {
  const auto flags = std::make_shared<SeedsFlags>();
  declare_seeds(app, *flags);
  return [flags] { return run(*flags); };
}

std::string described_seeds() {
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
  static const std::string description = described_seeds();
  return {"seeds", "Choose where the next crawl begins", description, declare_seeds_command};
}

}  // namespace webstrata
