// SPDX-License-Identifier: Apache-2.0

// The folders and files directly below a path such as "example.org/doc/*".
//
//   const FolderRange below = folder_range(question, "example.org/doc/*");
//   if (const auto folder = folder_of(archive.url(uid), below.depth)) ... folder->path ...

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "webstrata/serve/ask/question.h"

namespace webstrata::serve {

struct FolderRange {
  UidRange nodes = {};    // all that is below the path
  std::size_t depth = 0;  // bytes of a path up to its last slash
};
// Throws Problem 400 if the word is not the beginning of a URL.
FolderRange folder_range(const Question& question, const std::string& word);

struct FolderName {
  std::string path;  // "/doc/one/" or "/doc/index.html"
  std::string url;
};
// Where a URL below such a path belongs; empty if it is not a URL.
std::optional<FolderName> folder_of(const std::string& href, std::size_t depth);

}  // namespace webstrata::serve
