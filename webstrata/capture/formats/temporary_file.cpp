// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/temporary_file_test.cpp.

#include "webstrata/capture/formats/temporary_file.h"

#include <stdlib.h>  // NOLINT: mkstemp is POSIX
#include <unistd.h>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {

TemporaryFile::TemporaryFile(std::uint64_t bytes_max)
    : folder_(std::filesystem::temp_directory_path()), bytes_max_(bytes_max) {
  std::string name = (folder_ / "webstrata-XXXXXX").string();
  descriptor_ = mkstemp(name.data());
  if (descriptor_ < 0) {
    throw Error(ErrorKind::Io, name + ": no temporary file can be made here; set TMPDIR");
  }
  ::unlink(name.c_str());
  path_ = fmt::format("/proc/self/fd/{}", descriptor_);
  std::error_code unknown;
  const auto space = std::filesystem::space(folder_, unknown);
  if (!unknown) bytes_max_ = std::min<std::uint64_t>(bytes_max_, space.available / 2);
}

TemporaryFile::~TemporaryFile() { ::close(descriptor_); }

void TemporaryFile::write(std::string_view bytes) {
  if (bytes.size() > bytes_max_ - size_) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("more than {} bytes would go into the temporary folder {}; save the input "
                    "to a file and name that, or set TMPDIR",
                    bytes_max_, folder_.string()));
  }
  write_all(descriptor_, bytes, folder_.string());
  size_ += bytes.size();
}

}  // namespace webstrata
