// Internationalised domain names: UTS 46 processing, non-transitional, as the URL standard's
// "domain to ASCII" asks with beStrict false.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// Whether a label of the lower-case `domain` begins with "xn--".
bool has_ace_label(std::string_view domain) noexcept;

// Appends the ASCII form of `domain` (UTF-8, any case). False if a label is not valid. The result
// may still hold characters that no host may hold.
bool append_domain_to_ascii(std::string& out, std::string_view domain);

}  // namespace webstrata
