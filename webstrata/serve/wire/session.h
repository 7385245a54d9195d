// SPDX-License-Identifier: Apache-2.0

// One connection of an HttpServer: reads a request, has it answered, writes the answer, and again.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "webstrata/base/threads.h"
#include "webstrata/serve/wire/http_server.h"

namespace webstrata::serve {

// What the connections of a server share.
struct SessionHouse {
  SessionHouse(const ServerOptions& given, Application& app, ThreadPool& pool)
      : options(given), application(app), workers(pool) {}

  // A token for a slow request.
  std::shared_ptr<CancelToken> new_token();
  // Ends those in flight early.
  void cancel_slow_requests();
  // The threads for long requests; started when they are first needed.
  ThreadPool& long_workers();
  // Waits for what runs there.
  void end_long_requests();

  const ServerOptions& options;
  Application& application;
  ThreadPool& workers;
  std::mutex mutex;
  std::vector<std::weak_ptr<CancelToken>> tokens;
  std::unique_ptr<ThreadPool> long_pool;
  std::atomic<std::size_t> slow_count = 0;
  std::atomic<std::size_t> long_count = 0;
  std::atomic<std::size_t> connection_count = 0;
  std::atomic<std::size_t> busy_count = 0;  // connections with a request in flight
  std::atomic<bool> stops = false;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(boost::asio::ip::tcp::socket socket, SessionHouse& house);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  void begin();
  // Answers 503 and closes: there are too many connections.
  void refuse_connection();

 private:
  using Clock = std::chrono::steady_clock;

  void read();
  void head_done(const boost::beast::error_code& error);
  void read_body();
  void read_rest();
  void body_done(const boost::beast::error_code& error);
  void read_failed(const boost::beast::error_code& error);
  bool take_head();
  void take_request();
  void answer();
  void answer_slowly();
  void answer_long();
  void hand_over(ThreadPool& workers, std::atomic<std::size_t>& count);
  void refuse(int status, const std::string& sentence);
  void send(Response response);
  void send_whole();
  void send_piece();
  void pull_piece();
  void wait_for_piece();
  void write(std::string bytes, void (Session::*next)());
  void answer_done();
  void end_exchange();
  void close();
  void drain(std::size_t drained);

  SessionHouse& house_;
  boost::beast::tcp_stream stream_;
  boost::asio::steady_timer timer_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  Request request_;
  std::shared_ptr<CancelToken> cancel_;
  Response response_;
  std::unique_ptr<GzipBody> gzip_;
  std::string out_;  // what is being written
  Clock::time_point begun_;
  Exchange exchange_;
  std::size_t body_bytes_max_ = 0;  // of this request
  bool keeps_connection_ = true;
  bool is_chunked_ = false;
  bool is_last_piece_ = false;
  bool is_busy_ = false;
  bool was_read_ = false;  // the request was parsed, so that it can be logged
};

}  // namespace webstrata::serve
