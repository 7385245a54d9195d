// SPDX-License-Identifier: Apache-2.0

// The formats in which seeds are passed to crawlers.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/show/text_table.h"

namespace webstrata {

struct SeedLine {
  std::string url;
  double score = 0;  // of its method; the best first
  std::string why;
};

// The place of a seed among all.
struct SeedPlace {
  std::size_t index = 0;  // from 0, in the order of choice
  std::size_t count = 0;
  double score_max = 0;
};

struct SeedForm {
  std::string_view name;
  std::string_view summary;
  // Appends the line of one seed.
  void (*append)(std::string& out, const SeedLine& seed, const SeedPlace& place);
};

// Of the form csv.
Cells seed_columns();

const std::vector<SeedForm>& seed_forms();
// Throws Error(BadInput) if there is none of that name.
const SeedForm& seed_form(std::string_view name);

// All seeds in that form.
std::string written(std::span<const SeedLine> seeds, const SeedForm& form);

}  // namespace webstrata
