// SPDX-License-Identifier: Apache-2.0

// An HTTP/1.1 server: connections, limits and time-outs. What is answered is up to the Application.
//
//   HttpServer server({.port = 8931}, application);
//   server.run(cancel);  // until cancelled; then requests in flight are finished
//
// Each thread has its own event loop, and a connection stays with one of them, so that nothing is
// locked. Quick requests are answered in the loop itself; slow ones by workers, so that a long
// computation delays no other connection; those that write by threads of their own, for as long as
// it takes. Requests that follow each other without waiting (pipelining) are answered in order.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "webstrata/base/progress.h"
#include "webstrata/serve/wire/request.h"
#include "webstrata/serve/wire/response.h"

namespace webstrata::serve {

// How a request ended, for logs and counters.
struct Exchange {
  int status = 0;
  std::uint64_t bytes = 0;  // of the body, as it was sent
  double seconds = 0;
};

enum class Effort : std::uint8_t {
  Quick,  // in the event loop
  Slow,   // by a worker, in ServerOptions::run_ms
  Long,   // by a thread for such requests, without a limit of time
};

// What is known about a body before it is read.
struct BodyRule {
  std::size_t bytes_max = 0;                    // 0: ServerOptions::body_bytes_max
  std::optional<Response> refusal = {};         // instead of reading it
};

// Called by several threads at once.
class Application {
 public:
  virtual ~Application() = default;
  // Never throws: errors become problem documents.
  virtual Response answer(const Request& request) noexcept = 0;
  [[nodiscard]] virtual Effort effort_of(const Request& request) const noexcept = 0;
  // `request` is complete except for its body.
  [[nodiscard]] virtual BodyRule body_rule(const Request& /*request*/) const noexcept { return {}; }
  virtual void ended(const Request& request, const Exchange& exchange) noexcept = 0;
  virtual void connections_changed(int change) noexcept = 0;
  // About once per second, on a thread of its own.
  virtual void tick() noexcept = 0;
};

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8931;  // 0: one that the system chooses
  unsigned threads = 0;       // 0: one per core
  std::size_t connections_max = 5000;
  std::size_t slow_max = 256;  // slow requests that run or wait; more get status 429
  std::size_t long_max = 4;    // long ones that run; more get status 429
  std::size_t header_bytes_max = std::size_t{16} << 10;
  std::size_t target_bytes_max = std::size_t{8} << 10;
  std::size_t body_bytes_max = std::size_t{64} << 10;
  std::int64_t read_ms = 30'000;     // for a whole request, the wait for it included
  std::int64_t upload_ms = 600'000;  // for a body that is larger than body_bytes_max
  std::int64_t write_ms = 30'000;    // for a piece of an answer
  std::int64_t run_ms = 30'000;      // for computing an answer
  std::int64_t stream_ms = 600'000;  // for an answer in pieces, all of it
  std::int64_t grace_ms = 10'000;    // for requests in flight when the server stops
};

class HttpServer {
 public:
  // Binds the address. Throws Error(Io) if that fails, Error(BadInput) if it is not an IP address.
  HttpServer(const ServerOptions& options, Application& application);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  [[nodiscard]] std::uint16_t port() const noexcept;
  // Answers until `cancel` is set. Then no connection is accepted any more; returns when the
  // requests in flight have ended, or after grace_ms.
  void run(const CancelToken& cancel);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webstrata::serve
