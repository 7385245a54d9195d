// SPDX-License-Identifier: Apache-2.0

// Work that sends requests, and pages with pictures: the rooms `jobs` and `show` for Python.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/core/bindings.h"
#include "python/core/long_work.h"
#include "webstrata/jobs/given_word.h"
#include "webstrata/jobs/probe_settings.h"

namespace webstrata {

// Settings by the names that Python uses: "host_budget", ["20"].
using NamedWords = std::vector<std::pair<std::string, std::vector<std::string>>>;

template <typename Settings>
void set_all(Settings& settings, const NamedWords& words,
             void (*set)(Settings&, std::string_view, const GivenWord&)) {
  for (const auto& [name, values] : words) {
    std::string flag = name;
    std::ranges::replace(flag, '_', '-');
    set(settings, flag, {name, values});
  }
}

// What Python asks of a probe; ends with the work.
inline ProbeJobOptions probe_options_of(const NamedWords& words, LongWork& work) {
  ProbeSettings settings;
  set_all(settings, words, set_probe_setting);
  ProbeJobOptions options = probe_options_of(settings);
  options.cancel = work.cancel();
  return options;
}

// The names of files, as Python spells them.
inline nb::list names_of(const std::vector<std::filesystem::path>& files) {
  nb::list names;
  for (const auto& file : files) names.append(file_name_of(file.string()));
  return names;
}

void bind_jobs(nb::module_& module);
void bind_reports(nb::module_& module);

}  // namespace webstrata
