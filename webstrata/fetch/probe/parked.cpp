// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/parked_test.cpp.

#include "webstrata/fetch/probe/parked.h"

#include <algorithm>
#include <string>

#include "webstrata/base/text.h"

namespace webstrata {
namespace {

constexpr std::string_view kPhrases[] = {
    "domain is for sale",
    "domain may be for sale",
    "buy this domain",
    "this domain is parked",
    "this domain has expired",
    "domain has been registered",
    "domain name is for sale",
    "make an offer on this domain",
    "inquire about this domain",
    "related searches sponsored listings",
    "diese domain steht zum verkauf",
    "diese domain kaufen",
    "ce domaine est à vendre",
    "este dominio está en venta",
};

// Services that show advertisements on unused domains, or sell them.
constexpr std::string_view kServices[] = {
    "sedo.com",
    "sedoparking.com",
    "parkingcrew.net",
    "bodis.com",
    "afternic.com",
    "dan.com",
    "hugedomains.com",
    "above.com",
    "parklogic.com",
    "domainmarket.com",
    "undeveloped.com",
    "domainnamesales.com",
    "voodoo.com",
    "skenzo.com",
    "parkweb.com",
    "cashparking.com",
    "parking.namesilo.com",
    "parkingpage.namecheap.com",
    "uniregistry.com",
};

}  // namespace

std::string_view sale_phrase(std::string_view text) {
  for (const std::string_view phrase : kPhrases) {
    const auto found = std::search(text.begin(), text.end(), phrase.begin(), phrase.end(),
                                   [](char a, char b) { return to_lower(a) == b; });
    if (found != text.end()) return phrase;
  }
  return {};
}

std::string_view parking_service(std::string_view host) {
  for (const std::string_view service : kServices) {
    if (host == service) return service;
    if (host.size() > service.size() && host.ends_with(service) &&
        host[host.size() - service.size() - 1] == '.') {
      return service;
    }
  }
  return {};
}

}  // namespace webstrata
