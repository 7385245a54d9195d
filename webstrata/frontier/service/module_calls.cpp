// SPDX-License-Identifier: Apache-2.0

// Each call is checked, counted, timed and logged in answer(), which also turns errors into
// statuses; the calls themselves only translate. Tested by tests/frontier/service_test.py.

#include <limits>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/frontier/service/calls.h"
#include "webstrata/frontier/service/messages.h"
#include "webstrata/frontier/service/same_text.h"

namespace webstrata::frontier {
namespace {

constexpr std::uint32_t kListed = 100;  // queues or URLs, if the client does not say how many

grpc::Status status_of(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::BadInput:
      return {grpc::StatusCode::INVALID_ARGUMENT, error.what()};
    case ErrorKind::NotFound:
      return {grpc::StatusCode::NOT_FOUND, error.what()};
    case ErrorKind::Corrupt:
      return {grpc::StatusCode::DATA_LOSS, error.what()};
    case ErrorKind::Cancelled:
      return {grpc::StatusCode::CANCELLED, error.what()};
    case ErrorKind::Io:
      break;
  }
  return {grpc::StatusCode::UNAVAILABLE, error.what()};
}

void check_key(std::string_view what, const std::string& key) {
  if (key.size() > FrontierLimits{}.key_bytes_max) {
    refuse(fmt::format("{} has {} bytes; at most {} are allowed", what, key.size(),
                       FrontierLimits{}.key_bytes_max));
  }
}

template <typename Request>
UrlChoice choice_of(const Request& request) {
  return {request.key(), request.crawlid(), request.filter(), request.ignorecase()};
}

}  // namespace

Calls::Calls(Frontier& frontier, const ServiceSettings& settings, const ServiceHooks& hooks)
    : frontier_(frontier), settings_(settings), hooks_(hooks) {}

void Calls::log(LogLevel level, std::string_view line) {
  if (hooks_.log && level >= level_.load()) hooks_.log(level, line);
}

grpc::Status Calls::check_token(const grpc::ServerContextBase& context) const {
  if (settings_.token.empty()) return Status::OK;
  const auto found = context.client_metadata().find("authorization");
  const std::string expected = "Bearer " + settings_.token;
  if (found != context.client_metadata().end() &&
      is_same_text({found->second.data(), found->second.size()}, expected)) {
    return Status::OK;
  }
  return {grpc::StatusCode::UNAUTHENTICATED,
          "this service needs the metadata \"authorization: Bearer TOKEN\""};
}

grpc::Status Calls::durable() {
  if (frontier_.durable().wait()) return Status::OK;
  return {grpc::StatusCode::UNAVAILABLE, "the disk failed; see the log of the service"};
}

template <typename Work>
grpc::Status Calls::answer(Context* context, std::string_view call, const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  Status status = check_token(*context);
  if (status.ok()) {
    try {
      status = work();
    } catch (const Error& error) {
      status = status_of(error);
    } catch (const std::exception& error) {
      status = {grpc::StatusCode::INTERNAL, error.what()};
    }
  }
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  Counters::Call& counted = counters_.of(call);
  ++counted.count;
  counted.microseconds += static_cast<std::uint64_t>(time.count());
  if (!status.ok()) ++counted.failed;
  const bool is_usual = status.ok() || status.error_code() == grpc::StatusCode::CANCELLED;
  log(is_usual ? LogLevel::Debug : LogLevel::Warn,
      fmt::format("{} {} {:.0f} us{}{}", context->peer(), call, time.count(),
                  status.ok() ? "" : ": ", status.error_message()));
  return status;
}

grpc::Status Calls::ListNodes(Context* context, const api::Empty* /*request*/,
                              api::StringList* list) {
  return answer(context, "ListNodes", [&] {
    list->add_values(node_);
    return Status::OK;
  });
}

grpc::Status Calls::ListCrawls(Context* context, const api::Local* /*request*/,
                               api::StringList* list) {
  return answer(context, "ListCrawls", [&] {
    for (std::string& crawl : frontier_.crawls()) list->add_values(std::move(crawl));
    return Status::OK;
  });
}

grpc::Status Calls::DeleteCrawl(Context* context, const api::DeleteCrawlMessage* request,
                                api::Long* count) {
  return answer(context, "DeleteCrawl", [&] {
    count->set_value(frontier_.remove_crawl(request->value()));
    return durable();
  });
}

grpc::Status Calls::ListQueues(Context* context, const api::Pagination* request,
                               api::QueueList* list) {
  return answer(context, "ListQueues", [&] {
    const std::uint32_t size = request->size() == 0 ? kListed : request->size();
    QueuePage page =
        frontier_.queues(request->crawlid(), request->start(), size, request->include_inactive());
    for (std::string& key : page.keys) list->add_values(std::move(key));
    list->set_total(page.total);
    list->set_start(request->start());
    list->set_size(static_cast<std::uint32_t>(list->values_size()));
    list->set_crawlid(page.crawl);
    return Status::OK;
  });
}

grpc::Status Calls::GetURLs(Context* context, const api::GetParams* request,
                            grpc::ServerWriter<api::URLInfo>* writer) {
  return answer(context, "GetURLs", [&]() -> Status {
    check_key("key", request->key());
    TakeRun run{.max_urls_per_queue = request->max_urls_per_queue(),
                .max_queues = request->max_queues(),
                .key = request->key(),
                .lease_seconds = request->delay_requestable()};
    if (request->has_crawlid()) run.crawl = request->crawlid();
    Watch::Call watched(watch_, [context] { context->TryCancel(); });
    std::vector<UrlInfo> urls;
    while (!context->IsCancelled() && !is_stopping_ && frontier_.take(run, urls)) {
      const Status status = durable();
      if (!status.ok()) return status;
      counters_.taken += urls.size();
      for (const UrlInfo& url : urls) {
        api::URLInfo message;
        fill(message, url);
        if (!writer->Write(message)) return {grpc::StatusCode::CANCELLED, "client left"};
        watched.moved();
      }
    }
    return Status::OK;
  });
}

grpc::Status Calls::GetStats(Context* context, const api::QueueWithinCrawlParams* request,
                             api::Stats* stats) {
  return answer(context, "GetStats", [&] {
    fill(*stats, frontier_.stats(request->key(), request->crawlid()));
    return Status::OK;
  });
}

grpc::Status Calls::DeleteQueue(Context* context, const api::QueueWithinCrawlParams* request,
                                api::Long* count) {
  return answer(context, "DeleteQueue", [&] {
    count->set_value(frontier_.remove_queue(request->key(), request->crawlid()));
    return durable();
  });
}

grpc::Status Calls::BlockQueueUntil(Context* context, const api::BlockQueueParams* request,
                                    api::Empty* /*answer*/) {
  return answer(context, "BlockQueueUntil", [&] {
    frontier_.block(request->key(), request->crawlid(), request->time());
    return durable();
  });
}

grpc::Status Calls::SetActive(Context* context, const api::Active* request,
                              api::Empty* /*answer*/) {
  return answer(context, "SetActive", [&] {
    frontier_.set_active(request->state());
    return durable();
  });
}

grpc::Status Calls::GetActive(Context* context, const api::Local* /*request*/,
                              api::Boolean* state) {
  return answer(context, "GetActive", [&] {
    state->set_state(frontier_.is_active());
    return Status::OK;
  });
}

grpc::Status Calls::SetDelay(Context* context, const api::QueueDelayParams* request,
                             api::Empty* /*answer*/) {
  return answer(context, "SetDelay", [&] {
    if (request->key().empty()) {
      frontier_.set_default_delay(request->delay_requestable());
    } else {
      frontier_.set_delay(request->key(), request->crawlid(), request->delay_requestable());
    }
    return durable();
  });
}

grpc::Status Calls::SetLogLevel(Context* context, const api::LogLevelParams* request,
                                api::Empty* /*answer*/) {
  return answer(context, "SetLogLevel", [&] {
    const int level = request->level();
    if (level < 0 || level > static_cast<int>(LogLevel::Error)) refuse("unknown level");
    level_ = static_cast<LogLevel>(level);
    return Status::OK;
  });
}

grpc::Status Calls::SetCrawlLimit(Context* context, const api::CrawlLimitParams* request,
                                  api::Empty* /*answer*/) {
  return answer(context, "SetCrawlLimit", [&]() -> Status {
    if (!frontier_.set_limit(request->key(), request->crawlid(), request->limit())) {
      return {grpc::StatusCode::NOT_FOUND, "no queue has this key"};
    }
    return durable();
  });
}

grpc::Status Calls::GetURLStatus(Context* context, const api::URLStatusRequest* request,
                                 api::URLItem* item) {
  return answer(context, "GetURLStatus", [&]() -> Status {
    const auto known = frontier_.status(request->url(), request->key(), request->crawlid());
    if (!known) return {grpc::StatusCode::NOT_FOUND, "this URL is not known"};
    fill(*item, *known);
    return Status::OK;
  });
}

grpc::Status Calls::ListURLs(Context* context, const api::ListUrlParams* request,
                             grpc::ServerWriter<api::URLItem>* writer) {
  return answer(context, "ListURLs", [&] {
    std::uint64_t left = request->size() == 0 ? kListed : request->size();
    std::uint64_t skip = request->start();
    Watch::Call watched(watch_, [context] { context->TryCancel(); });
    frontier_.list(choice_of(*request), [&](const KnownUrl& url) {
      watched.moved();
      if (skip > 0) {
        --skip;
        return !context->IsCancelled();
      }
      api::URLItem item;
      fill(item, url);
      return writer->Write(item) && --left > 0 && !is_stopping_;
    });
    return Status::OK;
  });
}

grpc::Status Calls::CountURLs(Context* context, const api::CountUrlParams* request,
                              api::Long* count) {
  return answer(context, "CountURLs", [&] {
    count->set_value(frontier_.count(choice_of(*request)));
    return Status::OK;
  });
}

grpc::Status Calls::PurgeURLs(Context* context, const api::PurgeUrlParams* request,
                              api::Long* count) {
  return answer(context, "PurgeURLs", [&] {
    count->set_value(frontier_.purge(request->key(), request->crawlid(), request->days()));
    return durable();
  });
}

}  // namespace webstrata::frontier
