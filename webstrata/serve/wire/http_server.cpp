// SPDX-License-Identifier: Apache-2.0

// Threads with an event loop each. The first loop also accepts connections, and hands them out in
// turn. A clock there looks once per tenth of a second whether the server should stop.
// Tested by tests/serve/server_test.py.

#include "webstrata/serve/wire/http_server.h"

#include <sys/resource.h>

#include <thread>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "webstrata/base/error.h"
#include "webstrata/base/threads.h"
#include "webstrata/serve/wire/session.h"

namespace webstrata::serve {
namespace {

using asio_tcp = boost::asio::ip::tcp;
constexpr std::chrono::milliseconds kWatchEvery{100};

// As many open files as the system allows, since each connection is one.
void raise_file_limit() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

asio_tcp::endpoint endpoint_of(const ServerOptions& options) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(options.address, error);
  if (error) {
    webstrata::refuse(fmt::format("{}: not an IP address to listen on, such as 127.0.0.1 or ::1",
                                  options.address));
  }
  return {address, options.port};
}

}  // namespace

struct HttpServer::State {
  State(const ServerOptions& given, Application& app)
      : options(given), application(app), workers(given.threads), house(options, app, workers) {}
  // Workers first, since they post to the loops; then the loops, since their sessions use the rest.
  ~State() {
    house.end_long_requests();
    workers.cancel();
    try {
      workers.wait();
    } catch (const Error&) {  // that it was cancelled
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void listen();
  void accept();
  void watch(const CancelToken& cancel);
  boost::asio::io_context& next_loop() { return *loops[next++ % loops.size()]; }

  ServerOptions options;
  Application& application;
  ThreadPool workers;
  SessionHouse house;
  std::vector<std::unique_ptr<boost::asio::io_context>> loops;
  std::unique_ptr<asio_tcp::acceptor> acceptor;
  std::unique_ptr<boost::asio::steady_timer> timer;
  std::size_t next = 0;
  std::uint16_t port = 0;
  std::chrono::steady_clock::time_point stops_at = std::chrono::steady_clock::time_point::max();
};

void HttpServer::State::listen() {
  const asio_tcp::endpoint end = endpoint_of(options);
  try {
    acceptor = std::make_unique<asio_tcp::acceptor>(*loops.front());
    acceptor->open(end.protocol());
    acceptor->set_option(asio_tcp::acceptor::reuse_address(true));
    acceptor->bind(end);
    acceptor->listen(4096);
    port = acceptor->local_endpoint().port();
  } catch (const boost::system::system_error& error) {
    throw Error(ErrorKind::Io, fmt::format("{}:{}: cannot listen there: {}; choose another port",
                                           options.address, options.port, error.code().message()));
  }
}

void HttpServer::State::accept() {
  acceptor->async_accept(
      next_loop(), [this](const boost::system::error_code& error, asio_tcp::socket socket) {
        if (error == boost::asio::error::operation_aborted || house.stops) return;
        if (!error) {
          const bool is_full = house.connection_count >= options.connections_max;
          const auto session = std::make_shared<Session>(std::move(socket), house);
          is_full ? session->refuse_connection() : session->begin();
          return accept();
        }
        // No file descriptor is free, or the like: others may be closed soon.
        timer = std::make_unique<boost::asio::steady_timer>(*loops.front(), kWatchEvery);
        timer->async_wait([this](const boost::system::error_code&) { accept(); });
      });
}

// Runs on the calling thread of run() until the server should stop and has.
void HttpServer::State::watch(const CancelToken& cancel) {
  auto next_tick = std::chrono::steady_clock::now();
  while (true) {
    const auto time = std::chrono::steady_clock::now();
    if (!house.stops && cancel.cancelled()) {
      stops_at = time + std::chrono::milliseconds(options.grace_ms);
      house.stops = true;
      boost::asio::post(*loops.front(), [this] {
        boost::system::error_code ignored;
        acceptor->close(ignored);
      });
    }
    if (house.stops && (house.busy_count == 0 || time >= stops_at)) return;
    if (time >= next_tick) {
      application.tick();
      next_tick = time + std::chrono::seconds(1);
    }
    std::this_thread::sleep_for(house.stops ? kWatchEvery / 10 : kWatchEvery);
  }
}

HttpServer::HttpServer(const ServerOptions& options, Application& application) {
  ServerOptions complete = options;
  if (complete.threads == 0) complete.threads = default_thread_count();
  raise_file_limit();
  state_ = std::make_unique<State>(complete, application);
  for (unsigned i = 0; i < complete.threads; ++i) {
    state_->loops.push_back(std::make_unique<boost::asio::io_context>(1));
  }
  state_->listen();
}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const noexcept { return state_->port; }

void HttpServer::run(const CancelToken& cancel) {
  using Guard = boost::asio::executor_work_guard<boost::asio::io_context::executor_type>;
  std::vector<Guard> guards;
  std::vector<std::thread> threads;
  state_->accept();
  for (const auto& loop : state_->loops) {
    guards.emplace_back(loop->get_executor());
    threads.push_back(start_thread([&loop] { loop->run(); }));
  }
  state_->watch(cancel);
  state_->house.cancel_slow_requests();
  for (const auto& loop : state_->loops) loop->stop();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace webstrata::serve
