// Bytes that are made when they are asked for: the content of a ZIP entry while it is inflated.

#pragma once

#include <cstddef>

namespace webstrata {

class ByteProducer {
 public:
  virtual ~ByteProducer() = default;
  // Fills `to` as far as there are bytes; returns how many. Fewer than `size` only at the end.
  virtual std::size_t produce(char* to, std::size_t size) = 0;
};

}  // namespace webstrata
