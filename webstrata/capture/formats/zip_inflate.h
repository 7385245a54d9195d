// The content of a deflated ZIP entry, inflated while it is read: nothing of it is kept.

#pragma once

#include <cstdint>
#include <memory>

#include "webstrata/capture/formats/zip_directory.h"
#include "webstrata/capture/stream/byte_producer.h"

namespace webstrata {

// Never gives more than entry.size bytes. Damage (of the data, of the checksum) goes to the Report
// once it is met; what could be saved before it has been given then. `zip` and `report` outlive the
// result.
std::unique_ptr<ByteProducer> inflate_zip_entry(RandomAccess& zip, std::uint64_t data_offset,
                                                const ZipEntry& entry, Report& report);

}  // namespace webstrata
