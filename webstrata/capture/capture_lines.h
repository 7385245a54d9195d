// A capture as lines of text. The JSON form is what jsonl_reader.cpp reads again.

#pragma once

#include <string>

#include "webstrata/facts/sighting.h"
#include "webstrata/url/dialect.h"

namespace webstrata {

// One JSON object with every field that is known; "links" is there if the links are.
void append_jsonl(std::string& out, const Capture& capture);

// "time source target text" with tabs between, one line for each link; nothing for a sighting.
void append_tsv(std::string& out, const Capture& capture);

// CDXJ 0.1.0: "key timestamp {json}", numbers written as strings as pywb does.
void append_cdxj(std::string& out, const Capture& capture, Dialect dialect);

}  // namespace webstrata
