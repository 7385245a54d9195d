// SPDX-License-Identifier: Apache-2.0

// Variables of the environment.

#pragma once

#include <cstdlib>
#include <string>

namespace webstrata {

// Empty if there is no such variable.
inline std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace webstrata
