// SPDX-License-Identifier: Apache-2.0

// The frontier as a service: URL Frontier's gRPC API (urlfrontier.proto) on a port.
//
//   serve_frontier(settings, {.cancel = token, .started = print});
//
// gRPC, protobuf and RocksDB take longer to load than the rest of the program, so what needs them
// is in a library that these functions load: libwebstrata_frontier.so, made of module_*.cpp. All
// throw Error(Io) if it cannot be loaded.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/base/progress.h"

namespace webstrata::frontier {

struct ServiceSettings {
  std::filesystem::path job;  // a folder; the frontier is in its folder `frontier`
  std::string archive = {};   // a folder, with a date if wanted; empty: first in, first out
  std::string score = {};  // a column of scores of the archive; empty: how likely a page is alive

  std::string address = "127.0.0.1";
  std::uint16_t port = 7071;     // 0: one that the system chooses
  std::string token = {};        // that every call must carry; empty: none
  std::string certificate = {};  // PEM; empty: no TLS
  std::string private_key = {};
  std::optional<std::uint16_t> metrics_port = {};

  std::size_t message_bytes_max = std::size_t{4} << 20;
  std::size_t metadata_bytes_max = std::size_t{64} << 10;  // of a URL
  std::size_t queues_max = 1'000'000;
  std::size_t streams_max = 1'000;  // streams of puts at once
};

enum class LogLevel : std::uint8_t { Trace, Debug, Info, Warn, Error };

struct ServiceHooks {
  const CancelToken* cancel = nullptr;
  // The address and the port, and those of the metrics (empty: none).
  std::function<void(const std::string& address, const std::string& metrics)> started = {};
  std::function<void(LogLevel level, std::string_view line)> log = {};
};

// Serves until cancelled; calls in progress may end then, for some seconds.
void serve_frontier(const ServiceSettings& settings, const ServiceHooks& hooks);

// Every URL of every crawl as a line of JSON (a URLItem), which load_frontier() reads.
void dump_frontier(const ServiceSettings& settings,
                   const std::function<void(std::string_view line)>& write);

struct LoadedUrls {
  std::uint64_t stored = 0;
  std::uint64_t skipped = 0;  // known already, or not fit to be stored
};

// `next` fills in a line and returns false at the end. Throws Error(BadInput) for a line that is
// no URLItem, with its number.
LoadedUrls load_frontier(const ServiceSettings& settings,
                         const std::function<bool(std::string& line)>& next);

}  // namespace webstrata::frontier
