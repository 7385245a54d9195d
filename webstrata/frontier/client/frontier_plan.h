// SPDX-License-Identifier: Apache-2.0

// A URL Frontier service as the plan that several crawlers share.
//
//   settings.plan = frontier_plan(connect_frontier({.address = "127.0.0.1:7071"}));
//
// What a page was found by, and what became of it, are metadata of the URL: "depth", "from",
// "status", "outcome", "reason". Other metadata are kept as they came.

#pragma once

#include <memory>

#include "webstrata/fetch/crawl/shared_plan.h"
#include "webstrata/frontier/service/client.h"

namespace webstrata::frontier {

std::shared_ptr<SharedPlan> frontier_plan(std::unique_ptr<FrontierClient> client);

}  // namespace webstrata::frontier
