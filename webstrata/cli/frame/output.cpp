// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/bad_use_test.py.

#include "webstrata/cli/frame/output.h"

namespace webstrata {

Output::Output(const std::string& path) {
  if (!path.empty() && path != "-") file_.emplace(FileWriter::create(path));
}

void Output::write(std::string_view bytes) {
  if (file_) {
    file_->write(bytes);
  } else {
    standard_.write(bytes);
  }
}

void Output::commit() {
  if (file_) {
    file_->commit();
  } else {
    standard_.finish();
  }
}

void write_output(const std::string& path, std::string_view text) {
  Output output(path);
  output.write(text);
  output.commit();
}

}  // namespace webstrata
