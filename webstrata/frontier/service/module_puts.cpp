// SPDX-License-Identifier: Apache-2.0

// The two streams of puts. Tested by tests/frontier/service_test.py.

#include "webstrata/base/error.h"
#include "webstrata/frontier/service/calls.h"
#include "webstrata/frontier/service/messages.h"
#include "webstrata/frontier/service/put_stream.h"

namespace webstrata::frontier {
namespace {

const std::string& url_of(const api::URLItem& item) {
  return item.has_known() ? item.known().info().url() : item.discovered().info().url();
}

}  // namespace

api::AckMessage::Status Calls::store(const std::optional<PutItem>& item) {
  if (is_stopping_) return api::AckMessage::FAIL;
  if (!item) return api::AckMessage::SKIPPED;
  Ack ack = Ack::Fail;
  try {
    ack = frontier_.put(*item);
  } catch (const std::exception& error) {
    log(LogLevel::Error, error.what());
  }
  counters_.count_put(*item, ack);
  return status_of(ack);
}

grpc::Status Calls::check_stream(const grpc::ServerContextBase& context) {
  Status status = check_token(context);
  if (!status.ok()) return status;
  if (counters_.streams >= static_cast<std::int64_t>(settings_.streams_max)) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many streams; close one, or try later"};
  }
  if (is_stopping_) return {grpc::StatusCode::UNAVAILABLE, "the service is stopping"};
  return status;
}

grpc::ServerBidiReactor<api::URLItem, api::AckMessage>* Calls::PutURLs(
    grpc::CallbackServerContext* context) {
  ++counters_.of("PutURLs").count;
  const Status status = check_stream(*context);
  if (!status.ok()) {
    ++counters_.of("PutURLs").failed;
    return new RefusedStream<api::URLItem, api::AckMessage>(status);
  }
  ++counters_.streams;
  const auto stored = [this](const api::URLItem& item) {
    api::AckMessage ack;
    ack.set_id(item.id().empty() ? url_of(item) : item.id());
    ack.set_status(store(item_of(item)));
    return ack;
  };
  const auto lost = [](api::AckMessage& ack) { ack.set_status(api::AckMessage::FAIL); };
  return new PutStream<api::URLItem, api::AckMessage>(frontier_.durable(), stored, lost,
                                                      [this] { --counters_.streams; });
}

grpc::ServerBidiReactor<api::DiscoveredBatch, api::BatchAck>* Calls::PutDiscovered(
    grpc::CallbackServerContext* context) {
  ++counters_.of("PutDiscovered").count;
  const Status status = check_stream(*context);
  if (!status.ok()) {
    ++counters_.of("PutDiscovered").failed;
    return new RefusedStream<api::DiscoveredBatch, api::BatchAck>(status);
  }
  ++counters_.streams;
  const auto stored = [this](const api::DiscoveredBatch& batch) {
    api::BatchAck ack;
    ack.set_id(batch.id());
    for (const api::URLInfo& info : batch.items()) {
      ack.add_statuses(store(PutItem{.info = info_of(info)}));
    }
    return ack;
  };
  const auto lost = [](api::BatchAck& ack) {
    for (int i = 0; i < ack.statuses_size(); ++i) ack.set_statuses(i, api::AckMessage::FAIL);
  };
  return new PutStream<api::DiscoveredBatch, api::BatchAck>(frontier_.durable(), stored, lost,
                                                            [this] { --counters_.streams; });
}

}  // namespace webstrata::frontier
