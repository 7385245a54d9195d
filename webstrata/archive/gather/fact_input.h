// SPDX-License-Identifier: Apache-2.0

// What a merge reads from: sorted keys, then pages in the order of their keys.

#pragma once

#include <cstdint>
#include <string>

#include "webstrata/archive/gather/page.h"

namespace webstrata {

class FactInput {
 public:
  virtual ~FactInput() = default;

  // The next key, ascending; false at the end. Keys are numbered from 0.
  virtual bool next_key(std::string& key) = 0;
  // The number of the next page's key; false at the end.
  virtual bool next_page(std::uint64_t& number) = 0;
  // Reads the page that next_page() announced: normalised, its URLs by number, including derived
  // rows if the input has them.
  virtual void read_page(PageFacts& page) = 0;
  // Pages before `number` are skipped without decoding where the input can.
  virtual void skip_pages(std::uint64_t number) = 0;
  // From here on pages may have only the times of their rows, without links.
  virtual void want_times_only() {}
};

}  // namespace webstrata
