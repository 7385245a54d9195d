// SPDX-License-Identifier: Apache-2.0

// Load for a URL Frontier service: clients put or take URLs as fast as it answers.
//
//   frontier_bench ADDRESS put    --clients 8 --urls 1000000 --queues 1000
//   frontier_bench ADDRESS get    --clients 8 --seconds 20
//   frontier_bench ADDRESS report --clients 8 --urls 100000 --queues 1000     (done for ever)
//
// Prints one line of JSON: how many items were acknowledged or received, and the seconds. Each
// client has a connection of its own; puts are one stream per client, of which another thread reads
// the acknowledgements. bench/frontier/throughput.py starts the services and calls this.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>
#include <CLI/CLI.hpp>

#include "urlfrontier.grpc.pb.h"

namespace {

namespace api = ::urlfrontier;
using Seconds = std::chrono::duration<double>;

struct Load {
  std::string address;
  std::string task;
  unsigned clients = 1;
  std::uint64_t urls = 100'000;
  std::uint64_t queues = 1000;
  std::uint32_t queues_at_once = 100;
  std::uint32_t urls_per_queue = 10;
  double seconds = 20;
};

// URLs of about 60 bytes; neighbours are in different queues.
void fill(api::URLInfo& info, std::uint64_t number, std::uint64_t queues) {
  info.set_key(fmt::format("www.host{}.example", number % queues));
  info.set_url(fmt::format("http://www.host{}.example/folder{}/page-{}.html", number % queues,
                           number / queues % 100, number));
}

class Client {
 public:
  explicit Client(const Load& load) : load_(load) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own
    stub_ = api::URLFrontier::NewStub(
        grpc::CreateCustomChannel(load.address, grpc::InsecureChannelCredentials(), arguments));
  }

  // Items number, number + step, … as one stream.
  std::uint64_t put(std::uint64_t number, std::uint64_t step) {
    grpc::ClientContext context;
    const auto stream = stub_->PutURLs(&context);
    std::uint64_t acknowledged = 0;
    std::thread reader([&] {
      api::AckMessage ack;
      while (stream->Read(&ack)) acknowledged += ack.status() == api::AckMessage::OK ? 1 : 0;
    });
    api::URLItem item;
    for (; number < load_.urls; number += step) {
      item.Clear();
      const bool is_report = load_.task == "report";
      fill(is_report ? *item.mutable_known()->mutable_info()
                     : *item.mutable_discovered()->mutable_info(),
           number, load_.queues);
      item.set_id("1");  // short: the acknowledgement repeats it
      if (!stream->Write(item)) break;
    }
    stream->WritesDone();
    reader.join();
    check(stream->Finish());
    return acknowledged;
  }

  // Until nothing is left or the time is over.
  std::uint64_t get() {
    const auto end = std::chrono::steady_clock::now() + Seconds(load_.seconds);
    std::uint64_t received = 0;
    unsigned empty = 0;
    while (std::chrono::steady_clock::now() < end && empty < 3) {
      grpc::ClientContext context;
      api::GetParams params;
      params.set_max_queues(load_.queues_at_once);
      params.set_max_urls_per_queue(load_.urls_per_queue);
      params.set_delay_requestable(36'000);
      params.set_crawlid("DEFAULT");
      const auto stream = stub_->GetURLs(&context, params);
      api::URLInfo info;
      const std::uint64_t before = received;
      while (stream->Read(&info)) ++received;
      check(stream->Finish());
      empty = received == before ? empty + 1 : 0;
    }
    return received;
  }

  void no_delay() {
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    api::QueueDelayParams params;
    api::Empty empty;
    check(stub_->SetDelay(&context, params, &empty));
  }

 private:
  static void check(const grpc::Status& status) {
    if (status.ok()) return;
    std::fputs(
        fmt::format("code {}: {}\n", static_cast<int>(status.error_code()), status.error_message())
            .c_str(),
        stderr);
    std::exit(2);
  }

  const Load& load_;
  std::unique_ptr<api::URLFrontier::Stub> stub_;
};

std::uint64_t run(const Load& load) {
  std::atomic<std::uint64_t> items = 0;
  std::vector<std::thread> threads;
  for (unsigned client = 0; client < load.clients; ++client) {
    threads.emplace_back([&, client] {
      Client one(load);
      items += load.task == "get" ? one.get() : one.put(client, load.clients);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return items;
}

}  // namespace

int main(int count, char** words) {
  Load load;
  CLI::App app("Load for a URL Frontier service");
  app.add_option("address", load.address)->required();
  app.add_option("task", load.task)->required()->check(CLI::IsMember({"put", "get", "report"}));
  app.add_option("--clients", load.clients);
  app.add_option("--urls", load.urls);
  app.add_option("--queues", load.queues);
  app.add_option("--queues-at-once", load.queues_at_once);
  app.add_option("--urls-per-queue", load.urls_per_queue);
  app.add_option("--seconds", load.seconds);
  CLI11_PARSE(app, count, words);
  Client(load).no_delay();
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t items = run(load);
  const double seconds = Seconds(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{{\"items\":{},\"seconds\":{:.3f}}}\n", items, seconds);
}
