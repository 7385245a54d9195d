// SPDX-License-Identifier: Apache-2.0

// Bytes as one gzip member: what a record of a WARC file and a block of a ZipNum index are.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

std::string gzip_member(std::string_view bytes);

}  // namespace webstrata
