// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/threads.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/no_more_threads.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(ThreadPool, RunsEveryTask) {
  ThreadPool pool(4);
  std::atomic<int> sum = 0;
  for (int i = 1; i <= 1000; ++i) pool.submit([&sum, i] { sum += i; });
  pool.wait();
  EXPECT_EQ(sum, 500500);
}

TEST(ThreadPool, CanBeUsedAgainAfterWaiting) {
  ThreadPool pool(2);
  std::atomic<int> count = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 10; ++i) pool.submit([&] { ++count; });
    pool.wait();
    EXPECT_EQ(count, 10 * (round + 1));
  }
}

TEST(ThreadPool, HandsOverTheFirstErrorAndDropsTheRest) {
  ThreadPool pool(1);
  std::atomic<int> ran = 0;
  pool.submit([&] { ++ran; });
  pool.submit([] { throw Error(ErrorKind::Corrupt, "first"); });
  for (int i = 0; i < 100; ++i) pool.submit([&] { ++ran; });
  try {
    pool.wait();
    FAIL() << "no error came";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
  EXPECT_LE(ran, 101);
  EXPECT_TRUE(pool.cancel_token().cancelled());
}

TEST(ThreadPool, CancellingStopsTasksThatLook) {
  ThreadPool pool(2);
  for (int i = 0; i < 2; ++i) {
    pool.submit([&] {
      while (true) pool.cancel_token().check();
    });
  }
  pool.cancel();
  try {
    pool.wait();
    FAIL() << "no error came";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
  }
}

TEST(ThreadPool, GoesAwayWithTasksLeft) {
  std::atomic<int> ran = 0;
  {
    ThreadPool pool(1);
    for (int i = 0; i < 1000; ++i) pool.submit([&] { ++ran; });
  }
  EXPECT_LE(ran, 1000);
}

TEST(RequireThreads, IsContentWhereThereAreEnough) {
  EXPECT_NO_THROW(require_threads(0));
  EXPECT_NO_THROW(require_threads(24));
}

// It used to end in std::terminate: the threads that had started were destroyed unjoined.
TEST(ThreadPool, SaysClearlyThatNoThreadCanStart) {
  const NoMoreThreads limit;
  try {
    const ThreadPool pool(4);
    FAIL() << "the limit of this test does not work";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Io);
    EXPECT_NE(std::string(error.what()).find("cannot start a thread"), std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(start_threads(3, [] {}).empty());
  EXPECT_THROW(start_thread([] {}), Error);
  EXPECT_THROW(require_threads(1), Error);
}

}  // namespace
}  // namespace webstrata
