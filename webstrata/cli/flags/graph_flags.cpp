// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/export_graph_test.py and tests/cli/rank_test.py.

#include "webstrata/cli/flags/graph_flags.h"

#include "webstrata/cli/frame/command.h"

namespace webstrata {

void declare_graph(FlagSet& app, GraphFlags& flags) {
  app.group("Graph");
  app.add_option("GRAPH", flags.word,
                 "An archive (lib.ws, lib.ws@2015-06, lib.ws@2015..2016) or a graph file")
      ->required();
  auto* at =
      app.add_option("--at", flags.at, "Use the archive as it was at the last second of DATE")
          ->type_name("DATE");
  app.add_option("--during", flags.during,
                 "Use only captures made in DATES, such as 2015 or 2015..2016-06")
      ->type_name("DATES")
      ->excludes(at);
  app.add_flag("--carry", flags.carry,
               "With an interval of time: add what was there at its first second");
  app.add_option("--level", flags.level, "What the nodes are: page, host or domain (default page)")
      ->suggests({"page", "host", "domain"})
      ->type_name("LEVEL");
  declare_fold(app, flags.fold);
  app.add_option("--kinds", flags.kinds,
                 "Use only links of these kinds: graph, all, or a list such as navigation,embed "
                 "(default graph)")
      ->type_name("KINDS");
  app.add_flag("--without-inner-links", flags.without_inner_links,
               "Leave out links within a host, and links from a host or domain to itself");
  app.add_option("--urls", flags.urls,
                 "Names of the nodes of a graph file, one per line, plain or gzip")
      ->type_name("FILE");
  app.group(kPlainGroup);
}

void declare_fold(FlagSet& app, std::string& fold) {
  app.add_option("--fold", fold,
                 "Merge the spellings of a URL that are equal in this dialect: ia, pywb or cdxj "
                 "(default: none)")
      ->suggests({"ia", "pywb", "cdxj"})
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
