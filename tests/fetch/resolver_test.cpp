// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/wire/resolver.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

// Waits for the answer as a transport does.
class Asking {
 public:
  explicit Asking(LookUp look_up)
      : resolver_(std::move(look_up), [this] {
          const std::lock_guard lock(mutex_);
          ++woken_;
          changed_.notify_all();
        }) {}

  Resolution ask(const std::string& host, Moment now = 0) {
    resolver_.start(host, now);
    std::unique_lock lock(mutex_);
    while (true) {
      if (const auto found = resolver_.find(host)) return *found;
      changed_.wait_for(lock, std::chrono::milliseconds(20));
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int woken_ = 0;
  Resolver resolver_;
};

TEST(Resolver, AHostsFileHoldsNamesPortsAndFailures) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "hosts";
  write_file(path,
             "# the web\n127.0.0.1:8080 a.example b.example\n[::1]:81 c.example # six\n"
             "192.0.2.7 d.example\nfails e.example\n");
  const LookUp look_up = hosts_file_look_up(path);
  EXPECT_EQ(look_up("b.example").addresses, std::vector<std::string>{"127.0.0.1"});
  EXPECT_EQ(look_up("b.example").port, 8080);
  EXPECT_EQ(look_up("c.example").addresses, std::vector<std::string>{"::1"});
  EXPECT_EQ(look_up("c.example").port, 81);
  EXPECT_EQ(look_up("d.example").port, 0);
  EXPECT_EQ(look_up("e.example").failure, Failure::NameServerFailed);
  EXPECT_EQ(look_up("f.example").failure, Failure::NameNotFound);
  write_file(path, "127.0.0.1:1 a.example\n127.0.0.1:2 *\n");
  EXPECT_EQ(hosts_file_look_up(path)("f.example").port, 2);
}

TEST(Resolver, ABadLineIsNamed) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "hosts";
  for (const char* line :
       {"localhost a.example", "127.0.0.1:0 a.example", "127.0.0.1:x a.example"}) {
    write_file(path, std::string("\n") + line + "\n");
    try {
      hosts_file_look_up(path);
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos) << error.what();
    }
  }
  write_file(path, "# nobody\n");
  EXPECT_THROW(hosts_file_look_up(path), Error);
  EXPECT_THROW(single_place_look_up("example.org:80"), Error);
}

TEST(Resolver, AnswersAreKeptForSomeMinutes) {
  int asked = 0;
  Asking asking([&asked](const std::string& host) {
    ++asked;
    return host == "lost.example" ? Resolution{Failure::NameNotFound, {}, 0, "no such host"}
                                  : Resolution{Failure::None, {"192.0.2.1"}, 0, ""};
  });
  EXPECT_EQ(asking.ask("a.example", 0).addresses.front(), "192.0.2.1");
  EXPECT_EQ(asking.ask("a.example", 299'999).addresses.front(), "192.0.2.1");
  EXPECT_EQ(asked, 1);
  asking.ask("a.example", 300'000);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(asking.ask("lost.example").failure, Failure::NameNotFound);
}

TEST(Resolver, TheSystemKnowsLoopback) {
  const Resolution found = system_look_up()("localhost");
  EXPECT_EQ(found.failure, Failure::None);
  ASSERT_FALSE(found.addresses.empty());
  EXPECT_EQ(found.addresses.front(), "127.0.0.1");
}

}  // namespace
}  // namespace webstrata
