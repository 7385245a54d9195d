// SPDX-License-Identifier: Apache-2.0

// The lines of a file, plain or compressed.

#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace webstrata {

void for_each_line(const std::filesystem::path& path,
                   const std::function<void(std::string_view)>& use);

}  // namespace webstrata
