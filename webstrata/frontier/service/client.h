// SPDX-License-Identifier: Apache-2.0

// A crawler's side of URL Frontier's API: takes URLs from any service that speaks it, and reports
// to it.
//
//   const auto frontier = connect_frontier({.address = "127.0.0.1:7071"});
//   for (const UrlInfo& url : frontier->take(100)) …
//   frontier->put({{.info = url, .is_known = true}});  // done for ever
//
// A service that is restarted is waited for. gRPC is in the library that service.h loads.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "webstrata/frontier/store/frontier.h"

namespace webstrata::frontier {

struct ClientSettings {
  std::string address;     // host:port
  std::string crawl = {};  // empty: DEFAULT
  std::string token = {};  // that every call carries; empty: none
  std::string roots = {};  // certificates in PEM that vouch for the service; empty: no TLS
  std::uint32_t lease_seconds = 300;
  std::uint32_t urls_per_queue = 8;     // in process at once, of all crawlers
  std::uint32_t patience_seconds = 60;  // for a service that does not answer
};

class FrontierClient {
 public:
  virtual ~FrontierClient() = default;
  // URLs to fetch, leased; at most about `most`. All throw Error(Io) if the service does not answer
  // in time or refuses the call.
  virtual std::vector<UrlInfo> take(std::size_t most) = 0;
  // Returns when all of them are acknowledged; their crawl is that of the settings.
  virtual void put(std::span<const PutItem> items) = 0;
  // URLs of the crawl that are not done.
  virtual std::uint64_t waiting() = 0;
};

// Throws Error(Io) if the library cannot be loaded. Connects when the service is first called.
std::unique_ptr<FrontierClient> connect_frontier(const ClientSettings& settings);

}  // namespace webstrata::frontier
