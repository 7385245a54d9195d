// SPDX-License-Identifier: Apache-2.0

// The archives' canonical form and its sort-friendly key, as the `ia` and `pywb` dialects share it.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

enum class SurtFlavour { Ia, Pywb };

std::string surt_key(SurtFlavour flavour, std::string_view url_text);

// "www.example.org" as "org,example,www", without escapes.
std::string reversed_host(std::string_view host, char separator);

}  // namespace webstrata
