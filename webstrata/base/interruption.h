// SPDX-License-Identifier: Apache-2.0

// How waiting for bytes ends early: of a pipe, a server, another thread.

#pragma once

#include <functional>

namespace webstrata {

// While one lives, what waits for bytes on this thread also ends when `check` throws.
class FileInterruption {
 public:
  explicit FileInterruption(std::function<void()> check);
  FileInterruption(const FileInterruption&) = delete;
  FileInterruption& operator=(const FileInterruption&) = delete;
  ~FileInterruption();

 private:
  std::function<void()> check_;
  const std::function<void()>* before_;
};

// Throws Error(Cancelled) if this thread should wait no longer: by the above, or by the token of
// interrupt_files_by() in file.h.
void check_file_interruption();

}  // namespace webstrata
