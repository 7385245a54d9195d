// SPDX-License-Identifier: Apache-2.0

// The library's side of client.h. Every call waits until the service is there, up to the patience
// of the settings. A stream of puts that breaks is sent again from its first item without an
// acknowledgement: the service ignores what it knows, and a report twice is a report.
// Tested by tests/frontier/crawl_test.py.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include "urlfrontier.grpc.pb.h"
#include "webstrata/base/error.h"
#include "webstrata/frontier/service/client.h"
#include "webstrata/frontier/service/grpc_client.h"
#include "webstrata/frontier/service/messages.h"

namespace webstrata::frontier {
namespace {

namespace api = ::urlfrontier;

constexpr std::size_t kPutAtOnce = 1000;  // items in flight: acknowledgements are read in between

std::shared_ptr<grpc::ChannelCredentials> credentials_of(const ClientSettings& settings) {
  if (settings.roots.empty()) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = settings.roots;
  return grpc::SslCredentials(options);
}

class GrpcClient : public FrontierClient {
 public:
  explicit GrpcClient(const ClientSettings& settings)
      : settings_(settings),
        stub_(api::URLFrontier::NewStub(
            grpc::CreateChannel(settings.address, credentials_of(settings)))) {}

  std::vector<UrlInfo> take(std::size_t most) override {
    api::GetParams params;
    params.set_max_urls_per_queue(settings_.urls_per_queue);
    params.set_max_queues(static_cast<std::uint32_t>(
        std::max<std::size_t>(1, most / std::max(1U, settings_.urls_per_queue))));
    params.set_delay_requestable(settings_.lease_seconds);
    params.set_crawlid(settings_.crawl);
    std::vector<UrlInfo> urls;
    persist([&](grpc::ClientContext& context) {
      const auto stream = stub_->GetURLs(&context, params);
      api::URLInfo message;
      while (stream->Read(&message)) urls.push_back(info_of(message));
      const grpc::Status status = stream->Finish();
      return urls.empty() ? status : grpc::Status::OK;  // what arrived is leased to us
    });
    return urls;
  }

  void put(std::span<const PutItem> items) override {
    for (std::size_t at = 0; at < items.size(); at += kPutAtOnce) {
      put_some(items.subspan(at, std::min(kPutAtOnce, items.size() - at)));
    }
  }

  std::uint64_t waiting() override {
    api::QueueWithinCrawlParams params;
    params.set_crawlid(settings_.crawl);
    api::Stats stats;
    persist(
        [&](grpc::ClientContext& context) { return stub_->GetStats(&context, params, &stats); });
    return stats.size();
  }

 private:
  // Calls until it succeeds, the patience ends, or the service refuses the call itself.
  template <typename Call>
  void persist(const Call& call) {
    using Clock = std::chrono::system_clock;
    const auto end = Clock::now() + std::chrono::seconds(settings_.patience_seconds);
    while (true) {
      grpc::ClientContext context;
      context.set_wait_for_ready(true);
      context.set_deadline(end);
      if (!settings_.token.empty()) {
        context.AddMetadata("authorization", fmt::format("Bearer {}", settings_.token));
      }
      const grpc::Status status = call(context);
      if (status.ok()) return;
      const bool may_change = status.error_code() == grpc::StatusCode::UNAVAILABLE ||
                              status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED;
      if (!may_change || Clock::now() >= end) {
        throw Error(ErrorKind::Io, fmt::format("the frontier at {} does not answer: {} (code {})",
                                               settings_.address, status.error_message(),
                                               static_cast<int>(status.error_code())));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  }

  void put_some(std::span<const PutItem> items) {
    std::vector<bool> is_acknowledged(items.size());
    persist(
        [&](grpc::ClientContext& context) { return put_once(context, items, is_acknowledged); });
  }

  // Acknowledgements come in any order; the ID says which item is meant.
  grpc::Status put_once(grpc::ClientContext& context, std::span<const PutItem> items,
                        std::vector<bool>& is_acknowledged) {
    const auto stream = stub_->PutURLs(&context);
    std::size_t sent = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (is_acknowledged[i]) continue;
      if (!stream->Write(message_of(items[i], i))) break;
      ++sent;
    }
    stream->WritesDone();
    api::AckMessage ack;
    std::size_t failed = 0;
    while (stream->Read(&ack)) {
      const std::size_t number = std::strtoull(ack.id().c_str(), nullptr, 10);
      if (number >= items.size()) continue;
      // SKIPPED must not be sent again: the service knows the URL, or does not want it.
      is_acknowledged[number] = ack.status() != api::AckMessage::FAIL;
      if (ack.status() == api::AckMessage::FAIL) ++failed;
    }
    const grpc::Status status = stream->Finish();
    if (!status.ok()) return status;
    const bool is_complete = std::ranges::find(is_acknowledged, false) == is_acknowledged.end();
    if (is_complete) return grpc::Status::OK;
    return {grpc::StatusCode::UNAVAILABLE, fmt::format("{} of {} items failed", failed, sent)};
  }

  [[nodiscard]] api::URLItem message_of(const PutItem& item, std::size_t number) const {
    api::URLItem message;
    message.set_id(std::to_string(number));
    if (item.is_known) message.mutable_known()->set_refetchable_from_date(item.refetchable_from);
    api::URLInfo& info = item.is_known ? *message.mutable_known()->mutable_info()
                                       : *message.mutable_discovered()->mutable_info();
    fill(info, item.info);
    info.set_crawlid(settings_.crawl);
    return message;
  }

  ClientSettings settings_;
  std::unique_ptr<api::URLFrontier::Stub> stub_;
};

}  // namespace

std::unique_ptr<FrontierClient> make_grpc_client(const ClientSettings& settings) {
  return std::make_unique<GrpcClient>(settings);
}

}  // namespace webstrata::frontier
