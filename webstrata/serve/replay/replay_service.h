// SPDX-License-Identifier: Apache-2.0

// The recorded web as an HTTP application: as a proxy ("GET http://example.org/ HTTP/1.1"), and as
// virtual hosts ("Host: example.org").

#pragma once

#include "webstrata/serve/replay/recorded_web.h"
#include "webstrata/serve/wire/http_server.h"

namespace webstrata::serve {

class ReplayService : public Application {
 public:
  // `web` outlives it.
  explicit ReplayService(const RecordedWeb& web) : web_(web) {}

  Response answer(const Request& request) noexcept override;
  // Records are read from disk.
  [[nodiscard]] Effort effort_of(const Request&) const noexcept override { return Effort::Quick; }
  void ended(const Request&, const Exchange&) noexcept override {}
  void connections_changed(int) noexcept override {}
  void tick() noexcept override {}

 private:
  const RecordedWeb& web_;
};

// The URL that a request means: its target if that is absolute, else host and target.
std::string requested_address(const Request& request);

}  // namespace webstrata::serve
