// SPDX-License-Identifier: Apache-2.0

// Tested by tests/base/threads_test.cpp.

#include "webstrata/base/progress.h"

#include "webstrata/base/error.h"

namespace webstrata {

void CancelToken::check() const {
  if (cancelled()) throw Error(ErrorKind::Cancelled, "interrupted");
}

}  // namespace webstrata
