// SPDX-License-Identifier: Apache-2.0

// The server: its port, TLS, limits, and how it stops. What a client may cost is bounded: bytes of
// a message, calls on a connection, threads for calls, and memory for what is being received.
// Tested by tests/frontier/service_test.py.

#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/resource_quota.h>

#include "webstrata/base/error.h"
#include "webstrata/frontier/order/archive_order.h"
#include "webstrata/frontier/service/calls.h"
#include "webstrata/frontier/service/grpc_client.h"
#include "webstrata/frontier/service/metrics_server.h"
#include "webstrata/frontier/service/service_module.h"

namespace webstrata::frontier {
namespace {

constexpr int kThreadsMax = 256;
constexpr std::size_t kReceiveBytesMax = std::size_t{256} << 20;
constexpr int kStreamsPerConnection = 128;
constexpr std::chrono::seconds kGrace{5};

std::shared_ptr<grpc::ServerCredentials> credentials_of(const ServiceSettings& settings) {
  if (settings.certificate.empty()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options;
  options.pem_key_cert_pairs.push_back({settings.private_key, settings.certificate});
  return grpc::SslServerCredentials(options);
}

std::string host_and_port(const std::string& address, int port) {
  const bool is_ipv6 = address.find(':') != std::string::npos;
  return fmt::format("{}:{}", is_ipv6 ? "[" + address + "]" : address, port);
}

std::unique_ptr<Order> order_of(const ServiceSettings& settings) {
  if (settings.archive.empty()) return nullptr;
  return std::make_unique<ArchiveOrder>(ArchiveOrderOptions{settings.archive, settings.score});
}

FrontierOptions options_of(const ServiceSettings& settings, Order* order) {
  FrontierOptions options;
  options.order = order;
  options.limits.metadata_bytes_max = settings.metadata_bytes_max;
  options.limits.queues_max = settings.queues_max;
  return options;
}

struct RunningServer {
  std::unique_ptr<grpc::Server> server;
  int port = 0;
};

RunningServer start(const ServiceSettings& settings, Calls& calls) {
  grpc::ResourceQuota quota("frontier");
  quota.Resize(kReceiveBytesMax);
  quota.SetMaxThreads(kThreadsMax);
  grpc::ServerBuilder builder;
  builder.SetResourceQuota(quota);
  builder.SetMaxReceiveMessageSize(static_cast<int>(settings.message_bytes_max));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kStreamsPerConnection);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // a second service must not share it
  // Clients that vanished are noticed after six minutes. Not earlier: while the store waits for a
  // slow disk, the threads that read the answers to these pings wait, too, and clients that are
  // there would be dropped.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 60'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 300'000);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
  RunningServer running;
  builder.AddListeningPort(host_and_port(settings.address, settings.port), credentials_of(settings),
                           &running.port);
  builder.RegisterService(&calls);
  running.server = builder.BuildAndStart();
  if (running.server == nullptr || running.port == 0) {
    throw Error(ErrorKind::Io,
                fmt::format("cannot listen on {}: is the port in use, or is certificate or key not "
                            "valid?",
                            host_and_port(settings.address, settings.port)));
  }
  return running;
}

void serve(const ServiceSettings& settings, const ServiceHooks& hooks) {
  const std::unique_ptr<Order> order = order_of(settings);
  Frontier frontier(settings.job / "frontier", options_of(settings, order.get()));
  Calls calls(frontier, settings, hooks);
  const RunningServer running = start(settings, calls);
  calls.set_node(host_and_port(settings.address, running.port));
  std::unique_ptr<MetricsServer> metrics;
  if (settings.metrics_port) {
    metrics = std::make_unique<MetricsServer>(settings.address, *settings.metrics_port, [&] {
      return metrics_text(calls.counters(), frontier.totals());
    });
  }
  hooks.started(host_and_port(settings.address, running.port),
                metrics ? host_and_port(settings.address, metrics->port()) : "");
  for (int turn = 0; !hooks.cancel->cancelled(); ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (turn % 50 == 0) calls.watch().end_stalled();
  }
  calls.stop();
  running.server->Shutdown(std::chrono::system_clock::now() + kGrace);
  running.server->Wait();
  metrics.reset();
  frontier.durable().wait();
}

}  // namespace

void dump_lines(const ServiceSettings& settings,
                const std::function<void(std::string_view line)>& write);  // module_lines.cpp
LoadedUrls load_lines(const ServiceSettings& settings,
                      const std::function<bool(std::string& line)>& next);  // module_lines.cpp

}  // namespace webstrata::frontier

extern "C" __attribute__((visibility("default"))) void webstrata_frontier_functions(
    webstrata::frontier::ServiceFunctions& functions) {
  functions.serve = webstrata::frontier::serve;
  functions.dump = webstrata::frontier::dump_lines;
  functions.load = webstrata::frontier::load_lines;
  functions.connect = webstrata::frontier::make_grpc_client;
}
