// SPDX-License-Identifier: Apache-2.0

// Indexes of WARC files: CDXJ as pywb writes it, sorted bytewise.
//
//   write_warc_index("A-00000.warc.gz", "A-00000.cdxj");
//   merge_indexes({"A-00000.cdxj", "A-00001.cdxj"}, [](std::string_view line) { … });

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

// "A-00000.cdxj" for "A-00000.warc.gz".
std::string index_name_of(const std::filesystem::path& warc);

// A line for each record with a response. The index appears when it is complete and durable.
// Throws Error(Corrupt) if the file is damaged, for then the index would lack something.
void write_warc_index(const std::filesystem::path& warc, const std::filesystem::path& index);

// The lines of sorted indexes in one order, each with its line end. Throws Error(NotFound),
// Error(Io).
void merge_indexes(const std::vector<std::filesystem::path>& indexes,
                   const std::function<void(std::string_view line)>& take);

}  // namespace webstrata
