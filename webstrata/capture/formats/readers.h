// SPDX-License-Identifier: Apache-2.0

// The formats that crawls come in: one line each, recognised by their bytes.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "webstrata/capture/record/reader.h"

namespace webstrata {

// In the order in which they are tried: the strict ones first.
const std::vector<ReaderEntry>& readers();

// The first reader that recognises these bytes (decompressed); null if none does.
const ReaderEntry* recognise(std::string_view first_bytes);

// The same for a stream, whose start may be damaged: it is then moved to the first gap after which
// a reader recognises the bytes.
const ReaderEntry* recognise(InputStream& in);

// For a file that nothing recognises, because its first bytes are destroyed: where to begin to read
// it as a WARC. That is where a gzip, zstd or lz4 member begins that starts with a record, or a
// line that does; 0 if the file is a single compressed stream with the damage inside. Empty if
// there is no record in its first 16 MB.
std::optional<std::uint64_t> find_warc_after_damage(const std::filesystem::path& path);

}  // namespace webstrata
