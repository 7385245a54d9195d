// Where urls are handed over to a crawler: seeds, plans, orders. What an archive forgot is left
// out, even where a graph still has its name: forgotten from some date on, or known from another
// graph.
//
//   HandOver hand_over;
//   hand_over.ask("lib.ws@2021");
//   if (hand_over.may_name(url)) …

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/fetch/forgotten.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

class HandOver {
 public:
  // From now on the tombstones of this graph's archive count, if it is one (graph_word.h).
  void ask(const std::string& word);

  // The name of a node: a url, or a host.
  [[nodiscard]] bool may_name(const std::string& name) const;
  [[nodiscard]] std::vector<Node> forgotten(const Snapshot& graph) const;

  // "3 seeds were left out because they were forgotten", on standard error; nothing for none.
  static void tell(std::uint64_t count, std::string_view one, std::string_view many);

 private:
  std::vector<ForgottenUrl> archives_;
};

}  // namespace webstrata
