// SPDX-License-Identifier: Apache-2.0

// A generation, or a stratum of one, as an input of a merge.

#pragma once

#include <memory>

#include "webstrata/archive/gather/fact_input.h"
#include "webstrata/archive/read/generation_reader.h"

namespace webstrata {

// `generation` outlives the input. Pages include the rows that were derived from revisits.
std::unique_ptr<FactInput> open_generation(const GenerationReader& generation);

// Likewise, without those rows.
std::unique_ptr<FactInput> open_facts(const GenerationReader& generation);

}  // namespace webstrata
