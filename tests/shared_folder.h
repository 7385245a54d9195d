// SPDX-License-Identifier: Apache-2.0

// Where the large test data is; tests that need it report a skip without it.

#pragma once

#include <filesystem>

namespace webstrata {

const std::filesystem::path& shared_folder();

}  // namespace webstrata
