// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/origin_test.cpp.

#include "webstrata/fetch/wire/origin.h"

#include <fmt/format.h>

namespace webstrata {

std::string origin_of(const Url& url) {
  if (url.port().empty()) return fmt::format("{}://{}", url.scheme(), url.host());
  return fmt::format("{}://{}:{}", url.scheme(), url.host(), url.port());
}

}  // namespace webstrata
