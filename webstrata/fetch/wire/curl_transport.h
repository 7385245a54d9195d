// SPDX-License-Identifier: Apache-2.0

// HTTP/1.1 and HTTP/2 over sockets, by libcurl.
//
//   SystemClock clock;
//   CurlTransport web({.agent = "my-archive/1.0 (+https://archive.example/crawler)"}, clock);
//
// - Names are looked up here, every address is checked, and the connection goes to the address that
//   was checked. Private, loopback, link-local and other special addresses are refused.
// - Certificates are checked. Proxies of the environment are not used, cookies are not kept.
// - One connection to a host at a time: requests to it wait for each other.
// - Bodies are returned as received; capture/http/content_coding.h decodes them within bounds.

#pragma once

#include <memory>
#include <string>

#include "webstrata/fetch/wire/resolver.h"
#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

struct CurlTransportOptions {
  std::string agent;  // with a contact (agent.h)
  bool allow_private = false;
  // Empty: the system's. Addresses from a resolver that maps names deliberately (a file, a single
  // place) are not checked; an address inside a URL still is.
  LookUp look_up = {};
  std::string ca_file = {};  // certificates to trust instead of the system's
};

class CurlTransport : public Transport {
 public:
  // Throws Error(BadInput) if the agent names no contact.
  CurlTransport(CurlTransportOptions options, const Clock& clock);
  ~CurlTransport() override;

  RequestId start(const Request& request) override;
  std::vector<Response> wait(Moment until) override;
  Whereabouts whereabouts(const std::string& host) override;
  void cancel(RequestId id) override;
  [[nodiscard]] std::vector<RequestId> halted() const override;
  void grant(RequestId id, std::uint64_t body_bytes) override;
  [[nodiscard]] std::size_t in_flight() const override;

 private:
  class Multi;
  std::unique_ptr<Multi> multi_;
};

}  // namespace webstrata
