// SPDX-License-Identifier: Apache-2.0

// Two sides share an Exchange: the thread of the wire, which alone touches libcurl, puts head and
// bytes into it; the reader takes them out. Whoever wants something from the thread (a new request,
// more bytes of one that was paused, an end) leaves a note and wakes it up.
// Tested by tests/capture/remote_stream_test.cpp and remote_test.py.

#include "webstrata/capture/remote/wire.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "webstrata/base/error.h"
#include "webstrata/base/interruption.h"
#include "webstrata/base/text.h"
#include "webstrata/base/threads.h"
#include "webstrata/capture/remote/curl_library.h"

namespace webstrata {

std::string WireHead::field(const std::string& name) const {
  const auto found = fields.find(name);
  return found == fields.end() ? "" : found->second;
}

namespace {

constexpr std::size_t kAheadBytesMax = std::size_t{64} << 20;
constexpr std::size_t kHeadBytesMax = std::size_t{1} << 18;
constexpr long kReceiveBytes = 1L << 18;
constexpr long kRedirectsMax = 10;
constexpr auto kLookAround = std::chrono::milliseconds(100);  // for a cancellation

struct Exchange {
  explicit Exchange(WireRequest wanted) : request(std::move(wanted)) {}

  const WireRequest request;
  std::mutex mutex;
  std::condition_variable changed;
  WireHead head;  // complete once has_head
  bool has_head = false;
  std::string body;  // not yet taken
  bool is_ended = false;
  WireEnd end;
  bool is_paused = false;

  // Only touched by the thread of the wire.
  CURL* handle = nullptr;
  curl_slist* headers = nullptr;
  std::size_t head_bytes = 0;
  bool head_is_whole = false;
  char error[CURL_ERROR_SIZE] = {};
};

using ExchangeRef = std::shared_ptr<Exchange>;

template <typename Value>
void set(CURL* handle, CURLoption option, Value value) {
  curl().easy_setopt(handle, option,
                     value);  // what an older libcurl does not know, it does without
}

// "HTTP/1.1 206 Partial Content", then fields; again after every redirect and 1xx.
void take_head_line(Exchange& exchange, std::string_view line) {
  WireHead& head = exchange.head;
  if (line.starts_with("HTTP/")) {
    head = {};
    const std::size_t space = line.find(' ');
    if (space != std::string_view::npos) head.status = std::strtol(&line[space], nullptr, 10);
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  head.fields[lower(trim(line.substr(0, colon)))] = trim(line.substr(colon + 1));
}

std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* self) {
  Exchange& exchange = *static_cast<Exchange*>(self);
  exchange.head_bytes += size * count;
  if (exchange.head_bytes > kHeadBytesMax) return 0;
  const std::string line(bytes, size * count);  // with a zero at its end, for strtol
  const std::lock_guard lock(exchange.mutex);
  exchange.head_is_whole = line == "\r\n" || line == "\n";
  if (!exchange.has_head) take_head_line(exchange, line);
  return size * count;
}

// libcurl hands over no body of an answer that it follows.
std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  Exchange& exchange = *static_cast<Exchange*>(self);
  const std::lock_guard lock(exchange.mutex);
  exchange.has_head = true;
  const std::size_t room = exchange.request.buffered_bytes_max;
  exchange.is_paused = !exchange.body.empty() && exchange.body.size() + size * count > room;
  if (!exchange.is_paused) exchange.body.append(bytes, size * count);
  exchange.changed.notify_all();
  return exchange.is_paused ? CURL_WRITEFUNC_PAUSE : size * count;
}

void prepare(Exchange& exchange) {
  const WireRequest& request = exchange.request;
  CURL* handle = exchange.handle = curl().easy_init();
  if (handle == nullptr) return;
  for (const std::string& line : request.headers) {
    exchange.headers = curl().slist_append(exchange.headers, line.c_str());
  }
  set(handle, CURLOPT_PRIVATE, &exchange);
  set(handle, CURLOPT_URL, request.url.c_str());
  set(handle, CURLOPT_HTTPHEADER, exchange.headers);
  if (!request.user.empty()) set(handle, CURLOPT_USERPWD, request.user.c_str());
  set(handle, CURLOPT_USERAGENT, "webstrata");
  const char* protocols = request.url.starts_with("https:") ? "https" : "http,https";
  set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  set(handle, CURLOPT_REDIR_PROTOCOLS_STR, protocols);
  set(handle, CURLOPT_FOLLOWLOCATION, request.follows_redirects ? 1L : 0L);
  set(handle, CURLOPT_MAXREDIRS, kRedirectsMax);
  set(handle, CURLOPT_PATH_AS_IS, 1L);
  // Ranges in parallel want connections of their own.
  set(handle, CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1});
  set(handle, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  set(handle, CURLOPT_QUICK_EXIT, 1L);  // no waiting for a name server
#endif
  if (!request.ca_file.empty()) set(handle, CURLOPT_CAINFO, request.ca_file.c_str());
  set(handle, CURLOPT_CONNECTTIMEOUT, static_cast<long>(request.connect_seconds));
  set(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(request.stall_seconds));
  set(handle, CURLOPT_BUFFERSIZE, kReceiveBytes);
  set(handle, CURLOPT_ERRORBUFFER, exchange.error);
  set(handle, CURLOPT_HEADERFUNCTION, on_header);
  set(handle, CURLOPT_HEADERDATA, &exchange);
  set(handle, CURLOPT_WRITEFUNCTION, on_body);
  set(handle, CURLOPT_WRITEDATA, &exchange);
}

WireEnd::Kind kind_of(CURLcode code, CURL* handle) {
  switch (code) {
    case CURLE_OK:
      return WireEnd::Kind::Complete;
    case CURLE_COULDNT_CONNECT: {
      long number = 0;
      curl().easy_getinfo(handle, CURLINFO_OS_ERRNO, &number);
      return number == ECONNREFUSED ? WireEnd::Kind::Refused : WireEnd::Kind::Unreachable;
    }
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return WireEnd::Kind::Unreachable;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return WireEnd::Kind::Secure;
    case CURLE_TOO_MANY_REDIRECTS:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_OUT_OF_MEMORY:
      return WireEnd::Kind::Hopeless;
    default:
      return WireEnd::Kind::Broken;
  }
}

void settle(Exchange& exchange, CURLcode code) {
  const std::lock_guard lock(exchange.mutex);
  if (!exchange.has_head && !exchange.head_is_whole) exchange.head = {};
  exchange.has_head = true;
  exchange.is_ended = true;
  exchange.end.kind = kind_of(code, exchange.handle);
  exchange.end.reason = exchange.error[0] != '\0' ? exchange.error : curl().easy_strerror(code);
  exchange.changed.notify_all();
}

class CurlWire;

class WireTransfer : public Transfer {
 public:
  WireTransfer(std::shared_ptr<CurlWire> wire, ExchangeRef exchange)
      : wire_(std::move(wire)), exchange_(std::move(exchange)) {}
  ~WireTransfer() override;

  const WireHead& head() override {
    wait([this] { return exchange_->has_head; });
    return exchange_->head;
  }
  std::size_t read(char* to, std::size_t size) override;
  const WireEnd& end() override {
    wait([this] { return exchange_->is_ended; });
    return exchange_->end;
  }

 private:
  template <typename Condition>
  void wait(const Condition& condition) {
    std::unique_lock lock(exchange_->mutex);
    while (!condition()) {
      exchange_->changed.wait_for(lock, kLookAround);
      lock.unlock();
      check_file_interruption();
      lock.lock();
    }
  }

  std::shared_ptr<CurlWire> wire_;
  ExchangeRef exchange_;
  std::string taken_;      // out of the exchange
  std::size_t given_ = 0;  // of it, to the reader
};

class CurlWire : public Wire, public std::enable_shared_from_this<CurlWire> {
 public:
  CurlWire() : multi_(curl().multi_init()) {
    if (multi_ == nullptr) throw Error(ErrorKind::Io, "libcurl cannot be initialised");
    try {
      thread_ = start_thread([this] { drive(); });
    } catch (...) {
      curl().multi_cleanup(multi_);
      throw;
    }
  }
  CurlWire(const CurlWire&) = delete;
  CurlWire& operator=(const CurlWire&) = delete;
  ~CurlWire() override {
    {
      const std::lock_guard lock(mutex_);
      is_closing_ = true;
    }
    curl().multi_wakeup(multi_);
    thread_.join();
    curl().multi_cleanup(multi_);
  }

  std::unique_ptr<Transfer> start(WireRequest request) override {
    auto exchange = std::make_shared<Exchange>(std::move(request));
    note(wanted_, exchange);
    return std::make_unique<WireTransfer>(shared_from_this(), exchange);
  }
  void resume(const ExchangeRef& exchange) { note(resumed_, exchange); }
  void stop(const ExchangeRef& exchange) { note(unwanted_, exchange); }

  bool reserve(std::size_t bytes) override {
    const std::lock_guard lock(mutex_);
    if (ahead_bytes_ + bytes > kAheadBytesMax) return false;
    ahead_bytes_ += bytes;
    return true;
  }
  void give_back(std::size_t bytes) override {
    const std::lock_guard lock(mutex_);
    ahead_bytes_ -= bytes;
  }

 private:
  using Notes = std::vector<ExchangeRef>;

  void note(Notes& notes, const ExchangeRef& exchange) {
    {
      const std::lock_guard lock(mutex_);
      notes.push_back(exchange);
    }
    curl().multi_wakeup(multi_);
  }

  // ---- on the thread of the wire ----

  void drive() {
    while (follow_notes()) {
      int running = 0;
      curl().multi_perform(multi_, &running);
      take_messages();
      constexpr int kPollMs = 1000;
      curl().multi_poll(multi_, nullptr, 0, kPollMs, nullptr);
    }
    while (!running_.empty()) remove(*running_.begin());
  }

  bool follow_notes() {
    Notes wanted;
    Notes resumed;
    Notes unwanted;
    {
      const std::lock_guard lock(mutex_);
      if (is_closing_) return false;
      std::swap(wanted, wanted_);
      std::swap(resumed, resumed_);
      std::swap(unwanted, unwanted_);
    }
    for (const ExchangeRef& exchange : wanted) add(exchange);
    for (const ExchangeRef& exchange : unwanted) remove(exchange);
    for (const ExchangeRef& exchange : resumed) {
      if (running_.contains(exchange)) curl().easy_pause(exchange->handle, CURLPAUSE_CONT);
    }
    return true;
  }

  void add(const ExchangeRef& exchange) {
    prepare(*exchange);
    if (exchange->handle == nullptr ||
        curl().multi_add_handle(multi_, exchange->handle) != CURLM_OK) {
      settle(*exchange, CURLE_OUT_OF_MEMORY);
      release(*exchange);
      return;
    }
    running_.insert(exchange);
  }

  void remove(ExchangeRef exchange) {  // a copy: the set may hold the last one
    if (running_.erase(exchange) == 0) return;
    curl().multi_remove_handle(multi_, exchange->handle);
    release(*exchange);
  }

  static void release(Exchange& exchange) {
    if (exchange.handle != nullptr) curl().easy_cleanup(exchange.handle);
    if (exchange.headers != nullptr) curl().slist_free_all(exchange.headers);
    exchange.handle = nullptr;
    exchange.headers = nullptr;
  }

  void take_messages() {
    int left = 0;
    while (const CURLMsg* message = curl().multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;  // the message is deleted with the handle
      Exchange* ended = nullptr;
      curl().easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &ended);
      settle(*ended, code);
      const auto found = std::find_if(running_.begin(), running_.end(),
                                      [ended](const auto& one) { return one.get() == ended; });
      if (found != running_.end()) remove(*found);
    }
  }

  CURLM* multi_;
  std::set<ExchangeRef> running_;  // only touched by the thread of the wire

  std::mutex mutex_;
  Notes wanted_;
  Notes resumed_;
  Notes unwanted_;
  bool is_closing_ = false;
  std::size_t ahead_bytes_ = 0;
  std::thread thread_;  // last: it uses all of the above
};

WireTransfer::~WireTransfer() { wire_->stop(exchange_); }

std::size_t WireTransfer::read(char* to, std::size_t size) {
  if (given_ == taken_.size()) {
    wait([this] { return !exchange_->body.empty() || exchange_->is_ended; });
    taken_.clear();
    given_ = 0;
    bool was_paused = false;
    {
      const std::lock_guard lock(exchange_->mutex);
      std::swap(taken_, exchange_->body);
      was_paused = std::exchange(exchange_->is_paused, false);
    }
    if (was_paused) wire_->resume(exchange_);
  }
  const std::size_t count = std::min(size, taken_.size() - given_);
  if (count > 0) std::memcpy(to, taken_.data() + given_, count);
  given_ += count;
  return count;
}

}  // namespace

std::shared_ptr<Wire> Wire::shared() {
  static std::mutex mutex;
  static std::weak_ptr<CurlWire> current;
  const std::lock_guard lock(mutex);
  auto wire = current.lock();
  if (!wire) current = wire = std::make_shared<CurlWire>();
  return wire;
}

}  // namespace webstrata
