// SPDX-License-Identifier: Apache-2.0

// From the name of a host to its addresses, with failures distinguished: "there is no such name" is
// news about a host, "the name server did not answer" is not.
//
//   Resolver resolver(system_look_up());
//   resolver.start("www.example.org");
//   resolver.find("www.example.org");   // nothing yet, or the answer
//
// Look-ups block, so they run on threads of their own. Answers are kept for some minutes.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

struct Resolution {
  Failure failure = Failure::None;     // or NameNotFound, NameServerFailed
  std::vector<std::string> addresses;  // "192.0.2.1", "2001:db8::1"; IPv4 first
  std::uint16_t port = 0;              // to connect to instead of the URL's; 0: the URL's
  std::string detail = {};
};

// May block, may be called by several threads at once.
using LookUp = std::function<Resolution(const std::string& host)>;

// The machine's own: files and name servers.
LookUp system_look_up();
// A file and nothing else, for tests and replays: lines "ADDRESS[:PORT] NAME…", '#' begins a
// comment; "*" is every name that no other line has; a name of several lines has all of their
// addresses. "fails" instead of an address simulates a name server that does not answer. A name
// that the file does not have is not found. Throws Error(NotFound), Error(BadInput) with the line.
LookUp hosts_file_look_up(const std::filesystem::path& path);
// Every name leads to one place: "127.0.0.1:8080", "[::1]:8080". Throws Error(BadInput).
LookUp single_place_look_up(const std::string& place);

class Resolver {
 public:
  // `woken` is called from another thread whenever an answer has arrived.
  Resolver(LookUp look_up, std::function<void()> woken);
  // Does not wait for look-ups in flight: a name server may be slow.
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // Starts a look-up unless an answer is known or expected.
  void start(const std::string& host, Moment now);
  // Empty while the answer is pending.
  [[nodiscard]] std::shared_ptr<const Resolution> find(const std::string& host) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace webstrata
