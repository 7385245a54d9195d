// SPDX-License-Identifier: Apache-2.0

// Bytes that must be on disk for a while. The file has no name in its folder, so that it disappears
// however the program ends; its size is limited.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace webstrata {

class TemporaryFile {
 public:
  // The maximum size of a file; nor does it take more than half of the free space in its folder.
  static constexpr std::uint64_t kBytesMax = std::uint64_t{64} << 30;

  // In the system's folder for temporary files. Throws Error(Io).
  explicit TemporaryFile(std::uint64_t bytes_max = kBytesMax);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  // Throws Error(Io), and Error(BadInput) beyond the limit.
  void write(std::string_view bytes);
  // Opens the file; valid as long as this object lives.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t bytes_max_;
};

}  // namespace webstrata
