// Tested by tests/archive/scores_test.cpp and tests/archive/link_scores_test.cpp.

#include "webstrata/archive/column_files.h"

#include <algorithm>
#include <vector>

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

LayerFile find_column(const Archive& archive, ColumnFiles Manifest::*columns, std::string_view name,
                      std::string_view what) {
  const Manifest& manifest = archive.manifest();
  const fs::path folder = archive.path() / generation_name(manifest.generation);
  const std::string column(name);
  const auto known = (manifest.*columns).find(column);
  if (known != (manifest.*columns).end() && fs::exists(folder / known->second.name)) {
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
