// SPDX-License-Identifier: Apache-2.0

// getaddrinfo distinguishes a missing name (EAI_NONAME, EAI_NODATA) from a failing name server
// (EAI_AGAIN, EAI_FAIL); libcurl does not report that, so we look names up ourselves and pass it
// the address. That also prevents names from changing between the check and the connection.
// Tested by tests/fetch/resolver_test.cpp.

#include "webstrata/fetch/wire/resolver.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_map>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/text.h"
#include "webstrata/base/threads.h"
#include "webstrata/fetch/wire/address.h"

namespace webstrata {
namespace {

constexpr std::size_t kThreadsMax = 16;
constexpr Moment kNameKeptMs = 300'000;
constexpr std::size_t kAnswersMax = 8;

std::string address_text(const addrinfo& info) {
  char text[INET6_ADDRSTRLEN] = {};
  const void* bytes =
      info.ai_family == AF_INET
          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(info.ai_addr)->sin_addr)
          : &reinterpret_cast<const sockaddr_in6*>(info.ai_addr)->sin6_addr;
  return inet_ntop(info.ai_family, bytes, text, sizeof text) == nullptr ? "" : text;
}

Resolution failed(int code) {
  const bool is_missing = code == EAI_NONAME || code == EAI_NODATA;
  return {is_missing ? Failure::NameNotFound : Failure::NameServerFailed,
          {},
          0,
          is_missing ? "no such host" : gai_strerror(code)};
}

Resolution ask_system(const std::string& host) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int code = getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (code != 0) return failed(code);
  Resolution resolution;
  for (const int family : {AF_INET, AF_INET6}) {  // IPv6 is often configured and seldom works
    for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
      if (info->ai_family == family && resolution.addresses.size() < kAnswersMax) {
        resolution.addresses.push_back(address_text(*info));
      }
    }
  }
  freeaddrinfo(found);
  if (resolution.addresses.empty()) return failed(EAI_NODATA);
  return resolution;
}

// "127.0.0.1", "127.0.0.1:80", "::1", "[::1]:80".
bool parse_place(std::string_view text, Resolution& place) {
  const std::size_t colon = text.rfind(':');
  const bool has_port = colon != std::string_view::npos &&
                        (text.find(':') == colon || text.substr(0, colon).ends_with(']'));
  std::string_view address = has_port ? text.substr(0, colon) : text;
  if (has_port) {
    const std::string_view port = text.substr(colon + 1);
    const auto end = std::from_chars(port.data(), port.data() + port.size(), place.port);
    if (end.ec != std::errc() || end.ptr != port.data() + port.size() || place.port == 0) {
      return false;
    }
  }
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  }
  if (!is_address(address)) return false;
  place.addresses = {std::string(address)};
  return true;
}

std::string_view take_word(std::string_view& line) {
  line = trim(line);
  const auto end = std::find_if(line.begin(), line.end(), is_white_space);
  const std::string_view word = line.substr(0, static_cast<std::size_t>(end - line.begin()));
  line.remove_prefix(word.size());
  return word;
}

using HostTable = std::unordered_map<std::string, Resolution>;

void take_line(std::string_view line, HostTable& hosts, const std::string& where) {
  line = line.substr(0, line.find('#'));
  const std::string_view address = take_word(line);
  if (address.empty()) return;
  Resolution place;
  if (address == "fails") {
    place.failure = Failure::NameServerFailed;
    place.detail = "the name server does not answer";
  } else if (!parse_place(address, place)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: \"{}\" is not an address; write lines such as \"127.0.0.1:8080 "
                            "www.example.org\"",
                            where, address));
  }
  for (std::string_view name = take_word(line); !name.empty(); name = take_word(line)) {
    const auto [known, is_new] = hosts.try_emplace(std::string(name), place);
    // A name of several lines has all of their addresses; they share a port.
    const bool is_another = !is_new && known->second.port == place.port &&
                            known->second.failure == Failure::None &&
                            place.failure == Failure::None;
    if (is_another) {
      known->second.addresses.insert(known->second.addresses.end(), place.addresses.begin(),
                                     place.addresses.end());
    }
  }
}

}  // namespace

LookUp system_look_up() { return ask_system; }

LookUp hosts_file_look_up(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  const auto hosts = std::make_shared<HostTable>();
  std::size_t number = 1;
  for (std::size_t start = 0; start < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    take_line(std::string_view(text).substr(start, end - start), *hosts,
              fmt::format("{}: line {}", path.string(), number));
    start = end + 1;
  }
  if (hosts->empty()) {  // nothing would be found, and everything would look dead
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: names no host; write lines such as \"127.0.0.1:8080 "
                            "www.example.org\"",
                            path.string()));
  }
  return [hosts](const std::string& host) {
    auto found = hosts->find(host);
    if (found == hosts->end()) found = hosts->find("*");
    return found == hosts->end() ? failed(EAI_NONAME) : found->second;
  };
}

LookUp single_place_look_up(const std::string& place) {
  Resolution resolution;
  if (!parse_place(place, resolution)) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("\"{}\" is not an address and port; write it as 127.0.0.1:8080", place));
  }
  return [resolution](const std::string&) { return resolution; };
}

// Shared with the threads, which may outlive the resolver.
struct Resolver::State {
  struct Entry {
    std::shared_ptr<const Resolution> answer;  // empty: pending
    Moment asked = 0;
  };
  mutable std::mutex mutex;
  std::condition_variable changed;
  LookUp look_up;
  std::function<void()> woken;  // empty once the resolver is gone
  std::unordered_map<std::string, Entry> known;
  std::deque<std::string> queue;
  std::size_t threads = 0;
  std::size_t idle = 0;
  bool stopped = false;

  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      ++idle;
      changed.wait(lock, [this] { return stopped || !queue.empty(); });
      --idle;
      if (stopped) return;
      const std::string host = std::move(queue.front());
      queue.pop_front();
      lock.unlock();
      auto answer = std::make_shared<const Resolution>(look_up(host));
      lock.lock();
      known[host].answer = std::move(answer);
      if (woken) woken();
    }
  }

  // If the system refuses another thread, the running ones look the host up later. Throws Error(Io)
  // if there are none.
  static void add_thread(const std::shared_ptr<State>& state) {
    try {
      start_thread([state] { state->work(); }).detach();
      ++state->threads;
    } catch (const Error&) {
      if (state->threads == 0) throw;
    }
  }
};

Resolver::Resolver(LookUp look_up, std::function<void()> woken)
    : state_(std::make_shared<State>()) {
  state_->look_up = std::move(look_up);
  state_->woken = std::move(woken);
}

Resolver::~Resolver() {
  const std::lock_guard lock(state_->mutex);
  state_->stopped = true;
  state_->woken = nullptr;
  state_->changed.notify_all();
}

void Resolver::start(const std::string& host, Moment now) {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  const auto known = state.known.find(host);
  const bool is_known = known != state.known.end();
  if (is_known && (known->second.answer == nullptr || now - known->second.asked < kNameKeptMs))
    return;
  if (state.idle <= state.queue.size() && state.threads < kThreadsMax) State::add_thread(state_);
  state.known[host] = {nullptr, now};
  state.queue.push_back(host);
  state.changed.notify_one();
}

std::shared_ptr<const Resolution> Resolver::find(const std::string& host) const {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->known.find(host);
  return found == state_->known.end() ? nullptr : found->second.answer;
}

}  // namespace webstrata
