// The formats that can be read, in the order in which they are tried.

#pragma once

#include <string_view>
#include <vector>

#include "webstrata/capture/reader.h"

namespace webstrata {

const std::vector<ReaderEntry>& readers();

// The first entry that recognises the bytes; null if none does.
const ReaderEntry* recognise(std::string_view first_bytes);

}  // namespace webstrata
