// SPDX-License-Identifier: Apache-2.0

// What a fuzz target promises about its input: a broken promise ends the program, which is a
// finding.

#pragma once

#include <cstdlib>

inline void require(bool holds) {
  if (!holds) std::abort();
}
