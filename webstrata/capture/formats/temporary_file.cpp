// Tested by tests/capture/wacz_reader_test.cpp.

#include "webstrata/capture/formats/temporary_file.h"

#include <stdlib.h>  // NOLINT: mkstemp is POSIX
#include <unistd.h>

#include <string>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {

TemporaryFile::TemporaryFile() {
  std::string name = (std::filesystem::temp_directory_path() / "webstrata-XXXXXX").string();
  descriptor_ = mkstemp(name.data());
  if (descriptor_ < 0) {
    throw Error(ErrorKind::Io, name + ": no temporary file can be made here; set TMPDIR");
  }
  path_ = name;
}

TemporaryFile::~TemporaryFile() {
  close(descriptor_);
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void TemporaryFile::write(std::string_view bytes) { write_all(descriptor_, bytes, path_.string()); }

}  // namespace webstrata
