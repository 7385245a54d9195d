// SPDX-License-Identifier: Apache-2.0

// The links of an HTTP Link: header (RFC 8288).
//
//   add_link_header("<a.css>; rel=stylesheet, </b>; rel=\"canonical\"", collector);

#pragma once

#include <string_view>

#include "webstrata/capture/record/link_collector.h"

namespace webstrata {

// Adds every link of one header line; several lines are several calls. Kinds are those of a <link>
// with the same rel. Links about another page (`anchor`) are left out, as is what cannot be read.
void add_link_header(std::string_view value, LinkCollector& collector);

}  // namespace webstrata
