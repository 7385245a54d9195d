// SPDX-License-Identifier: Apache-2.0

// The commands of the program, in the groups and the order in which --help shows them.

#include "webstrata/cli/frame/command.h"

namespace webstrata {

Command build_command();     // build.cpp
Command captures_command();  // captures.cpp
Command crawl_command();     // crawl.cpp
Command diff_command();      // diff.cpp
Command explore_command();   // explore.cpp
Command export_command();    // export.cpp
Command compact_command();   // compact.cpp
Command extract_command();   // extract.cpp
Command forget_command();    // forget.cpp
Command frontier_command();  // frontier.cpp
Command info_command();      // info.cpp
Command links_command();     // links.cpp
Command liverank_command();  // liverank.cpp
Command probe_command();     // probe.cpp
Command rank_command();      // rank.cpp
Command replay_command();    // replay.cpp
Command seeds_command();     // seeds.cpp
Command serve_command();     // serve.cpp
Command stats_command();     // stats.cpp
Command update_command();    // update.cpp
Command url_command();       // url.cpp
Command verify_command();    // verify.cpp

namespace {

std::vector<Command> grouped() {
  std::vector<Command> all;
  const auto add = [&all](std::string_view group, std::initializer_list<Command> commands) {
    for (Command command : commands) {
      command.group = group;
      all.push_back(command);
    }
  };
  add("Read crawl files", {extract_command()});
  add("Build and change an archive",
      {build_command(), update_command(), compact_command(), forget_command(), verify_command()});
  add("Ask an archive", {info_command(), url_command(), captures_command(), links_command(),
                         diff_command(), stats_command(), export_command(), rank_command()});
  add("Serve over HTTP", {serve_command(), replay_command()});
  add("Decide what to crawl", {seeds_command(), liverank_command(), explore_command()});
  add("Fetch from the web", {probe_command(), crawl_command(), frontier_command()});
  return all;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> all = grouped();
  return all;
}

}  // namespace webstrata
