// SPDX-License-Identifier: Apache-2.0

// The forms in which a graph, of an archive or out of a file, is handed over.
// Tested by tests/cli/export_graph_test.py.

#include "webstrata/cli/verbs/export_forms.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/flags/graph_flags.h"
#include "webstrata/graph/dated_network.h"
#include "webstrata/graph/network_writer.h"
#include "webstrata/show/graph_files.h"

namespace webstrata {
namespace {

// Text goes to standard output if no file is named.
std::string text_path(const ExportFlags& flags) {
  return flags.output.empty() ? "-" : flags.output;
}

std::string base_name(const ExportFlags& flags) {
  if (!flags.output.empty() && flags.output != "-") return flags.output;
  throw Error(ErrorKind::BadInput,
              fmt::format("--as {} writes several files: OUT is missing", flags.form));
}

void load_and_write(const ExportFlags& flags, const std::string& path, ProgressLine& line,
                    const WantedLinkColumns& columns = {}) {
  const WorkOptions work = work_on(line, flags.graph.threads);
  GraphSource source = graph_of(flags.graph);
  source.request.link_columns = columns;
  write_graph_file(load(source, work), flags.form, path, work);
}

}  // namespace

void export_bvgraph(const ExportFlags& flags, ProgressLine& line) {
  load_and_write(flags, base_name(flags), line);
}

void export_tsv(const ExportFlags& flags, ProgressLine& line) {
  load_and_write(flags, text_path(flags), line);
}

void export_ascii(const ExportFlags& flags, ProgressLine& line) {
  load_and_write(flags, text_path(flags), line);
}

void export_common_crawl(const ExportFlags& flags, ProgressLine& line) {
  load_and_write(flags, base_name(flags), line);
}

void export_graphml(const ExportFlags& flags, ProgressLine& line) {
  load_and_write(flags, text_path(flags), line, {.count = true, .seen = true});
}

void export_gexf(const ExportFlags& flags, ProgressLine& line) {
  GraphSource source = graph_of(flags.graph);
  source.request.work = work_on(line, flags.graph.threads);
  if (source.archive) {
    write_dated_network(*source.archive, source.request, *open_gexf(text_path(flags)));
  } else {
    write_graph_file(load(source, source.request.work), flags.form, text_path(flags),
                     source.request.work);
  }
}

}  // namespace webstrata
