// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/input_place_test.cpp.

#include "webstrata/capture/stream/input_place.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/capture/remote/remote_file.h"

namespace webstrata {

InputPlace look_at_input(const std::filesystem::path& path) {
  if (is_remote(path.native())) {
    const auto file = RemoteFile::open(path.native());
    return {file->has_ranges(), file->size().value_or(0)};
  }
  std::error_code no_file;
  const bool is_file = path != "-" && std::filesystem::is_regular_file(path, no_file);
  const auto size = is_file ? std::filesystem::file_size(path, no_file) : 0;
  return no_file || !is_file ? InputPlace{} : InputPlace{true, size};
}

std::string input_file_name(const std::string& path) {
  if (is_remote(path)) return remote_file_name(path);
  return path.substr(path.rfind('/') + 1);
}

void refuse_unknown_scheme(const std::filesystem::path& path) {
  const std::string_view scheme = scheme_of(path.native());
  if (scheme.empty() || is_remote(path.native()) || std::filesystem::exists(path)) return;
  const std::string_view remedy = scheme == "file"  ? "write the path alone"
                                  : scheme == "s3a" ? "write s3://"
                                                    : "use https:// or s3://, a mounted folder, or "
                                                      "in Python an object of fsspec";
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: {}:// cannot be read; {}", path.string(), scheme, remedy));
}

}  // namespace webstrata
