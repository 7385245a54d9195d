// SPDX-License-Identifier: Apache-2.0

// Archives and graphs handed over to other tools. Tested by tests/python/export_test.py.

#include "python/core/export_module.h"
#include "python/core/long_work.h"
#include "webstrata/base/printable.h"
#include "webstrata/graph/text_output.h"
#include "webstrata/show/archive_lines.h"
#include "webstrata/show/graph_files.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

void export_graph(const Snapshot& graph, const std::string& form, const std::string& path,
                  unsigned threads, nb::object progress) {
  LongWork work(std::move(progress));
  work.run([&] {
    write_graph_file(graph, form, path, work.options(threads));
    return true;
  });
}

void write_lines(const Archive& archive, const std::string& form, const std::string& key,
                 const std::string& name, const WorkOptions& work, const TakeLines& take) {
  if (form == "jsonl") {
    jsonl_lines(archive, work, take);
  } else if (form == "cdxj") {
    cdxj_lines(archive, parse_dialect_word("key", key), work, take);
  } else if (form == "uids") {
    uid_lines(archive, work, take);
  } else if (form == "scores") {
    score_lines(archive, name, take);
  } else {
    throw Error(
        ErrorKind::BadInput,
        form + ": not a form of an archive: jsonl, cdxj, uids or scores; a graph has others");
  }
}

// Control characters are escaped, as on the command line.
void export_lines(const Archive& archive, const std::string& form, const std::string& path,
                  const std::string& key, const std::string& name, nb::object progress) {
  LongWork work(std::move(progress));
  work.run([&] {
    TextOutput out(path);
    write_lines(archive, form, key, name, work.options(0), [&](std::string_view lines) {
      out.write(printable(lines, {.keep_columns = true, .keep_ill_formed = true}));
    });
    out.finish();
    return true;
  });
}

}  // namespace

void bind_export(nb::module_& module) {
  module.def("export_graph", export_graph, "graph"_a, "form"_a, "path"_a, "threads"_a,
             "progress"_a.none());
  module.def("export_lines", export_lines, "archive"_a, "form"_a, "path"_a, "key"_a, "name"_a,
             "progress"_a.none());
}

}  // namespace webstrata
