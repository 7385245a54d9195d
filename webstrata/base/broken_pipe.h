// SPDX-License-Identifier: Apache-2.0

// The reader of a pipe has closed it: `webstrata export ... | head` has all that it wants.

#pragma once

#include <string>

#include "webstrata/base/error.h"

namespace webstrata {

// Not a failure: the program ends quietly where nothing but output was left to do.
class BrokenPipe : public Error {
 public:
  explicit BrokenPipe(const std::string& message) : Error(ErrorKind::Io, message) {}
};

}  // namespace webstrata
