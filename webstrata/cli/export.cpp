// webstrata export: an archive, or the graph in it, in the forms of other tools.
//
// A form of an archive is one line in export_forms() below, one of a graph in export_graph.cpp.
// Tested by tests/cli/export_test.py, export_graph_test.py and archive_law_test.py.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/archive/archive.h"
#include "webstrata/archive/page_captures.h"
#include "webstrata/base/error.h"
#include "webstrata/capture/capture_lines.h"
#include "webstrata/cli/command.h"
#include "webstrata/cli/export_graph.h"
#include "webstrata/cli/lines.h"
#include "webstrata/cli/terminal.h"
#include "webstrata/cli/words.h"

namespace webstrata {
namespace {

struct ExportFlags {
  GraphFlags graph;
  std::string output;
  std::string form;
  std::string key = "pywb";
  bool quiet = false;
};

// How an archive is handed over.
struct ExportForm {
  std::string_view name;
  std::string_view summary;  // one line for the help text
  void (*write)(const ExportFlags& flags, ProgressLine& line);
};

// Forms that hold sightings are of all that an archive has.
Archive whole_archive(const ExportFlags& flags) {
  GraphFlags plain;
  plain.word = flags.graph.word;
  plain.threads = flags.graph.threads;
  if (flags.graph != plain) {
    throw Error(ErrorKind::BadInput,
                fmt::format("--as {} hands over a whole archive; times, levels, folding, kinds and "
                            "urls are for graphs",
                            flags.form));
  }
  return Archive::open(flags.graph.word);
}

// Every sighting of the archive in the order of keys, then of time.
void write_lines(const ExportFlags& flags, ProgressLine& line,
                 const std::function<void(std::string&, const Capture&)>& append) {
  constexpr Uid kNodesBetweenProgress = 1024;
  const Archive archive = whole_archive(flags);
  Lines lines(flags.output);
  for (Uid uid = 0; uid < archive.node_count(); ++uid) {
    if (uid % kNodesBetweenProgress == 0) {
      interruption().check();
      line.show({"exporting", uid, archive.node_count(), "urls"});
    }
    visit_captures(archive, uid, [&](const Capture& capture) {
      append(lines.buffer(), capture);
      lines.written();
    });
  }
  lines.commit();
}

void write_jsonl(const ExportFlags& flags, ProgressLine& line) {
  write_lines(flags, line, append_jsonl);
}

void write_cdxj(const ExportFlags& flags, ProgressLine& line) {
  const Dialect dialect = parse_dialect_flag("--key", flags.key);
  write_lines(flags, line, [dialect](std::string& out, const Capture& capture) {
    append_cdxj(out, capture, dialect);
  });
}

const std::vector<ExportForm>& export_forms() {
  static const std::vector<ExportForm> all = {
      {"jsonl", "everything, as JSON lines: build makes the same archive of it", write_jsonl},
      {"cdxj", "an index line for each sighting; pipe it through LC_ALL=C sort", write_cdxj},
  };
  return all;
}

std::string form_list() {
  std::string text;
  for (const ExportForm& form : export_forms()) {
    text += fmt::format("  {:12} {}\n", form.name, form.summary);
  }
  for (const GraphForm& form : graph_forms()) {
    text += fmt::format("  {:12} {}\n", form.name, form.summary);
  }
  return text;
}

const ExportForm& form_of(const std::string& name) {
  for (const ExportForm& form : export_forms()) {
    if (form.name == name) return form;
  }
  throw Error(ErrorKind::BadInput, fmt::format("--as {}: no such form (see --help)", name));
}

ExitCode run(const ExportFlags& flags) {
  ProgressLine line(!flags.quiet);
  for (const GraphForm& form : graph_forms()) {
    if (form.name != flags.form) continue;
    form.write(graph_of(flags.graph), flags.output, work_on(line, flags.graph.threads));
    return ExitCode::Done;
  }
  const ExportForm& form = form_of(flags.form);
  form.write(flags, line);
  return ExitCode::Done;
}

std::function<ExitCode()> declare(CLI::App& app) {
  const auto flags = std::make_shared<ExportFlags>();
  declare_graph(app, flags->graph);
  app.add_option("OUT", flags->output,
                 "A file, which appears only when complete; default: standard output");
  app.add_option("--as", flags->form, "The form, one of the list below")
      ->required()
      ->type_name("FORM");
  app.add_option("--key", flags->key, "Dialect of cdxj keys: pywb (default), ia, cdxj, exact")
      ->type_name("DIALECT");
  app.add_option("--threads", flags->graph.threads, "Threads; default: one for each core");
  app.add_flag("-q,--quiet", flags->quiet, "No progress");
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
  return {"export", "Hand an archive, or a graph, over to other tools", description, declare};
}

}  // namespace webstrata
