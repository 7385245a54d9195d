// SPDX-License-Identifier: Apache-2.0

// The program's side of service.h: loads the library, once. Tested by
// tests/frontier/service_test.py.

#include "webstrata/frontier/service/service.h"

#include <dlfcn.h>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/frontier/service/service_module.h"

namespace webstrata::frontier {
namespace {

[[noreturn]] void fail_to_load() {
  const char* reason = dlerror();
  throw Error(
      ErrorKind::Io,
      fmt::format("cannot load {}: {}. Install webstrata with all of its files; it is built "
                  "only where gRPC is installed",
                  kServiceLibrary, reason != nullptr ? reason : "damaged"));
}

// The library is next to the program or where `cmake --install` puts it (RUNPATH).
ServiceFunctions load_functions() {
  void* library = dlopen(kServiceLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail_to_load();
  auto* find = reinterpret_cast<FindServiceFunctions*>(dlsym(library, kServiceFunction));
  if (find == nullptr) fail_to_load();
  ServiceFunctions functions;
  find(functions);
  return functions;
}

}  // namespace

const ServiceFunctions& service_functions() {
  static const ServiceFunctions loaded = load_functions();
  return loaded;
}

void serve_frontier(const ServiceSettings& settings, const ServiceHooks& hooks) {
  service_functions().serve(settings, hooks);
}

void dump_frontier(const ServiceSettings& settings,
                   const std::function<void(std::string_view line)>& write) {
  service_functions().dump(settings, write);
}

LoadedUrls load_frontier(const ServiceSettings& settings,
                         const std::function<bool(std::string& line)>& next) {
  return service_functions().load(settings, next);
}

}  // namespace webstrata::frontier
