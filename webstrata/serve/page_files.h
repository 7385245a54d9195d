// SPDX-License-Identifier: Apache-2.0

// The page for people: files built from web/ and embedded in the program.

#pragma once

#include <string>
#include <string_view>

#include "webstrata/serve/wire/request.h"
#include "webstrata/serve/wire/response.h"

namespace webstrata::serve {

struct PageFile {
  std::string_view name;  // "app.js"; the page itself has the empty name
  std::string_view content_type;
  std::string_view content;
};

// The file at that path below the base path; null if there is none.
const PageFile* find_page_file(std::string_view path);
// The page itself, if the path is one of its views: "a/…".
const PageFile* page_of_view(std::string_view path);

// The page learns its base path from an element <base>, so its own addresses are relative.
Response page_response(const PageFile& file, const Request& request, const std::string& base_path);

}  // namespace webstrata::serve
