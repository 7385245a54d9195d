// SPDX-License-Identifier: Apache-2.0

// webstrata export: an archive, or the graph in it, in the forms of other tools.
// Tested by tests/cli/ask_test.py, export_graph_test.py and archive_law_test.py.

#include <memory>
#include <string>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/verbs/export_forms.h"

namespace webstrata {
namespace {

std::string form_list() {
  std::string text;
  for (const ExportForm& form : export_forms()) {
    text += fmt::format("  {:12} {}\n", form.name, form.summary);
  }
  return text;
}

const ExportForm& form_of(const std::string& name) {
  for (const ExportForm& form : export_forms()) {
    if (form.name == name) return form;
  }
  refuse_parquet(name);
  throw Error(ErrorKind::BadInput,
              fmt::format("--as {}: no such form (see webstrata export --help)", name));
}

ExitCode run(const ExportFlags& flags) {
  const ExportForm& form = form_of(flags.form);
  ProgressLine line(!flags.quiet);
  form.write(flags, line);
  return ExitCode::Done;
}

std::function<ExitCode()> declare_export_command(FlagSet& app) {
  const auto flags = std::make_shared<ExportFlags>();
  declare_graph(app, flags->graph);
  app.add_option("OUT", flags->output,
                 "A file, which appears only when it is complete (default: standard output)");
  app.group("Output");
  app.add_option("--as", flags->form, "Output form, from the list below")
      ->suggests(entry_names(export_forms()))
      ->required()
      ->type_name("FORM");
  app.add_option("--key", flags->key,
                 "Dialect of cdxj keys: pywb, ia, cdxj or exact (default pywb)")
      ->type_name("DIALECT");
  app.add_option(
         "--name", flags->name,
         "The name under which scores were saved: what --as scores prints, and what graphml and "
         "gexf contain instead of a computed PageRank")
      ->type_name("NAME");
  app.add_option("--threads", flags->graph.threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.add_flag("-q,--quiet", flags->quiet, "Print no progress")->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

}  // namespace

Command export_command() {
  static const std::string description = fmt::format(
      "Forms:\n{}\n"
      "Examples:\n"
      "  webstrata export lib.ws --as jsonl lib.jsonl\n"
      "  webstrata export lib.ws --as cdxj | LC_ALL=C sort > index.cdxj\n"
      "  webstrata export lib.ws@2021 --as tsv links.tsv.gz\n"
      "  webstrata export lib.ws --level host --as gexf hosts.gexf",
      form_list());
  return {"export", "Export an archive or a graph for other tools", description,
          declare_export_command};
}

}  // namespace webstrata
