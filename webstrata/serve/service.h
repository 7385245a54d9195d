// SPDX-License-Identifier: Apache-2.0

// Archives as an HTTP application: who may ask, which route answers, what is cached, what is
// logged.
//
//   Archives archives({parse_archive_place("lib.ws")});
//   Service service(archives, settings, log);
//   HttpServer(options, service).run(cancel);

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "webstrata/serve/ask/archives.h"
#include "webstrata/serve/ask/settings.h"
#include "webstrata/serve/metrics.h"
#include "webstrata/serve/wire/http_server.h"

namespace webstrata::serve {

struct Logs {
  std::function<void(std::string_view line)> access = {};  // whole lines; called by all threads
  std::function<void(std::string_view line)> trouble = {};
};

class Service : public Application {
 public:
  // Both outlive it.
  Service(Archives& archives, const Settings& settings, Logs logs = {});

  Response answer(const Request& request) noexcept override;
  [[nodiscard]] bool is_slow(const Request& request) const noexcept override;
  void ended(const Request& request, const Exchange& exchange) noexcept override;
  void connections_changed(int change) noexcept override;
  void tick() noexcept override;

 private:
  Response answer_or_throw(const Request& request);
  Response answer_route(const Request& request, std::string_view path);
  [[nodiscard]] std::string metrics_text();
  void add_cors(const Request& request, Response& response) const;

  Archives& archives_;
  const Settings& settings_;
  Logs logs_;
  Metrics metrics_;
};

}  // namespace webstrata::serve
