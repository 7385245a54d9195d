// SPDX-License-Identifier: Apache-2.0

// While it lives, the system refuses every new thread, as a container's limit of processes does.

#pragma once

#include <pthread.h>

#include <gtest/gtest.h>

namespace webstrata {

// Threads created without attributes get the default stack; a stack of this size cannot be
// allocated.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    EXPECT_EQ(pthread_getattr_default_np(&before_), 0);
    pthread_attr_t attributes;
    EXPECT_EQ(pthread_getattr_default_np(&attributes), 0);
    EXPECT_EQ(pthread_attr_setstacksize(&attributes, kNoStackBytes), 0);
    EXPECT_EQ(pthread_setattr_default_np(&attributes), 0);
    pthread_attr_destroy(&attributes);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;
  ~NoMoreThreads() {
    EXPECT_EQ(pthread_setattr_default_np(&before_), 0);
    pthread_attr_destroy(&before_);
  }

 private:
  static constexpr std::size_t kNoStackBytes = std::size_t{1} << 46;
  pthread_attr_t before_;
};

}  // namespace webstrata
