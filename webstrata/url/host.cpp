// SPDX-License-Identifier: Apache-2.0

// The list is the one compiled into libpsl, which never changes while we run.
// Tested by tests/url/host_test.cpp.

#include "webstrata/url/host.h"

#include <libpsl.h>

#include <string>

#include "webstrata/url/characters.h"
#include "webstrata/url/ipv4.h"

namespace webstrata {

bool is_ipv4_address(std::string_view host) noexcept {
  // A normalised host whose last label is a number is an address, or it would not have parsed.
  return !host.empty() && is_digit(host.front()) && is_digit(host.back()) && ends_in_a_number(host);
}

bool is_ip_address(std::string_view host) noexcept {
  return host.starts_with('[') || is_ipv4_address(host);
}

std::string_view registered_domain(std::string_view host, Suffixes suffixes) {
  if (is_ip_address(host)) return {};
  const std::string name(without_final_dot(host));
  const int kinds =
      suffixes == Suffixes::Icann ? PSL_TYPE_ICANN : PSL_TYPE_ICANN | PSL_TYPE_PRIVATE;
  std::size_t registered = std::string::npos;  // start of the longest name that is not a suffix
  for (std::size_t start = 0; start < name.size();) {
    if (psl_is_public_suffix2(psl_builtin(), name.c_str() + start, kinds) != 0) break;
    registered = start;
    const std::size_t dot = name.find('.', start);
    if (dot == std::string::npos) break;
    start = dot + 1;
  }
  return registered == std::string::npos ? std::string_view() : host.substr(registered);
}

bool has_known_top_level(std::string_view host) {
  const std::string_view name = without_final_dot(host);
  const std::string top(name.substr(name.rfind('.') + 1));
  return psl_is_public_suffix2(psl_builtin(), top.c_str(), PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE) !=
         0;
}

}  // namespace webstrata
