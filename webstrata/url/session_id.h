// SPDX-License-Identifier: Apache-2.0

// Session identifiers in old web applications' URLs, which archives strip so that captures of one
// page share a key. Case does not matter.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// "/(S(24 letters))/page.aspx" loses the part in brackets.
void strip_path_session(std::string& path);

// "jsessionid=", "phpsessid=", "sid=" with 32, "ASPSESSIONID.." with 24 letters, and the pair
// "cfid=..&cftoken=..": the last one of each form is removed, with the '&' after it.
void strip_query_session(std::string& query);

}  // namespace webstrata
