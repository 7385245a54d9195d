// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/simulated_web_test.cpp.

#include "webstrata/fetch/wire/simulated_web.h"

#include <fmt/format.h>

namespace webstrata {

RequestId ToyWeb::start(const Request& request) {
  log_.push_back({request.url, clock_.now(), request.is_head});
  ToyAnswer answer = answer_(request, clock_.now());
  Response response;
  response.id = next_id_++;
  response.url = request.url;
  response.started = clock_.now();
  response.finished = clock_.now() + answer.latency_ms;
  response.failure = answer.failure;
  if (answer.failure == Failure::None) {
    response.status = answer.status;
    response.http_version = "1.1";
    response.request_head =
        fmt::format("{} {} HTTP/1.1\r\n\r\n", request.is_head ? "HEAD" : "GET", request.url);
    response.head =
        fmt::format("HTTP/1.1 {} Toy\r\nContent-Type: {}\r\n", answer.status, answer.type);
    for (const auto& [name, value] : answer.headers) {
      response.head += fmt::format("{}: {}\r\n", name, value);
    }
    if (answer.body.size() > request.limits.body_bytes_max) {
      answer.body.resize(request.limits.body_bytes_max);
      response.truncated = Truncation::Length;
    } else {
      response.head += fmt::format("Content-Length: {}\r\n", answer.body.size());
    }
    response.head += "\r\n";
    if (!request.is_head) response.body = std::move(answer.body);
    response.address = answer.address;
    response.bytes_received = response.head.size() + response.body.size();
  }
  if (request.body_granted) granted_[response.id] = *request.body_granted;
  under_way_.push_back(std::move(response));
  return under_way_.back().id;
}

std::vector<Response> ToyWeb::wait(Moment until) {
  Moment next = std::max(until, clock_.now());
  for (const Response& response : under_way_) {
    next = std::min(next, std::max(response.finished, clock_.now()));
  }
  clock_.advance_to(next);
  std::vector<Response> finished;
  std::erase_if(under_way_, [&](Response& response) {
    if (response.finished > clock_.now() || is_halted(response)) return false;
    granted_.erase(response.id);
    finished.push_back(std::move(response));
    return true;
  });
  return finished;
}

Whereabouts ToyWeb::whereabouts(const std::string& host) {
  const auto found = addresses_.find(host);
  return {.addresses = found == addresses_.end() ? std::string() : found->second};
}

// A body larger than its grant has arrived up to the grant.
bool ToyWeb::is_halted(const Response& response) const {
  const auto granted = granted_.find(response.id);
  return granted != granted_.end() && response.body.size() > granted->second &&
         response.finished <= clock_.now();
}

std::vector<RequestId> ToyWeb::halted() const {
  std::vector<RequestId> halted;
  for (const Response& response : under_way_) {
    if (is_halted(response)) halted.push_back(response.id);
  }
  return halted;
}

void ToyWeb::grant(RequestId id, std::uint64_t body_bytes) { granted_[id] = body_bytes; }

void ToyWeb::cancel(RequestId id) {
  for (Response& response : under_way_) {
    if (response.id != id) continue;
    Response cancelled;
    cancelled.id = id;
    cancelled.url = response.url;
    cancelled.started = response.started;
    cancelled.finished = clock_.now();
    cancelled.failure = Failure::Cancelled;
    response = std::move(cancelled);
  }
}

}  // namespace webstrata
