// Tested by tests/cli/bad_use_test.py.

#include "webstrata/cli/output.h"

#include <unistd.h>

namespace webstrata {

Output::Output(const std::string& path) {
  if (!path.empty() && path != "-") file_.emplace(FileWriter::create(path));
}

void Output::write(std::string_view bytes) {
  if (file_) {
    file_->write(bytes);
  } else {
    write_all(STDOUT_FILENO, bytes, "standard output");
  }
}

void Output::commit() {
  if (file_) file_->commit();
}

}  // namespace webstrata
