// Tested by tests/cli/export_graph_test.py and tests/cli/rank_test.py.

#include "webstrata/cli/flags/graph_flags.h"

#include "webstrata/cli/frame/command.h"

namespace webstrata {

void declare_graph(FlagSet& app, GraphFlags& flags) {
  app.add_option("GRAPH", flags.word,
                 "An archive (lib.ws, lib.ws@2015-06, lib.ws@2015..2016) or a graph file")
      ->required();
  auto* at = app.add_option("--at", flags.at, "The archive as it was at the last second of a date")
                 ->type_name("DATE");
  app.add_option("--during", flags.during, "What captures made then had: 2015, or 2015..2016-06")
      ->type_name("DATES")
      ->excludes(at);
  app.add_flag("--carry", flags.carry,
               "With a time from .. to: add what was there at its first second");
  app.add_option("--level", flags.level,
                 "Nodes are pages, hosts or domains: page (default), host, domain")
      ->type_name("LEVEL");
  declare_fold(app, flags.fold);
  app.add_option("--kinds", flags.kinds,
                 "Only links of these kinds: graph (default), all, or a list")
      ->type_name("KINDS");
  app.add_flag("--without-inner-links", flags.without_inner_links,
               "Leave out links inside a host, and of a host or domain to itself");
  app.add_option("--urls", flags.urls,
                 "Names for the nodes of a graph file, one a line, plain or gzip")
      ->type_name("FILE");
}

void declare_fold(FlagSet& app, std::string& fold) {
  app.add_option("--fold", fold, "Unite spellings that are one in this dialect: ia, pywb, cdxj")
      ->type_name("DIALECT");
}

WorkOptions work_on(ProgressLine& line, unsigned threads) {
  WorkOptions work;
  work.threads = threads;
  work.progress = [&line](const Progress& progress) { line.show(progress); };
  work.cancel = &interruption();
  return work;
}

}  // namespace webstrata
