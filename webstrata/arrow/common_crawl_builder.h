// SPDX-License-Identifier: Apache-2.0

// Rows of Common Crawl's columnar index. Private to capture_table.cpp.

#pragma once

#include "webstrata/arrow/capture_table.h"

namespace webstrata::arrow {

std::unique_ptr<CaptureBuilder> make_common_crawl_builder();

}  // namespace webstrata::arrow
