// SPDX-License-Identifier: Apache-2.0

// A request to S3, signed unless it is anonymous.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "webstrata/capture/remote/s3_settings.h"
#include "webstrata/capture/remote/wire.h"

namespace webstrata {

using QueryFields = std::vector<std::pair<std::string, std::string>>;  // sorted by name

WireRequest s3_request(const S3Settings& settings, const ObjectName& object,
                       const QueryFields& query = {});

}  // namespace webstrata
