// SPDX-License-Identifier: Apache-2.0

// Archives as an HTTP application: who may ask, which route answers, what is cached, what is
// logged.
//
//   Archives archives({parse_archive_place("lib.ws")});
//   Runs runs;
//   Service service(archives, runs, settings, log);
//   HttpServer(options, service).run(cancel);

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "webstrata/serve/ask/archives.h"
#include "webstrata/serve/ask/settings.h"
#include "webstrata/serve/metrics.h"
#include "webstrata/serve/replay/recorded_web.h"
#include "webstrata/serve/routes.h"
#include "webstrata/serve/runs/runs.h"
#include "webstrata/serve/wire/http_server.h"

namespace webstrata::serve {

struct Logs {
  std::function<void(std::string_view line)> access = {};  // whole lines; called by all threads
  std::function<void(std::string_view line)> trouble = {};
};

class Service : public Application {
 public:
  // All of them outlive it. `recorded`: WARC files to replay captures from.
  Service(Archives& archives, Runs& runs, const Settings& settings, Logs logs = {},
          const RecordedWeb* recorded = nullptr);

  Response answer(const Request& request) noexcept override;
  [[nodiscard]] Effort effort_of(const Request& request) const noexcept override;
  [[nodiscard]] BodyRule body_rule(const Request& request) const noexcept override;
  void ended(const Request& request, const Exchange& exchange) noexcept override;
  void connections_changed(int change) noexcept override;
  void tick() noexcept override;

 private:
  template <typename Step>
  Response guarded(const Request& request, const Step& step) const noexcept;
  // Null if there is none.
  [[nodiscard]] const Route* route_of(const Request& request) const noexcept;
  [[nodiscard]] std::string allowed_methods(const Request& request) const;
  [[nodiscard]] bool is_change(const Request& request) const;
  Response answer_or_throw(const Request& request);
  Response answer_change(const Request& request, std::string_view path);
  Response answer_route(const Request& request, std::string_view path);
  // Null if the route is about none. Throws Problem 404.
  std::shared_ptr<const ServedArchive> archive_of(const Question& question, const Route& route);
  Response computed(Question& question, const Route& route) const;
  Response kept_or_computed(Question& question, const Route& route) const;
  [[nodiscard]] std::string metrics_text();
  void add_cors(const Request& request, Response& response) const;

  Archives& archives_;
  Runs& runs_;
  const RecordedWeb* recorded_;
  const Settings& settings_;
  Logs logs_;
  Metrics metrics_;
};

}  // namespace webstrata::serve
