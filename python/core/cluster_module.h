// SPDX-License-Identifier: Apache-2.0

// Binds the room cluster for webstrata.spark.

#pragma once

#include <nanobind/nanobind.h>

namespace webstrata::cluster {

void bind(nanobind::module_& parent);

}  // namespace webstrata::cluster
