// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/hand_over_test.py and tests/python/hand_over_test.py.

#include "webstrata/graph/hand_over.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/forget.h"
#include "webstrata/base/time.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace webstrata {

void HandOver::ask(const std::filesystem::path& archive) {
  if (!std::filesystem::exists(archive / "MANIFEST")) return;
  auto tombstones = load_tombstones(archive, Manifest::load(archive));
  if (tombstones) archives_.push_back(std::move(*tombstones));
}

bool HandOver::may_name(const std::string& name) const {
  Url url;
  if (archives_.empty()) return true;
  if (!parse_url(name, url) && !parse_url(fmt::format("http://{}/", name), url)) return true;
  std::string key;
  append_key(url, key);
  const Time time = now();
  return std::ranges::none_of(archives_, [&](const Tombstones& forgets) {
    return forgets.covers(key, std::nullopt) || forgets.covers(key, time);
  });
}

std::vector<Node> HandOver::forgotten(const Snapshot& graph) const {
  std::vector<Node> nodes;
  if (archives_.empty() || !graph.has_names()) return nodes;
  for (Node node = 0; node < graph.node_count(); ++node) {
    if (!may_name(graph.name(node))) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace webstrata
