// SPDX-License-Identifier: Apache-2.0

// Bytes that are produced on demand: the content of a ZIP entry while it is inflated.

#pragma once

#include <cstddef>

namespace webstrata {

class ByteProducer {
 public:
  virtual ~ByteProducer() = default;
  // Fills `to` and returns the number of bytes, fewer than `size` only at the end.
  virtual std::size_t produce(char* to, std::size_t size) = 0;
};

}  // namespace webstrata
