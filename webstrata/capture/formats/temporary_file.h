// A file without a future: bytes that must lie on disk for a while, removed with the object.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace webstrata {

class TemporaryFile {
 public:
  // In the system's folder for such files. Throws Error(Io).
  TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  void write(std::string_view bytes);
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace webstrata
