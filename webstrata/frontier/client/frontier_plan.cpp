// SPDX-License-Identifier: Apache-2.0

// Reports carry the key and the metadata with which the URL came: a service keeps what the last
// report says, and nothing else.
// Tested by tests/frontier/crawl_test.py.

#include "webstrata/frontier/client/frontier_plan.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

namespace webstrata::frontier {
namespace {

void set(Metadata& metadata, std::string_view name, std::string value) {
  const auto found = std::ranges::find(metadata, name, &Metadata::value_type::first);
  if (found != metadata.end()) {
    found->second = {std::move(value)};
  } else {
    metadata.emplace_back(std::string(name), std::vector<std::string>{std::move(value)});
  }
}

std::string first_of(const Metadata& metadata, std::string_view name) {
  const auto found = std::ranges::find(metadata, name, &Metadata::value_type::first);
  return found == metadata.end() || found->second.empty() ? "" : found->second.front();
}

class FrontierPlan : public SharedPlan {
 public:
  explicit FrontierPlan(std::unique_ptr<FrontierClient> client) : client_(std::move(client)) {}

  std::vector<Task> take(std::size_t most) override {
    std::vector<Task> tasks;
    for (UrlInfo& info : client_->take(most)) {
      Task task{.url = info.url, .from = first_of(info.metadata, "from")};
      const std::string depth = first_of(info.metadata, "depth");
      std::from_chars(depth.data(), depth.data() + depth.size(), task.depth);
      held_.insert_or_assign(info.url, std::move(info));
      tasks.push_back(std::move(task));
    }
    return tasks;
  }

  void discover(Task found) override {
    PutItem item{.info = {.url = std::move(found.url)}};
    set(item.info.metadata, "depth", std::to_string(found.depth));
    if (!found.from.empty()) set(item.info.metadata, "from", std::move(found.from));
    items_.push_back(std::move(item));
  }

  void report(Report report) override {
    PutItem item{.info = {.url = report.url}, .is_known = true};
    if (auto held = held_.extract(report.url)) item.info = std::move(held.mapped());
    if (report.status != 0) set(item.info.metadata, "status", std::to_string(report.status));
    if (report.outcome != Outcome::Unknown) {
      set(item.info.metadata, "outcome", std::string(to_string(report.outcome)));
    }
    if (!report.reason.empty()) set(item.info.metadata, "reason", std::move(report.reason));
    // The service counts in seconds: the next one is never too early.
    if (report.again_at)
      item.refetchable_from = static_cast<std::uint64_t>(*report.again_at / 1000 + 1);
    items_.push_back(std::move(item));
  }

  void send() override {
    if (items_.empty()) return;
    client_->put(items_);
    items_.clear();
  }

  std::uint64_t waiting() override { return client_->waiting(); }

 private:
  std::unique_ptr<FrontierClient> client_;
  std::unordered_map<std::string, UrlInfo> held_;  // taken, and not reported yet
  std::vector<PutItem> items_;                     // to send
};

}  // namespace

std::shared_ptr<SharedPlan> frontier_plan(std::unique_ptr<FrontierClient> client) {
  return std::make_shared<FrontierPlan>(std::move(client));
}

}  // namespace webstrata::frontier
