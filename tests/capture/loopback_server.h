// SPDX-License-Identifier: Apache-2.0

// A web server on loopback for tests: a function answers each request with raw bytes.

#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace webstrata {

class LoopbackServer {
 public:
  // An answer, after which the connection is closed; with `silence_ms`, only after that time.
  struct Answer {
    std::string bytes;
    int silence_ms = 0;
  };
  // Called with the head of the request, on a thread of the connection.
  using Handle = std::function<Answer(const std::string& head)>;

  explicit LoopbackServer(Handle handle) : handle_(std::move(handle)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const bool is_open =
        ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
        ::listen(listener_, 64) == 0 &&
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    port_ = is_open ? ntohs(address.sin_port) : 0;
    acceptor_ = std::thread([this] { accept_all(); });
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;
  ~LoopbackServer() {
    is_closing_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    ::close(listener_);
    for (std::thread& one : connections_) one.join();
  }

  [[nodiscard]] std::string url(const std::string& path) const {
    return fmt::format("http://127.0.0.1:{}{}", port_, path);
  }

 private:
  void accept_all() {
    while (true) {
      const int connection = ::accept(listener_, nullptr, nullptr);
      if (connection < 0) return;
      connections_.emplace_back([this, connection] { serve(connection); });
    }
  }

  void serve(int connection) {
    std::string head;
    char buffer[4096];
    while (head.find("\r\n\r\n") == std::string::npos) {
      const ssize_t count = ::recv(connection, buffer, sizeof buffer, 0);
      if (count <= 0) {  // the client changed its mind
        ::close(connection);
        return;
      }
      head.append(buffer, static_cast<std::size_t>(count));
    }
    const Answer answer = handle_(head);
    std::string_view left = answer.bytes;
    while (!left.empty()) {
      const ssize_t count = ::send(connection, left.data(), left.size(), MSG_NOSIGNAL);
      if (count <= 0) break;
      left.remove_prefix(static_cast<std::size_t>(count));
    }
    for (int waited = 0; waited < answer.silence_ms && !is_closing_; waited += 20) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ::close(connection);
  }

  Handle handle_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> is_closing_ = false;
  std::thread acceptor_;
  std::vector<std::thread> connections_;
};

}  // namespace webstrata
