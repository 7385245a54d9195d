// SPDX-License-Identifier: Apache-2.0

// The archives that are served, by name, each at its current generation.
//
//   Archives archives({{"lib", "lib.ws"}});
//   const std::shared_ptr<const ServedArchive> lib = archives.find("lib");
//
// A question holds the generation that it began with, and a later one gets the current one:
// MANIFEST is looked at for every question, and once per second by refresh(), so that a generation
// that nobody asks about is released, and `forget` does not have to wait for it.

#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/serve/ask/answer_cache.h"
#include "webstrata/serve/ask/derived.h"

namespace webstrata::serve {

struct ArchivePlace {
  std::string name;
  std::filesystem::path path;
};

// "lib" of "lib.ws"; "old=lib.ws" names it "old". Throws Error(BadInput) if the name has characters
// other than letters, digits, '-', '_' and '.'.
ArchivePlace parse_archive_place(std::string_view word);

// One generation, and what was computed from it.
struct ServedArchive {
  ServedArchive(std::string name_given, Archive opened);

  std::string name;
  Archive archive;
  std::string tag;  // changes with the generation and with saved scores
  mutable Derived derived;
  mutable AnswerCache answers;
};

class Archives {
 public:
  // Opens all of them. Throws Error(BadInput) if two have the same name, and what Archive::open
  // throws.
  explicit Archives(const std::vector<ArchivePlace>& places);
  ~Archives();

  // Null if there is none of that name. Throws what Archive::open throws if a new generation cannot
  // be opened.
  [[nodiscard]] std::shared_ptr<const ServedArchive> find(std::string_view name);
  [[nodiscard]] std::vector<std::shared_ptr<const ServedArchive>> all();
  // Null if there is none of that name.
  [[nodiscard]] const ArchivePlace* place(std::string_view name) const noexcept;
  [[nodiscard]] const std::string& first_name() const;
  // Opens new generations and releases old ones. An archive that cannot be opened stays as it is.
  void refresh() noexcept;

 private:
  struct Entry;
  std::shared_ptr<const ServedArchive> current(Entry& entry);

  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace webstrata::serve
