// SPDX-License-Identifier: Apache-2.0

// The links of a page over time, or the births and deaths of the links of many pages, as a page
// with pictures.

#pragma once

#include <span>
#include <string>

#include "webstrata/archive/ask/found_links.h"
#include "webstrata/archive/ask/presence.h"
#include "webstrata/report/html_report.h"

namespace webstrata {

// One page with all its spellings, `nodes`. A question at a time shows all captures up to it.
report::HtmlReport links_report(const Archive& archive, std::span<const Uid> nodes,
                                const LinkQuestion& question, const std::string& command);

// All that a wildcard such as "example.org/*" covers.
report::HtmlReport churn_report(const Archive& archive, std::span<const Uid> nodes,
                                const LinkQuestion& question, const std::string& word,
                                const std::string& command);

}  // namespace webstrata
