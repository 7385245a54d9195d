// SPDX-License-Identifier: Apache-2.0

// The calls of the API. Private to module_*.cpp.
//
// Streams of puts are answered by gRPC's own few threads; every other call has a thread of its own
// while it lasts, of which there is a limited number (module_serve.cpp).

#pragma once

#include <atomic>
#include <string>

#include <grpcpp/grpcpp.h>

#include "urlfrontier.grpc.pb.h"
#include "webstrata/frontier/service/counters.h"
#include "webstrata/frontier/service/service.h"
#include "webstrata/frontier/service/watch.h"
#include "webstrata/frontier/store/frontier.h"

namespace webstrata::frontier {

namespace api = urlfrontier;

class Calls final
    : public api::URLFrontier::WithCallbackMethod_PutURLs<
          api::URLFrontier::WithCallbackMethod_PutDiscovered<api::URLFrontier::Service>> {
 public:
  Calls(Frontier& frontier, const ServiceSettings& settings, const ServiceHooks& hooks);

  Counters& counters() noexcept { return counters_; }
  Watch& watch() noexcept { return watch_; }
  void set_node(std::string node) { node_ = std::move(node); }  // "127.0.0.1:7071"
  // No further puts are stored.
  void stop() noexcept { is_stopping_ = true; }

  using Context = grpc::ServerContext;
  using Status = grpc::Status;
  Status ListNodes(Context* context, const api::Empty* request, api::StringList* answer) override;
  Status ListCrawls(Context* context, const api::Local* request, api::StringList* answer) override;
  Status DeleteCrawl(Context* context, const api::DeleteCrawlMessage* request,
                     api::Long* answer) override;
  Status ListQueues(Context* context, const api::Pagination* request,
                    api::QueueList* answer) override;
  Status GetURLs(Context* context, const api::GetParams* request,
                 grpc::ServerWriter<api::URLInfo>* writer) override;
  Status GetStats(Context* context, const api::QueueWithinCrawlParams* request,
                  api::Stats* answer) override;
  Status DeleteQueue(Context* context, const api::QueueWithinCrawlParams* request,
                     api::Long* answer) override;
  Status BlockQueueUntil(Context* context, const api::BlockQueueParams* request,
                         api::Empty* answer) override;
  Status SetActive(Context* context, const api::Active* request, api::Empty* answer) override;
  Status GetActive(Context* context, const api::Local* request, api::Boolean* answer) override;
  Status SetDelay(Context* context, const api::QueueDelayParams* request,
                  api::Empty* answer) override;
  Status SetLogLevel(Context* context, const api::LogLevelParams* request,
                     api::Empty* answer) override;
  Status SetCrawlLimit(Context* context, const api::CrawlLimitParams* request,
                       api::Empty* answer) override;
  Status GetURLStatus(Context* context, const api::URLStatusRequest* request,
                      api::URLItem* answer) override;
  Status ListURLs(Context* context, const api::ListUrlParams* request,
                  grpc::ServerWriter<api::URLItem>* writer) override;
  Status CountURLs(Context* context, const api::CountUrlParams* request,
                   api::Long* answer) override;
  Status PurgeURLs(Context* context, const api::PurgeUrlParams* request,
                   api::Long* answer) override;

  grpc::ServerBidiReactor<api::URLItem, api::AckMessage>* PutURLs(
      grpc::CallbackServerContext* context) override;
  grpc::ServerBidiReactor<api::DiscoveredBatch, api::BatchAck>* PutDiscovered(
      grpc::CallbackServerContext* context) override;

 private:
  template <typename Work>
  Status answer(Context* context, std::string_view call, const Work& work);
  Status check_token(const grpc::ServerContextBase& context) const;
  Status check_stream(const grpc::ServerContextBase& context);
  Status durable();
  api::AckMessage::Status store(const std::optional<PutItem>& item);
  void log(LogLevel level, std::string_view line);

  Frontier& frontier_;
  const ServiceSettings& settings_;
  const ServiceHooks& hooks_;
  Counters counters_;
  Watch watch_;
  std::string node_;
  std::atomic<LogLevel> level_ = LogLevel::Info;
  std::atomic<bool> is_stopping_ = false;
};

}  // namespace webstrata::frontier
