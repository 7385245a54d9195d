// Where the large test data lies; tests that need it skip loudly without it.

#pragma once

#include <filesystem>

namespace webstrata {

const std::filesystem::path& shared_folder();

}  // namespace webstrata
