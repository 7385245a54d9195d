// SPDX-License-Identifier: Apache-2.0

// A request goes through three states: it waits for its host (one connection at a time), for the
// addresses of that host, and for curl.
// Tested by tests/fetch/hostile_server_test.py.

#include "webstrata/fetch/wire/curl_transport.h"

#include <curl/curl.h>

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/capture/remote/curl_library.h"
#include "webstrata/fetch/wire/address.h"
#include "webstrata/fetch/wire/agent.h"
#include "webstrata/fetch/wire/curl_transfer.h"
#include "webstrata/url/host.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr int kPollMsMax = 1000;
constexpr std::size_t kAddressesTried = 3;
constexpr Moment kLookUpMsMax = 15'000;

std::string without_brackets(std::string_view host) {
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return std::string(host);
}

std::string place_text(const std::string& address, std::string_view port) {
  const bool is_ipv6 = address.find(':') != std::string::npos;
  return is_ipv6 ? fmt::format("[{}]:{}", address, port) : fmt::format("{}:{}", address, port);
}

}  // namespace

class CurlTransport::Multi {
 public:
  Multi(CurlTransportOptions options, const Clock& clock)
      : settings_{checked_agent(options.agent), options.ca_file},
        allow_private_(options.allow_private),
        names_are_mapped_(options.look_up != nullptr),
        clock_(clock),
        handle_(open()),
        resolver_(std::make_unique<Resolver>(options.look_up ? options.look_up : system_look_up(),
                                             [this] { curl().multi_wakeup(handle_); })) {}

  ~Multi() {
    resolver_.reset();  // no more wake-ups
    for (auto& [id, job] : jobs_) {
      if (job.transfer->handle() != nullptr) {
        curl().multi_remove_handle(handle_, job.transfer->handle());
      }
    }
    jobs_.clear();
    curl().multi_cleanup(handle_);
  }
  Multi(const Multi&) = delete;
  Multi& operator=(const Multi&) = delete;

  RequestId start(const Request& request) {
    const RequestId id = ++last_id_;
    Job job;
    job.transfer = std::make_unique<CurlTransfer>(id, request, clock_.now());
    Url url;
    if (!parse_url(request.url, url) || !url.is_web() || url.scheme() == "ftp") {
      job.transfer->fail(Failure::BadUrl, "not an http or https URL", clock_.now());
      finished_.push_back(std::move(job.transfer->response()));
      return id;
    }
    job.host = url.host();
    job.port = !url.port().empty() ? url.port() : url.scheme() == "https" ? "443" : "80";
    auto& waiting = hosts_[job.host];
    waiting.push_back(id);
    const bool is_first = waiting.size() == 1;
    jobs_.emplace(id, std::move(job));
    if (is_first) begin(id);
    return id;
  }

  std::vector<Response> wait(Moment until) {
    while (true) {
      connect_resolved();
      int running = 0;
      curl().multi_perform(handle_, &running);
      take_messages();
      give_up_late();
      if (!finished_.empty() || has_halted()) return std::exchange(finished_, {});
      const Moment now = clock_.now();
      if (now >= until || has_come(now)) return {};
      Moment pause = std::min<Moment>(until - now, kPollMsMax);
      if (!resolving_.empty() || !sought_.empty())
        pause = std::min<Moment>(pause, 100);  // their deadlines
      curl().multi_poll(handle_, nullptr, 0, static_cast<int>(pause), nullptr);
    }
  }

  // If a name server is silent for long, the request itself reports the failure.
  Whereabouts whereabouts(const std::string& host) {
    if (is_ip_address(host)) return {.addresses = without_brackets(host)};
    const Moment now = clock_.now();
    resolver_->start(host, now);
    const auto answer = resolver_->find(host);
    if (answer == nullptr) {
      Sought& sought = sought_.try_emplace(host, Sought{.since = now}).first->second;
      sought.is_told = is_late(sought, now);
      return {.is_coming = !sought.is_told};
    }
    sought_.erase(host);
    if (answer->failure != Failure::None) return {};
    const Resolution allowed = checked(*answer);
    Whereabouts where;
    for (std::size_t i = 0; i < std::min(allowed.addresses.size(), kAddressesTried); ++i) {
      if (i > 0) where.addresses += ' ';
      where.addresses += allowed.addresses[i];
    }
    return where;
  }

  void cancel(RequestId id) {
    const auto found = jobs_.find(id);
    if (found != jobs_.end()) end(found->second, Failure::Cancelled, "cancelled");
  }

  [[nodiscard]] std::size_t in_flight() const { return jobs_.size() + finished_.size(); }

  [[nodiscard]] std::vector<RequestId> halted() const {
    std::vector<RequestId> halted;
    for (const auto& [id, job] : jobs_) {
      if (job.transfer->is_halted()) halted.push_back(id);
    }
    return halted;
  }
  void grant(RequestId id, std::uint64_t body_bytes) {
    const auto found = jobs_.find(id);
    if (found != jobs_.end()) found->second.transfer->grant(body_bytes);
  }

 private:
  struct Job {
    std::unique_ptr<CurlTransfer> transfer;
    std::string host;
    std::string port;
    std::vector<std::string> places;  // still to try
  };
  // A host whose address the caller waits for.
  struct Sought {
    Moment since = 0;
    bool is_told = false;
  };

  [[nodiscard]] bool has_halted() const {
    return std::ranges::any_of(jobs_,
                               [](const auto& job) { return job.second.transfer->is_halted(); });
  }

  static CURLM* open() {
    CURLM* handle = curl().multi_init();
    if (handle == nullptr) throw Error(ErrorKind::Io, "libcurl cannot be initialised");
    curl().multi_setopt(handle, CURLMOPT_MAXCONNECTS, 256L);
    return handle;
  }

  // Its host is free.
  void begin(RequestId id) {
    Job& job = jobs_.at(id);
    if (is_ip_address(job.host)) {
      const std::string address = without_brackets(job.host);
      const std::string_view use = special_use(address);
      if (!use.empty() && !allow_private_) {
        end(job, Failure::AddressRefused, fmt::format("{} is a {} address", address, use));
        return;
      }
      connect(job, {{}, {address}, 0, {}});
      return;
    }
    resolver_->start(job.host, clock_.now());
    resolving_.insert(id);
  }

  void connect_resolved() {
    const std::vector<RequestId> waiting(resolving_.begin(), resolving_.end());
    for (const RequestId id : waiting) {
      if (!resolving_.contains(id)) continue;
      Job& job = jobs_.at(id);
      const auto answer = resolver_->find(job.host);
      if (answer == nullptr) continue;
      resolving_.erase(id);
      if (answer->failure != Failure::None) {
        end(job, answer->failure, answer->detail);
      } else {
        connect(job, checked(*answer));
      }
    }
  }

  static bool is_late(const Sought& sought, Moment now) {
    return now - sought.since >= kLookUpMsMax;
  }
  // Whether an awaited address has arrived, or will not in time. Reported once.
  bool has_come(Moment now) {
    bool has_come = false;
    for (auto& [host, sought] : sought_) {
      if (sought.is_told || !(is_late(sought, now) || resolver_->find(host))) continue;
      has_come = sought.is_told = true;
    }
    return has_come;
  }

  // Without the addresses that are refused.
  [[nodiscard]] Resolution checked(Resolution resolution) const {
    if (allow_private_ || names_are_mapped_) return resolution;
    std::string refused;
    std::erase_if(resolution.addresses, [&refused](const std::string& address) {
      const std::string_view use = special_use(address);
      if (!use.empty()) refused = fmt::format("{} is a {} address", address, use);
      return !use.empty();
    });
    if (resolution.addresses.empty()) resolution.detail = refused;
    return resolution;
  }

  void connect(Job& job, const Resolution& resolution) {
    if (resolution.addresses.empty()) {
      end(job, Failure::AddressRefused, resolution.detail);
      return;
    }
    for (const std::string& address : resolution.addresses) {
      if (job.places.size() == kAddressesTried) break;
      job.places.push_back(
          place_text(address, resolution.port > 0 ? std::to_string(resolution.port) : job.port));
    }
    connect_to_next(job);
  }

  void connect_to_next(Job& job) {
    const std::string place = job.places.front();
    job.places.erase(job.places.begin());
    curl().multi_add_handle(handle_, job.transfer->prepare(settings_, place, clock_.now()));
  }

  void take_messages() {
    int left = 0;
    while (const CURLMsg* message = curl().multi_info_read(handle_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;  // the message is deleted with the handle
      CURL* handle = message->easy_handle;
      CurlTransfer* transfer = nullptr;
      curl().easy_getinfo(handle, CURLINFO_PRIVATE, &transfer);
      Job& job = jobs_.at(transfer->response().id);
      curl().multi_remove_handle(handle_, handle);
      if (code == CURLE_COULDNT_CONNECT && !job.places.empty()) {
        connect_to_next(job);
        continue;
      }
      transfer->finish(code, clock_.now());
      hand_over(job);
    }
  }

  // Waiting for a name or for the host counts as well.
  void give_up_late() {
    const Moment now = clock_.now();
    std::vector<RequestId> late;
    for (const auto& [id, job] : jobs_) {
      if (job.transfer->handle() == nullptr && now >= job.transfer->deadline()) late.push_back(id);
    }
    for (const RequestId id : late) {
      const bool was_resolving = resolving_.contains(id);
      end(jobs_.at(id), was_resolving ? Failure::NameServerFailed : Failure::Timeout,
          was_resolving ? "no answer about its name in time" : "the host was busy with us");
    }
  }

  void end(Job& job, Failure failure, std::string_view detail) {
    if (job.transfer->handle() != nullptr) {
      curl().multi_remove_handle(handle_, job.transfer->handle());
    }
    job.transfer->fail(failure, detail, clock_.now());
    hand_over(job);
  }

  // The job is over; the next one of its host begins.
  void hand_over(Job& job) {
    const RequestId id = job.transfer->response().id;
    const std::string host = job.host;
    finished_.push_back(std::move(job.transfer->response()));
    resolving_.erase(id);
    jobs_.erase(id);
    auto& waiting = hosts_.at(host);
    const bool was_first = waiting.front() == id;
    std::erase(waiting, id);
    if (waiting.empty()) {
      hosts_.erase(host);
    } else if (was_first) {
      begin(waiting.front());
    }
  }

  CurlSettings settings_;
  bool allow_private_;
  bool names_are_mapped_;
  const Clock& clock_;
  CURLM* handle_;
  std::unique_ptr<Resolver> resolver_;
  RequestId last_id_ = 0;
  std::map<RequestId, Job> jobs_;
  std::unordered_set<RequestId> resolving_;
  std::unordered_map<std::string, Sought> sought_;                // by host
  std::unordered_map<std::string, std::deque<RequestId>> hosts_;  // the first is in flight
  std::vector<Response> finished_;
};

CurlTransport::CurlTransport(CurlTransportOptions options, const Clock& clock)
    : multi_(std::make_unique<Multi>(std::move(options), clock)) {}
CurlTransport::~CurlTransport() = default;

RequestId CurlTransport::start(const Request& request) { return multi_->start(request); }
std::vector<Response> CurlTransport::wait(Moment until) { return multi_->wait(until); }
Whereabouts CurlTransport::whereabouts(const std::string& host) {
  return multi_->whereabouts(host);
}
void CurlTransport::cancel(RequestId id) { multi_->cancel(id); }
std::vector<RequestId> CurlTransport::halted() const { return multi_->halted(); }
void CurlTransport::grant(RequestId id, std::uint64_t body_bytes) { multi_->grant(id, body_bytes); }
std::size_t CurlTransport::in_flight() const { return multi_->in_flight(); }

}  // namespace webstrata
