// SPDX-License-Identifier: Apache-2.0

// The numbers that identify things; docs/GLOSSARY.md defines them.

#pragma once

#include <cstdint>

namespace webstrata {

using Uid = std::uint64_t;   // rank of a key among all keys of an archive, from 0
using Node = std::uint32_t;  // dense number inside one Snapshot

}  // namespace webstrata
