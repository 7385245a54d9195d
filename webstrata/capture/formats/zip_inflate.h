// The content of a deflated ZIP entry, piece by piece.

#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "webstrata/capture/formats/zip_directory.h"

namespace webstrata {

// Never gives more than entry.size bytes. Damage (of the data, of the checksum) goes to the
// Report; what could be saved before it has been given then.
void inflate_zip_entry(RandomAccess& zip, std::uint64_t data_offset, const ZipEntry& entry,
                       Report& report, const std::function<void(std::string_view)>& give);

}  // namespace webstrata
