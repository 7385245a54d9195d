// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/scores_test.cpp and tests/archive/score_columns_test.cpp.

#include "webstrata/archive/disk/column_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameMax = 64;

}  // namespace

void check_column_name(std::string_view name) {
  const bool is_good =
      !name.empty() && name.size() <= kNameMax && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
      });
  if (is_good) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("'{}' cannot name scores: take 1 to {} letters, digits, '-' and '_'",
                          name, kNameMax));
}

std::string free_column_file(const fs::path& folder, std::string_view stem, std::string_view name) {
  for (int number = 0;; ++number) {
    std::string file = fmt::format("{}.{}.{}", stem, name, number);
    if (!fs::exists(folder / file)) return file;
  }
}

}  // namespace webstrata
