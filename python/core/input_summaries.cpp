// SPDX-License-Identifier: Apache-2.0

// Tested by tests/python/writing_test.py and tests/python/read_test.py.

#include "python/core/input_summaries.h"

namespace webstrata {

nb::dict counts_of(const Report& report) {
  nb::dict counts;
  for (const auto& [what, times] : report.counts()) counts[text_of(what)] = times;
  return counts;
}

nb::dict dict_of(const InputSummary& input) {
  nb::dict found;
  found["path"] = file_name_of(input.path);
  found["format"] = input.format;
  found["records"] = input.records;
  found["captures"] = input.captures;
  found["sightings"] = input.sightings;
  found["links"] = input.links;
  found["bytes"] = input.bytes;
  nb::list damages;
  for (const Damage& damage : input.report.damages()) {
    damages.append(nb::make_tuple(damage.offset, text_of(damage.reason)));
  }
  found["damages"] = damages;
  found["damage_count"] = input.report.damage_count();
  found["left_out"] = counts_of(input.report);
  found["error"] = input.error.empty() ? nb::none() : text_of(input.error);
  return found;
}

nb::list summaries_of(const std::vector<InputSummary>& inputs) {
  nb::list all;
  for (const InputSummary& input : inputs) all.append(dict_of(input));
  return all;
}

}  // namespace webstrata
