// SPDX-License-Identifier: Apache-2.0

// Internationalised domain names: UTS 46 processing, non-transitional, as the URL standard's
// "domain to ASCII" asks with beStrict false; and the older IDNA 2003 that archives' keys use.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// Whether a label of the lower-case `domain` begins with "xn--".
bool has_ace_label(std::string_view domain) noexcept;

// Appends the ASCII form of `domain` (UTF-8, any case). False if a label is not valid; `out` then
// ends in garbage. The result may still contain characters that are forbidden in a host. Labels
// whose ASCII form is longer than 63 bytes count as not valid: no name server could answer for
// them.
bool append_domain_to_ascii(std::string& out, std::string_view domain);

// The same with the mapping of IDNA 2003, where "ß" is "ss". ASCII labels keep their case.
bool append_domain_to_ascii_2003(std::string& out, std::string_view domain);

}  // namespace webstrata
