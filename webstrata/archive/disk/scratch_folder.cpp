// Tested by tests/cli/archive_law_test.py.

#include "webstrata/archive/disk/scratch_folder.h"

#include <stdlib.h>  // mkdtemp is not in <cstdlib>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {

ScratchFolder::ScratchFolder(const std::filesystem::path& parent) {
  std::string name = (parent / "webstrata-scratch-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorKind::Io, fmt::format("{}: no folder for scratch files can be made: {}",
                                           parent.string(), std::strerror(errno)));
  }
  path_ = name;
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace webstrata
