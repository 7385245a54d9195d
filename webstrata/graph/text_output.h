// SPDX-License-Identifier: Apache-2.0

// Text written piece by piece: to a file that appears whole or not at all, gzipped if its name ends
// in ".gz", or to standard output by the name "-".

#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

namespace webstrata {

class TextOutput {
 public:
  explicit TextOutput(const std::filesystem::path& path);
  ~TextOutput();
  TextOutput(TextOutput&&) noexcept;

  void write(std::string_view text);
  // Puts the file in place.
  void finish();

 private:
  class Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace webstrata
