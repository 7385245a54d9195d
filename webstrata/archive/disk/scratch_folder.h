// SPDX-License-Identifier: Apache-2.0

// A folder for scratch files; it is deleted with everything in it.

#pragma once

#include <filesystem>

namespace webstrata {

class ScratchFolder {
 public:
  // A new folder inside `parent`, where folders of killed processes are removed. Throws Error(Io).
  explicit ScratchFolder(const std::filesystem::path& parent);
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // held as long as this process lives
};

}  // namespace webstrata
