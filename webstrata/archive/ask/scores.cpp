// SPDX-License-Identifier: Apache-2.0

// A column that replaces another gets a new file, so that no file changes while it is read.
// Tested by tests/archive/scores_test.cpp.

#include "webstrata/archive/ask/scores.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "webstrata/archive/ask/find_column.h"
#include "webstrata/archive/disk/column_files.h"
#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/disk/score_files.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

std::vector<double> read_column(const fs::path& folder, const LayerFile& file) {
  NodeScoreReader column(folder / file.name, file);
  std::vector<double> values(column.remaining());
  for (double& value : values) value = column.next();
  return values;
}

// A file that is not listed is not used; the next writer removes what is left.
void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

// The file of a new column, which is deleted if saving it fails (a full disk), unless MANIFEST
// names it already.
class ColumnDraft {
 public:
  ColumnDraft(fs::path archive, fs::path path)
      : archive_(std::move(archive)), path_(std::move(path)) {}
  ColumnDraft(const ColumnDraft&) = delete;
  ColumnDraft& operator=(const ColumnDraft&) = delete;
  ~ColumnDraft() {
    if (!is_listed_ && !may_be_listed()) remove_quietly(path_);
  }

  [[nodiscard]] const fs::path& path() const noexcept { return path_; }
  void is_listed_now() noexcept { is_listed_ = true; }

 private:
  [[nodiscard]] bool may_be_listed() const noexcept {
    try {
      const ColumnFiles listed = Manifest::load(archive_).scores;
      return std::ranges::any_of(
          listed, [&](const auto& column) { return column.second.name == path_.filename(); });
    } catch (const std::exception&) {
      return true;  // unknown, so nothing is deleted
    }
  }

  fs::path archive_;
  fs::path path_;
  bool is_listed_ = false;
};

// Removes a column from `columns`; returns the name of its file, or nothing.
std::string erase_column(ColumnFiles& columns, const std::string& name) {
  const auto found = columns.find(name);
  if (found == columns.end()) return "";
  std::string file = found->second.name;
  columns.erase(found);
  return file;
}

}  // namespace

void save_scores(const fs::path& archive, std::string_view name, std::uint64_t generation,
                 std::span<const double> values) {
  check_column_name(name);
  const WriterLock lock = WriterLock::take(archive);
  Manifest manifest = lock.manifest().value();
  if (manifest.link_scores.contains(std::string(name))) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: '{}' are the scores of a topic; take another name",
                            archive.string(), name));
  }
  if (manifest.generation != generation) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: was updated while '{}' was computed; compute it again",
                            archive.string(), name));
  }
  if (values.size() != manifest.counts.nodes) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} scores for {} nodes", values.size(), manifest.counts.nodes));
  }
  const fs::path folder = archive / generation_name(generation);
  ColumnDraft draft(archive, folder / free_column_file(folder, kNodeScoreStem, name));
  NodeScoreWriter writer(draft.path(), values.size());
  for (const double value : values) writer.add(value);
  const std::string old = erase_column(manifest.scores, std::string(name));
  manifest.scores.emplace(name, writer.finish());
  manifest.save(archive);
  draft.is_listed_now();
  if (!old.empty()) remove_quietly(folder / old);
}

bool remove_scores(const fs::path& archive, std::string_view name) {
  const WriterLock lock = WriterLock::take(archive);
  Manifest manifest = lock.manifest().value();
  const std::string column(name);
  const std::string of_nodes = erase_column(manifest.scores, column);
  const std::string of_links = erase_column(manifest.link_scores, column);
  if (of_nodes.empty() && of_links.empty()) return false;
  manifest.save(archive);
  const fs::path folder = archive / generation_name(manifest.generation);
  if (!of_nodes.empty()) remove_quietly(folder / of_nodes);
  if (!of_links.empty()) remove_quietly(folder / of_links);
  return true;
}

std::vector<std::string> score_names(const Archive& archive) {
  std::vector<std::string> names;
  for (const auto& [name, file] : archive.manifest().scores) names.push_back(name);
  return names;
}

std::vector<double> load_scores(const Archive& archive, std::string_view name) {
  const LayerFile file = find_column(archive, &Manifest::scores, name, "scores");
  return read_column(archive.path() / generation_name(archive.manifest().generation), file);
}

}  // namespace webstrata
