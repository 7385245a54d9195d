// SPDX-License-Identifier: Apache-2.0

// What the hosts of a job allow: each origin's robots.txt, fetched through the ledger and kept
// there.
//
// RFC 9309: up to five redirects are followed, also to other hosts; 4xx means that everything is
// allowed; no answer and 5xx mean that nothing is, so the host is left alone and tried again later;
// the rules are valid for a day.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "webstrata/fetch/ledger/ledger.h"
#include "webstrata/fetch/rules/robots.h"
#include "webstrata/fetch/wire/transport.h"
#include "webstrata/url/url.h"

namespace webstrata {

// The next request for an origin's robots.txt.
struct RobotsErrand {
  std::string origin;
  std::string url;    // of the file, or where it moved to
  std::string asked;  // the origin of `url`
  unsigned redirects = 0;
};

class RobotsBook {
 public:
  // Redirects to URLs for which `is_forbidden` is true are not followed.
  RobotsBook(Ledger& ledger, std::string product, std::function<bool(const Url&)> is_forbidden = {})
      : ledger_(ledger), product_(std::move(product)), is_forbidden_(std::move(is_forbidden)) {}

  // The rules of an origin if they are known and not too old. The pointer lives until the next call
  // of any other function.
  const RobotsRules* find(const std::string& origin, Moment now);
  // The request that would fetch them.
  [[nodiscard]] static RobotsErrand errand(const std::string& origin);

  struct Next {
    std::optional<RobotsErrand> errand = {};  // a redirect to follow
    bool is_unknown = false;                  // no usable answer: try again later
  };
  // Handles the answer to an errand. If it is final, it is stored in the ledger.
  Next take(const RobotsErrand& errand, const Response& response, Moment now);

 private:
  struct Entry {
    RobotsRules rules;
    Moment fetched = 0;
  };
  const RobotsRules* keep(const std::string& origin, const RobotsRecord& record);

  Ledger& ledger_;
  std::string product_;
  std::function<bool(const Url&)> is_forbidden_;
  std::unordered_map<std::string, Entry> known_;
};

}  // namespace webstrata
