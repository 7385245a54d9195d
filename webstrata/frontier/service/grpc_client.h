// SPDX-License-Identifier: Apache-2.0

// connect_frontier() as the library has it. Private to module_*.cpp.

#pragma once

#include "webstrata/frontier/service/client.h"

namespace webstrata::frontier {

std::unique_ptr<FrontierClient> make_grpc_client(const ClientSettings& settings);

}  // namespace webstrata::frontier
