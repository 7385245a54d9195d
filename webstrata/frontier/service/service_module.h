// SPDX-License-Identifier: Apache-2.0

// What service.cpp finds in the library.

#pragma once

#include "webstrata/frontier/service/client.h"
#include "webstrata/frontier/service/service.h"

namespace webstrata::frontier {

struct ServiceFunctions {
  decltype(&serve_frontier) serve = nullptr;
  decltype(&dump_frontier) dump = nullptr;
  decltype(&load_frontier) load = nullptr;
  decltype(&connect_frontier) connect = nullptr;
};

inline constexpr const char* kServiceLibrary = "libwebstrata_frontier.so";
inline constexpr const char* kServiceFunction = "webstrata_frontier_functions";
using FindServiceFunctions = void(ServiceFunctions& functions);

// Of the library, which is loaded when this is first called. Throws Error(Io).
const ServiceFunctions& service_functions();

}  // namespace webstrata::frontier
