// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/input_folder_test.cpp.

#include "webstrata/words/input_folder.h"

#include <fnmatch.h>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCompressions[] = {".gz", ".zst", ".lz4"};
constexpr std::string_view kEndings[] = {".warc", ".wat", ".arc",   ".wacz",   ".cdx",
                                         ".cdxj", ".idx", ".jsonl", ".ndjson", ".tsv"};

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

bool matches(const std::string& pattern, const fs::path& below) {
  const bool is_path = pattern.find('/') != std::string::npos;
  const std::string text = is_path ? below.string() : below.filename().string();
  return ::fnmatch(pattern.c_str(), text.c_str(), is_path ? FNM_PATHNAME : 0) == 0;
}

bool is_wanted(const fs::path& below, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return is_crawl_file_name(below.filename().string());
  return std::ranges::any_of(patterns, [&](const auto& one) { return matches(one, below); });
}

[[noreturn]] void refuse_empty(const fs::path& folder, const std::vector<std::string>& patterns) {
  if (!patterns.empty()) {
    refuse(fmt::format("{}: the folder has no file that matches --include {}", folder.string(),
                       fmt::join(patterns, " or ")));
  }
  refuse(
      fmt::format("{}: the folder has no crawl files (.warc.gz, .wat, .arc, .wacz, .cdx, .cdxj, "
                  ".jsonl, .tsv, …); --include '*' reads every file in it",
                  folder.string()));
}

}  // namespace

bool is_crawl_file_name(std::string_view name) {
  for (const std::string_view compression : kCompressions) {
    if (!name.ends_with(compression)) continue;
    name.remove_suffix(compression.size());
    break;
  }
  return name == "crawl.log" || std::ranges::any_of(kEndings, [name](std::string_view ending) {
           return name.ends_with(ending);
         });
}

bool is_archive_folder(const fs::path& folder) {
  std::error_code unreadable;
  return fs::exists(folder / "MANIFEST", unreadable);
}

std::vector<std::string> crawl_files_in(const fs::path& folder,
                                        const std::vector<std::string>& patterns) {
  if (is_archive_folder(folder)) {
    refuse(
        fmt::format("{0}: is an archive, which only build and update take as an input, not on "
                    "Spark; to read it: webstrata export {0} --as jsonl | webstrata ... -",
                    folder.string()));
  }
  std::vector<std::string> files;
  for (auto it = fs::recursive_directory_iterator(folder); it != fs::end(it); ++it) {
    const fs::path& path = it->path();
    if (is_hidden(path)) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file() && is_wanted(path.lexically_relative(folder), patterns)) {
      files.push_back(path.string());
    }
  }
  if (files.empty()) refuse_empty(folder, patterns);
  std::ranges::sort(files);
  return files;
}

}  // namespace webstrata
