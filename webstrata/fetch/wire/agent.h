// Who asks: the User-Agent. Whoever sends requests tells whom to write to about them.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// "my-archive/1.0 (+https://archive.example/crawler)", "name (mail@archive.example)": whether the
// text names a web page or a mail address of somebody.
bool names_a_contact(std::string_view agent) noexcept;

// The text, if it can be sent. Throws Error(BadInput) that says what is missing.
std::string checked_agent(std::string_view agent);

// What robots.txt calls us (RFC 9309): the letters, '-' and '_' at the start of the agent.
std::string_view product_token(std::string_view agent) noexcept;

}  // namespace webstrata
