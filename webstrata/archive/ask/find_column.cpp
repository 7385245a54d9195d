// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/scores_test.cpp and tests/archive/score_columns_test.cpp.

#include "webstrata/archive/ask/find_column.h"

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {

LayerFile find_column(const Archive& archive, ColumnFiles Manifest::*columns, std::string_view name,
                      std::string_view what) {
  const Manifest& manifest = archive.manifest();
  const std::filesystem::path folder = archive.path() / generation_name(manifest.generation);
  const std::string column(name);
  const auto known = (manifest.*columns).find(column);
  if (known != (manifest.*columns).end() && std::filesystem::exists(folder / known->second.name)) {
    return known->second;
  }
  // Saved, or replaced, since the archive was opened.
  const Manifest now = Manifest::load(archive.path());
  const auto found = (now.*columns).find(column);
  if (now.generation == manifest.generation && found != (now.*columns).end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [other, file] : manifest.*columns) names.push_back(other);
  throw Error(ErrorKind::NotFound,
              fmt::format("{}: has no {} named '{}' ({})", archive.path().string(), what, name,
                          names.empty() ? std::string("none are saved")
                                        : fmt::format("there are: {}", fmt::join(names, ", "))));
}

}  // namespace webstrata
