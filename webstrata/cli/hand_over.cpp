// Tested by tests/cli/hand_over_test.py.

#include "webstrata/cli/hand_over.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "webstrata/base/counted.h"
#include "webstrata/cli/command.h"

namespace webstrata {
namespace {

const Clock& machine_clock() {
  static const SystemClock clock;
  return clock;
}

}  // namespace

void HandOver::ask(const std::string& word) {
  for (const std::filesystem::path& path :
       {std::filesystem::path(word), std::filesystem::path(word.substr(0, word.rfind('@')))}) {
    if (!std::filesystem::exists(path / "MANIFEST")) continue;
    archives_.push_back(forgotten_by_archive(path, machine_clock()));
    return;
  }
}

bool HandOver::may_name(const std::string& name) const {
  Url url;
  if (!parse_url(name, url) && !parse_url(fmt::format("http://{}/", name), url)) return true;
  return std::ranges::none_of(archives_, [&](const ForgottenUrl& forgets) { return forgets(url); });
}

std::vector<Node> HandOver::forgotten(const Snapshot& graph) const {
  std::vector<Node> nodes;
  if (archives_.empty() || !graph.has_names()) return nodes;
  for (Node node = 0; node < graph.node_count(); ++node) {
    if (!may_name(graph.name(node))) nodes.push_back(node);
  }
  return nodes;
}

void HandOver::tell(std::uint64_t count, std::string_view one, std::string_view many) {
  if (count == 0) return;
  complain(fmt::format("left out, because the archive forgot {}: {}", count == 1 ? "it" : "them",
                       counted(count, one, many)));
}

}  // namespace webstrata
