// SPDX-License-Identifier: Apache-2.0

// A web in memory, with a clock of its own: a week of crawling takes seconds.
//
//   SimulatedClock clock(parse_time("2021-08-14").value() * 1000);
//   ToyWeb web(clock, [](const Request& request, Moment) {
//     return request.url == "http://a.example/" ? ToyAnswer{.body = "<a href=b.html>b</a>"}
//                                                : ToyAnswer{.status = 404};
//   });
//   web.start({.url = "http://a.example/"});
//   web.wait(clock.now() + 1000);  // turns the clock to the answer, or by a second
//   web.log();                     // what was asked, and when

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "webstrata/fetch/wire/clock.h"
#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

// A clock that is set by hand.
class SimulatedClock : public Clock {
 public:
  explicit SimulatedClock(Moment start = 0) : now_(start) {}
  [[nodiscard]] Moment now() const override { return now_; }
  void advance_to(Moment moment) { now_ = std::max(now_, moment); }
  // Like a user who changes the machine's clock, also back.
  void set(Moment moment) { now_ = moment; }

 private:
  Moment now_;
};

// A server's answer; or, with a failure, that there was none.
struct ToyAnswer {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  std::string type = "text/html";
  Moment latency_ms = 20;
  Failure failure = Failure::None;
  std::string address = "192.0.2.1";
};

class ToyWeb : public Transport {
 public:
  using Answer = std::function<ToyAnswer(const Request& request, Moment now)>;
  ToyWeb(SimulatedClock& clock, Answer answer) : clock_(clock), answer_(std::move(answer)) {}

  RequestId start(const Request& request) override;
  std::vector<Response> wait(Moment until) override;
  Whereabouts whereabouts(const std::string& host) override;
  void cancel(RequestId id) override;
  [[nodiscard]] std::vector<RequestId> halted() const override;
  void grant(RequestId id, std::uint64_t body_bytes) override;
  [[nodiscard]] std::size_t in_flight() const override { return under_way_.size(); }

  // What whereabouts() returns; nothing for other hosts.
  void set_address(const std::string& host, const std::string& address) {
    addresses_[host] = address;
  }

  // Every request that left, in order.
  struct Asked {
    std::string url;
    Moment time = 0;
    bool is_head = false;
  };
  [[nodiscard]] const std::vector<Asked>& log() const noexcept { return log_; }

 private:
  SimulatedClock& clock_;
  Answer answer_;
  [[nodiscard]] bool is_halted(const Response& response) const;

  RequestId next_id_ = 1;
  std::vector<Response> under_way_;             // `finished` is in the future
  std::map<RequestId, std::uint64_t> granted_;  // of those that have a grant
  std::vector<Asked> log_;
  std::map<std::string, std::string> addresses_;
};

}  // namespace webstrata
