// SPDX-License-Identifier: Apache-2.0

// Tested by tests/frontier/crawl_test.py.

#include "webstrata/frontier/service/client.h"

#include "webstrata/frontier/service/service_module.h"

namespace webstrata::frontier {

std::unique_ptr<FrontierClient> connect_frontier(const ClientSettings& settings) {
  return service_functions().connect(settings);
}

}  // namespace webstrata::frontier
