// SPDX-License-Identifier: Apache-2.0

// The program itself as a contestant: archives are built and updated by running it.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/archive/sections.h"
#include "bench/timing.h"

namespace webstrata {

using Words = std::vector<std::string>;

class Program {
 public:
  // Archives go into a folder of their own below options.folder, which is emptied first.
  Program(const BenchOptions& options, const std::string& name);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] std::filesystem::path folder() const { return folder_; }
  // Runs `webstrata verb ARCHIVE inputs...`; `build` begins by removing the archive.
  Run build(const std::string& archive, const Words& inputs, const Words& flags = {}) const;
  Run update(const std::string& archive, const Words& inputs, const Words& flags = {}) const;
  Run compact(const std::string& archive) const;
  // The best of several updates, each of a fresh copy of the archive.
  Run update_copy(const std::string& archive, const Words& inputs, int repetitions) const;
  void copy(const std::string& archive, const std::string& copy) const;
  [[nodiscard]] std::string info(const std::string& archive) const;  // as JSON

 private:
  std::string program_;
  std::filesystem::path folder_;
};

}  // namespace webstrata
