// SPDX-License-Identifier: Apache-2.0

// What may be passed to a crawler: seeds, plans, orders. URLs that an archive forgot are left out,
// even where a graph still has their names: because they were forgotten from some date on, or are
// known from another graph.
//
//   HandOver hand_over;
//   hand_over.ask("lib.ws");
//   if (hand_over.may_name(url)) …

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "webstrata/facts/tombstones.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

class HandOver {
 public:
  // From now on the tombstones of this archive apply. A path without an archive has none. Throws
  // Error(NotFound) if their key is lost.
  void ask(const std::filesystem::path& archive);

  // The name of a node: a URL, or a host. False if an archive forgot it, altogether or as of now.
  [[nodiscard]] bool may_name(const std::string& name) const;
  [[nodiscard]] std::vector<Node> forgotten(const Snapshot& graph) const;

 private:
  std::vector<Tombstones> archives_;
};

}  // namespace webstrata
