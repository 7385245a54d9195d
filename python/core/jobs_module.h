// SPDX-License-Identifier: Apache-2.0

// Work that sends requests, and pages with pictures: the rooms `jobs` and `show` for Python.

#pragma once

#include "python/core/bindings.h"

namespace webstrata {

void bind_jobs(nb::module_& module);
void bind_reports(nb::module_& module);

}  // namespace webstrata
