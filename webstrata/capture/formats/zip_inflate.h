// SPDX-License-Identifier: Apache-2.0

// The content of a deflated ZIP entry, inflated while it is read, without keeping it.

#pragma once

#include <cstdint>
#include <memory>

#include "webstrata/capture/formats/zip_directory.h"
#include "webstrata/capture/stream/byte_producer.h"

namespace webstrata {

// Never gives more than entry.size bytes. Damage (of the data, of the checksum) is reported when it
// is reached, after the content before it has been returned. `zip` and `report` outlive the result.
std::unique_ptr<ByteProducer> inflate_zip_entry(RandomAccess& zip, std::uint64_t data_offset,
                                                const ZipEntry& entry, Report& report);

}  // namespace webstrata
