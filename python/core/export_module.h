// SPDX-License-Identifier: Apache-2.0

// Archives and graphs as files of other tools, for Python.

#pragma once

#include "python/core/bindings.h"

namespace webstrata {

void bind_export(nb::module_& module);

}  // namespace webstrata
