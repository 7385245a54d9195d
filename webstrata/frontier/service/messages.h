// SPDX-License-Identifier: Apache-2.0

// Messages of the API from and to what the frontier takes and gives. Private to module_*.cpp.

#pragma once

#include "urlfrontier.pb.h"
#include "webstrata/frontier/store/frontier.h"

namespace webstrata::frontier {

UrlInfo info_of(const urlfrontier::URLInfo& message);
void fill(urlfrontier::URLInfo& message, const UrlInfo& info);
// None if it is neither discovered nor known.
std::optional<PutItem> item_of(const urlfrontier::URLItem& message);
// A known URL, whatever it was put as.
void fill(urlfrontier::URLItem& message, const KnownUrl& url);
urlfrontier::AckMessage::Status status_of(Ack ack);
void fill(urlfrontier::Stats& message, const FrontierStats& stats);

}  // namespace webstrata::frontier
