// SPDX-License-Identifier: Apache-2.0

// Checks that everything in an archive is as it was written and consistent.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "webstrata/base/work.h"

namespace webstrata {

struct VerifyResult {
  std::vector<std::string> problems;  // one line each, naming file and block; empty: all is well
  // The problems that a killed command left: running it again fixes them. An older copy would bring
  // back what was forgotten.
  std::vector<std::string> interrupted;
  std::vector<std::string> unchecked;  // files that this user may not read
  bool has_tombstones = false;         // a copy from before a forget would undo it
  std::uint64_t files = 0;
  std::uint64_t blocks = 0;
  std::uint64_t bytes = 0;
  [[nodiscard]] bool is_clean() const noexcept { return problems.empty(); }
  [[nodiscard]] bool is_damaged() const noexcept { return problems.size() > interrupted.size(); }
};

// Checks sizes and checksums of all files and blocks; decodes everything; compares every layer with
// the ones it must agree with (keys ascend, targets exist, rows have times, captures have
// sightings, in-links mirror links, counts and digests are those of MANIFEST); looks for what a
// killed command left, for residue of a forget and for files that do not belong; and checks that
// the tombstones can be read with their key. Throws only if the archive cannot be opened at all.
VerifyResult verify(const std::filesystem::path& archive, const WorkOptions& work = {});

}  // namespace webstrata
