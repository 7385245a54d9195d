// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/bad_use_test.py.

#include "webstrata/cli/frame/output.h"

#include <unistd.h>

#include "webstrata/cli/frame/colour.h"

namespace webstrata {

Output::Output(const std::string& path, WhenClosed when_closed) : standard_(when_closed) {
  if (!path.empty() && path != "-") file_.emplace(FileWriter::create(path));
}

void Output::write(std::string_view bytes) {
  if (file_) {
    file_->write(bytes);
  } else {
    standard_.write(bytes);
  }
}

// The codes go around the text: Output escapes control characters.
void Output::write_heading(std::string_view line) {
  const std::string marked = coloured(" ", Tone::Heading, STDOUT_FILENO);
  const std::size_t text = marked.find(' ');
  if (file_ || marked.size() == 1) return write(line);
  write_all(STDOUT_FILENO, marked.substr(0, text), "standard output");
  write(line.substr(0, line.size() - 1));
  standard_.finish();
  write_all(STDOUT_FILENO, marked.substr(text + 1) + "\n", "standard output");
}

void Output::commit() {
  if (file_) {
    file_->commit();
  } else {
    standard_.finish();
  }
}

bool is_seen_on_terminal(const std::string& path) {
  return (path.empty() || path == "-") && ::isatty(STDOUT_FILENO) == 1;
}

void write_output(const std::string& path, std::string_view text) {
  Output output(path);
  output.write(text);
  output.commit();
}

}  // namespace webstrata
