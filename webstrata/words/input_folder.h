// SPDX-License-Identifier: Apache-2.0

// A folder as an input: the crawl files in it.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

// Whether the name of a file says that it is a crawl file: .warc, .wat, .arc, .wacz, .cdx, .cdxj,
// .idx, .jsonl, .ndjson or .tsv, plain or with .gz, .zst or .lz4, and crawl.log.
bool is_crawl_file_name(std::string_view name);

// Whether it is the folder of an archive.
bool is_archive_folder(const std::filesystem::path& folder);

// All of them, also in folders below, in the order of their paths' bytes. `patterns`, such as
// "*.warc.gz", choose the files instead; one with a slash is about the path below the folder. Links
// to folders are not followed, and names that begin with a dot are passed over. Throws Error if
// there are none, or if it is an archive.
std::vector<std::string> crawl_files_in(const std::filesystem::path& folder,
                                        const std::vector<std::string>& patterns);

}  // namespace webstrata
