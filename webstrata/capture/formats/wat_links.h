// SPDX-License-Identifier: Apache-2.0

// WAT: what another extractor found in a WARC record, as JSON.
//
// The framing is WARC's: one metadata record per record described. Links are as the page wrote
// them; here they are resolved. The layout is that of webarchive-commons; there is no standard for
// it.

#pragma once

#include <cstdint>
#include <string_view>

#include "webstrata/base/report.h"
#include "webstrata/capture/record/link_collector.h"
#include "webstrata/capture/record/reader.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {

// Fills `capture`, which the caller has cleared, from one record's JSON. Sets file, offset and
// length to those of the record that is described. False if it gives no fact: it describes a
// request or the like, or it is damaged, which is reported with `offset`.
bool read_wat(std::string_view json, const ReadOptions& options, LinkCollector& collector,
              Report& report, std::uint64_t offset, Capture& capture);

}  // namespace webstrata
