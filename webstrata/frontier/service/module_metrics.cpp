// SPDX-License-Identifier: Apache-2.0

// Tested by tests/frontier/service_test.py.

#include <thread>

#include "webstrata/frontier/service/metrics_server.h"
#include "webstrata/serve/wire/http_server.h"

namespace webstrata::frontier {
namespace {

class Metrics : public serve::Application {
 public:
  explicit Metrics(std::function<std::string()> text) : text_(std::move(text)) {}

  serve::Response answer(const serve::Request& request) noexcept override {
    serve::Response response;
    response.content_type = "text/plain; version=0.0.4";
    try {
      if (request.target == "/metrics") {
        response.body = text_();
        return response;
      }
      response.body = "see /metrics\n";
      response.status = 404;
    } catch (const std::exception&) {
      response.body.clear();
      response.status = 503;
    }
    return response;
  }
  [[nodiscard]] serve::Effort effort_of(const serve::Request& /*request*/) const noexcept override {
    return serve::Effort::Slow;  // it waits for the frontier's lock
  }
  void ended(const serve::Request&, const serve::Exchange&) noexcept override {}
  void connections_changed(int /*change*/) noexcept override {}
  void tick() noexcept override {}

 private:
  std::function<std::string()> text_;
};

serve::ServerOptions metrics_options(const std::string& address, std::uint16_t port) {
  serve::ServerOptions options;
  options.address = address;
  options.port = port;
  options.threads = 1;
  options.connections_max = 16;
  options.slow_max = 4;
  options.grace_ms = 1'000;
  return options;
}

}  // namespace

struct MetricsServer::State {
  State(const std::string& address, std::uint16_t port, std::function<std::string()> text)
      : metrics(std::move(text)), server(metrics_options(address, port), metrics) {}
  Metrics metrics;
  serve::HttpServer server;
  CancelToken cancel = {};
  std::thread thread = {};
};

MetricsServer::MetricsServer(const std::string& address, std::uint16_t port,
                             std::function<std::string()> text)
    : state_(std::make_unique<State>(address, port, std::move(text))) {
  state_->thread = std::thread([this] { state_->server.run(state_->cancel); });
}

MetricsServer::~MetricsServer() {
  state_->cancel.cancel();
  state_->thread.join();
}

std::uint16_t MetricsServer::port() const noexcept { return state_->server.port(); }

}  // namespace webstrata::frontier
