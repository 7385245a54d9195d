// SPDX-License-Identifier: Apache-2.0
#include "tests/shared_folder.h"

namespace webstrata {

const std::filesystem::path& shared_folder() {
  static const std::filesystem::path folder = WEBSTRATA_SHARED_DIR;
  return folder;
}

}  // namespace webstrata
