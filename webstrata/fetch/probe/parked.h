// SPDX-License-Identifier: Apache-2.0

// Signs of a parked domain: one whose owner shows advertisements or a price instead of a site.
//
// A phrase alone never decides: people write about domains that are for sale.

#pragma once

#include <string_view>

namespace webstrata {

// The first phrase of `text` (any case) that is typical of domains for sale; empty if none.
std::string_view sale_phrase(std::string_view text);

// The parking service or domain marketplace that `host` belongs to; empty if none.
std::string_view parking_service(std::string_view host);

}  // namespace webstrata
