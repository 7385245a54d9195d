// SPDX-License-Identifier: Apache-2.0

// The User-Agent. It must give a contact for complaints about the requests.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// "my-archive/1.0 (+https://archive.example/crawler)", "name (mail@archive.example)": whether the
// text contains a web page or a mail address.
bool names_a_contact(std::string_view agent) noexcept;

// The text, if it can be sent. Throws Error(BadInput) that says what is missing.
std::string checked_agent(std::string_view agent);

// Our name in robots.txt (RFC 9309): the letters, '-' and '_' at the start of the agent.
std::string_view product_token(std::string_view agent) noexcept;

}  // namespace webstrata
