// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/score_columns_test.cpp.

#include "webstrata/archive/ask/link_scores.h"

#include "webstrata/archive/ask/find_column.h"
#include "webstrata/archive/disk/score_files.h"

namespace webstrata {
namespace {

LinkScoreReader open_column(const Archive& archive, std::string_view name) {
  const LayerFile file = find_column(archive, &Manifest::link_scores, name, "scores of links");
  const auto folder = archive.path() / generation_name(archive.manifest().generation);
  return {folder / file.name, file};
}

}  // namespace

std::vector<std::string> link_score_names(const Archive& archive) {
  std::vector<std::string> names;
  for (const auto& [name, file] : archive.manifest().link_scores) names.push_back(name);
  return names;
}

void visit_link_scores(const Archive& archive, std::string_view name,
                       const std::function<void(const LinkScoreRow&)>& visit) {
  LinkScoreReader column = open_column(archive, name);
  LinkScoreRow row;
  while (column.next(row)) visit(row);
}

std::string link_score_note(const Archive& archive, std::string_view name) {
  return open_column(archive, name).note();
}

}  // namespace webstrata
