// SPDX-License-Identifier: Apache-2.0

// A system that refuses threads. Loaded with LD_PRELOAD, it lets THREADS_MAX threads run at a time
// besides the first and refuses more with EAGAIN, like a limit of processes.
// tests/base/thread_limits_test.py drives it.

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>

namespace {

std::atomic<int> running = 0;

struct Work {
  void* (*begin)(void*);
  void* argument;
};

void* run(void* given) {
  const std::unique_ptr<Work> work(static_cast<Work*>(given));
  void* result = work->begin(work->argument);
  --running;
  return result;
}

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*begin)(void*), void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  const char* threads_max = std::getenv("THREADS_MAX");
  if (threads_max != nullptr && running++ >= std::atoi(threads_max)) {
    --running;
    return EAGAIN;
  }
  return create(thread, attributes, run, new Work{begin, argument});
}
