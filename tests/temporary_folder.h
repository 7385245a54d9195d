// SPDX-License-Identifier: Apache-2.0

// A temporary folder for a test, deleted afterwards.

#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace webstrata {

class TemporaryFolder {
 public:
  // In memory where the system offers it: a test that makes a thousand archives must not wait for a
  // disk to sync each of their files.
  TemporaryFolder() {
    const std::filesystem::path memory = "/dev/shm";
    const bool has_memory = ::access(memory.c_str(), W_OK) == 0;
    const std::filesystem::path parent =
        has_memory ? memory : std::filesystem::temp_directory_path();
    std::string name = (parent / "webstrata-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace webstrata
