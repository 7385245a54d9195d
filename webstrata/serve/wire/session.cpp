// SPDX-License-Identifier: Apache-2.0

// A connection is a chain of steps, of which one is in flight at a time: read, answer, write, and
// again. All of them run on the event loop of its thread, except for the answer of a slow or long
// request, which a worker computes and posts back. The session lives as long as a step holds it.
//
// Every step has a time limit: reading a whole request (so a client that sends a byte at a time is
// cut off like one that sends nothing), computing an answer, writing a piece of it. How large a
// body may be is asked when the head is known, before anything of the body is kept. After a
// request that could not be parsed, or whose body was refused, the connection is closed, since it
// is not known where the next begins.
// Tested by tests/serve/server_test.py.

#include "webstrata/serve/wire/session.h"

#include <limits>

#include <fmt/format.h>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/serve/wire/problem.h"

namespace webstrata::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::size_t kGzipBytesMin = 1024;
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
constexpr std::chrono::seconds kBetweenPieces{1};
constexpr std::chrono::seconds kDrainTime{2};
constexpr std::size_t kDrainedMax = std::size_t{16} << 20;

std::string text_of(const http::fields& fields, http::field name) {
  const beast::string_view value = fields[name];
  return {value.data(), value.size()};
}

std::string text_of(const http::fields& fields, const char* name) {
  const beast::string_view value = fields[name];
  return {value.data(), value.size()};
}

Method method_of(http::verb verb) {
  switch (verb) {
    case http::verb::get:
      return Method::Get;
    case http::verb::head:
      return Method::Head;
    case http::verb::options:
      return Method::Options;
    case http::verb::post:
      return Method::Post;
    default:
      return Method::Other;
  }
}

Request request_of(const http::request<http::string_body>& message, const std::string& peer) {
  Request request;
  request.method = method_of(message.method());
  request.method_text = std::string(message.method_string());
  request.version = static_cast<int>(message.version());
  request.target = std::string(message.target());
  request.peer = peer;
  request.host = text_of(message, http::field::host);
  request.accept = text_of(message, http::field::accept);
  request.accept_encoding = text_of(message, http::field::accept_encoding);
  request.accept_datetime = text_of(message, "Accept-Datetime");
  request.authorization = text_of(message, http::field::authorization);
  request.forwarded_for = text_of(message, "X-Forwarded-For");
  request.forwarded_host = text_of(message, "X-Forwarded-Host");
  request.forwarded_proto = text_of(message, "X-Forwarded-Proto");
  request.if_none_match = text_of(message, http::field::if_none_match);
  request.origin = text_of(message, http::field::origin);
  request.referer = text_of(message, http::field::referer);
  request.user_agent = text_of(message, http::field::user_agent);
  return request;
}

std::string address_of(const asio::ip::tcp::socket& socket) {
  boost::system::error_code error;
  const auto end = socket.remote_endpoint(error);
  return error ? std::string("-") : end.address().to_string(error);
}

void append_chunk(std::string& out, std::string_view piece) {
  if (!piece.empty()) out += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
}

}  // namespace

std::shared_ptr<CancelToken> SessionHouse::new_token() {
  auto token = std::make_shared<CancelToken>();
  const std::lock_guard lock(mutex);
  std::erase_if(tokens, [](const auto& known) { return known.expired(); });
  tokens.push_back(token);
  return token;
}

void SessionHouse::cancel_slow_requests() {
  const std::lock_guard lock(mutex);
  for (const auto& known : tokens) {
    if (const auto token = known.lock()) token->cancel();
  }
}

Session::Session(asio::ip::tcp::socket socket, SessionHouse& house)
    : house_(house), stream_(std::move(socket)), timer_(stream_.get_executor()) {
  request_.peer = address_of(stream_.socket());
  ++house_.connection_count;
  house_.application.connections_changed(1);
}

Session::~Session() {
  end_exchange();
  --house_.connection_count;
  house_.application.connections_changed(-1);
}

void Session::begin() {
  boost::system::error_code ignored;
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  asio::dispatch(stream_.get_executor(), [self = shared_from_this()] { self->read(); });
}

void Session::refuse_connection() {
  asio::dispatch(stream_.get_executor(), [self = shared_from_this()] {
    self->refuse(503, "the server has too many connections; try again later");
  });
}

ThreadPool& SessionHouse::long_workers() {
  const std::lock_guard lock(mutex);
  if (!long_pool) {
    long_pool = std::make_unique<ThreadPool>(static_cast<unsigned>(options.long_max));
  }
  return *long_pool;
}

void SessionHouse::end_long_requests() {
  cancel_slow_requests();
  if (!long_pool) return;
  long_pool->cancel();
  try {
    long_pool->wait();
  } catch (const Error&) {  // that it was cancelled
  }
}

void Session::read() {
  if (house_.stops) return close();
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(house_.options.header_bytes_max));
  // Known when the head is. (Boost 1.74 takes "none" for 0.)
  parser_->body_limit(std::numeric_limits<std::uint64_t>::max());
  stream_.expires_after(std::chrono::milliseconds(house_.options.read_ms));
  http::async_read_header(stream_, buffer_, *parser_,
                          [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                            self->head_done(error);
                          });
}

void Session::head_done(const beast::error_code& error) {
  begun_ = Clock::now();
  if (error) return read_failed(error);
  if (!take_head()) return;
  parser_->is_done() ? take_request() : read_body();
}

void Session::read_failed(const beast::error_code& error) {
  if (is_busy_) was_read_ = false;  // half a request is not logged
  if (error == http::error::end_of_stream) return close();
  if (error == http::error::header_limit) {
    // The first line alone is too long, or all of them together.
    if (parser_->get().target().empty()) {
      return refuse(
          414, fmt::format("the address is longer than {} bytes", house_.options.target_bytes_max));
    }
    return refuse(
        431, fmt::format("the headers are longer than {} bytes", house_.options.header_bytes_max));
  }
  if (error == http::error::body_limit) {
    return refuse(413, fmt::format("the body is longer than {} bytes", body_bytes_max_));
  }
  const bool is_malformed =
      error.category() == http::make_error_code(http::error::bad_value).category();
  if (is_malformed && error != http::error::partial_message) {
    return refuse(400, fmt::format("the request is not valid HTTP: {}", error.message()));
  }
  close();
}

// False if it was refused.
bool Session::take_head() {
  const auto& message = parser_->get();
  const std::string peer = request_.peer;
  request_ = request_of(message, peer);
  keeps_connection_ = message.keep_alive();
  was_read_ = true;
  is_busy_ = true;
  ++house_.busy_count;
  if (request_.version != 10 && request_.version != 11) {
    refuse(400, "the server speaks HTTP/1.1 and HTTP/1.0 only");
    return false;
  }
  if (request_.target.size() > house_.options.target_bytes_max) {
    refuse(414,
           fmt::format("the address is longer than {} bytes", house_.options.target_bytes_max));
    return false;
  }
  if (request_.version == 11 && message.count(http::field::host) != 1) {
    refuse(400, "a request of HTTP/1.1 needs exactly one header Host");
    return false;
  }
  return true;
}

void Session::read_body() {
  BodyRule rule = house_.application.body_rule(request_);
  if (rule.refusal) {
    keeps_connection_ = false;
    return send(*std::move(rule.refusal));
  }
  body_bytes_max_ = rule.bytes_max > 0 ? rule.bytes_max : house_.options.body_bytes_max;
  const auto length = parser_->content_length();
  if (length && *length > body_bytes_max_) {
    return refuse(413, fmt::format("the body is longer than {} bytes", body_bytes_max_));
  }
  parser_->body_limit(body_bytes_max_);  // of one without a length
  const std::string expected = text_of(parser_->get(), http::field::expect);
  if (equal_ignoring_case(expected, "100-continue")) {
    return write("HTTP/1.1 100 Continue\r\n\r\n", &Session::read_rest);
  }
  read_rest();
}

void Session::read_rest() {
  const bool is_upload = body_bytes_max_ > house_.options.body_bytes_max;
  stream_.expires_after(
      std::chrono::milliseconds(is_upload ? house_.options.upload_ms : house_.options.read_ms));
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                     self->body_done(error);
                   });
}

void Session::body_done(const beast::error_code& error) {
  if (error) return read_failed(error);
  request_.body = std::move(parser_->get().body());
  take_request();
}

void Session::take_request() {
  request_.deadline = Clock::now() + std::chrono::milliseconds(house_.options.run_ms);
  switch (house_.application.effort_of(request_)) {
    case Effort::Quick:
      return answer();
    case Effort::Slow:
      return answer_slowly();
    case Effort::Long:
      return answer_long();
  }
}

void Session::answer() {
  request_.is_in_loop = true;
  Response response = house_.application.answer(request_);
  request_.is_in_loop = false;
  response.needs_worker ? answer_slowly() : send(std::move(response));
}

void Session::answer_slowly() {
  if (++house_.slow_count > house_.options.slow_max) {
    --house_.slow_count;
    return send(problem_response(
        429, fmt::format("{} long computations are running or waiting; try again later",
                         house_.options.slow_max)));
  }
  cancel_ = house_.new_token();
  timer_.expires_at(request_.deadline);
  timer_.async_wait([cancel = cancel_](const boost::system::error_code& error) {
    if (!error) cancel->cancel();
  });
  hand_over(house_.workers, house_.slow_count);
}

// No timer: whoever asks to stop the server ends it.
void Session::answer_long() {
  if (++house_.long_count > house_.options.long_max) {
    --house_.long_count;
    const std::size_t most = house_.options.long_max;
    return send(problem_response(
        429, fmt::format("{} such requests are running; try again later", most)));
  }
  cancel_ = house_.new_token();
  request_.deadline = Clock::time_point::max();
  hand_over(house_.long_workers(), house_.long_count);
}

void Session::hand_over(ThreadPool& workers, std::atomic<std::size_t>& count) {
  request_.cancel = cancel_.get();
  stream_.expires_never();
  workers.submit([self = shared_from_this(), &count] {
    auto response = std::make_shared<Response>(self->house_.application.answer(self->request_));
    --count;
    asio::post(self->stream_.get_executor(), [self, response] {
      self->timer_.cancel();
      self->send(std::move(*response));
    });
  });
}

void Session::refuse(int status, const std::string& sentence) {
  keeps_connection_ = false;
  send(problem_response(status, sentence));
}

void Session::send(Response response) {
  response_ = std::move(response);
  exchange_.status = response_.status;
  exchange_.bytes = 0;
  if (house_.stops) keeps_connection_ = false;
  is_last_piece_ = false;
  gzip_.reset();
  const bool may_compress = !response_.is_recorded && accepts_gzip(request_.accept_encoding);
  if (response_.is_streamed()) {
    is_chunked_ = request_.version == 11;
    if (!is_chunked_) keeps_connection_ = false;
    // Events are small, and a browser wants each of them at once.
    const bool is_events = response_.content_type == "text/event-stream";
    if (may_compress && !is_events) gzip_ = std::make_unique<GzipBody>();
    out_ = head_of(response_, {request_.version, keeps_connection_, gzip_ != nullptr, is_chunked_});
    if (request_.method == Method::Head) return write(std::move(out_), &Session::answer_done);
    return write(std::move(out_), &Session::send_piece);
  }
  is_chunked_ = false;
  const bool compresses = may_compress && response_.body.size() >= kGzipBytesMin;
  if (compresses) response_.body = GzipBody().compress(response_.body, true);
  out_ = head_of(response_, {request_.version, keeps_connection_, compresses, false});
  const bool has_body = request_.method != Method::Head && response_.status != 304;
  if (has_body) {
    out_ += response_.body;
    exchange_.bytes = response_.body.size();
  }
  write(std::move(out_), &Session::answer_done);
}

// The first piece is `body`; each further one is asked for when the one before is written.
void Session::send_piece() {
  if (!response_.body.empty()) {
    std::string piece;
    piece.swap(response_.body);
    exchange_.bytes += piece.size();
    out_.clear();
    const std::string sent = gzip_ ? gzip_->compress(piece, false) : std::move(piece);
    is_chunked_ ? append_chunk(out_, sent) : void(out_ = sent);
    return write(std::move(out_), &Session::pull_piece);
  }
  pull_piece();
}

void Session::pull_piece() {
  if (is_last_piece_) return answer_done();
  const bool is_late =
      Clock::now() - begun_ > std::chrono::milliseconds(house_.options.stream_ms) || house_.stops;
  More more = More::End;
  std::string piece;
  try {
    if (is_late) throw Problem(503, "the answer took too long");
    do {
      more = response_.more(piece);
    } while (more == More::Data && piece.size() < kPieceBytes);
  } catch (const std::exception&) {
    return close();  // the last chunk is missing, so the client knows
  }
  if (more == More::Wait && piece.empty()) return wait_for_piece();
  is_last_piece_ = more == More::End;
  const std::string sent = gzip_ ? gzip_->compress(piece, is_last_piece_) : std::move(piece);
  exchange_.bytes += sent.size();
  out_.clear();
  is_chunked_ ? append_chunk(out_, sent) : void(out_ = sent);
  if (is_last_piece_ && is_chunked_) out_ += "0\r\n\r\n";
  write(std::move(out_), &Session::pull_piece);
}

void Session::wait_for_piece() {
  stream_.expires_never();
  timer_.expires_after(kBetweenPieces);
  timer_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    if (!error) self->pull_piece();
  });
}

void Session::write(std::string bytes, void (Session::*next)()) {
  out_ = std::move(bytes);
  if (out_.empty()) return (this->*next)();
  stream_.expires_after(std::chrono::milliseconds(house_.options.write_ms));
  asio::async_write(stream_, asio::buffer(out_),
                    [self = shared_from_this(), next](const beast::error_code& error, std::size_t) {
                      if (error) return self->close();
                      (self.get()->*next)();
                    });
}

void Session::answer_done() {
  end_exchange();
  response_ = {};
  request_.body = {};
  gzip_.reset();
  cancel_.reset();
  if (!keeps_connection_) return close();
  read();
}

void Session::end_exchange() {
  if (is_busy_) {
    is_busy_ = false;
    --house_.busy_count;
  }
  if (!was_read_) return;
  was_read_ = false;
  exchange_.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  house_.application.ended(request_, exchange_);
}

// Unread bytes would make the system reset the connection, and the client lose an answer that was
// just sent: only the sending side is closed, and what still comes is read for a short time.
void Session::close() {
  end_exchange();
  boost::system::error_code ignored;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  if (ignored) return;
  stream_.expires_after(kDrainTime);
  drain(0);
}

void Session::drain(std::size_t drained) {
  if (drained > kDrainedMax) return;
  buffer_.clear();
  stream_.async_read_some(
      buffer_.prepare(kPieceBytes),
      [self = shared_from_this(), drained](const beast::error_code& error, std::size_t size) {
        if (!error) self->drain(drained + size);
      });
}

}  // namespace webstrata::serve
