// SPDX-License-Identifier: Apache-2.0

// Changes the clock while programs run: at every reading, the wall clock of a process is off by the
// number of milliseconds in the file WEBSTRATA_CLOCK_FILE. Clocks that cannot be set are unchanged.
// Loaded before the program by tests/fetch/clock_changes_test.py.

#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <fcntl.h>

#include <cstdlib>

namespace {

long long offset_ms() {
  static const char* const path = std::getenv("WEBSTRATA_CLOCK_FILE");
  if (path == nullptr) return 0;
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  char text[32] = {};
  const ssize_t size = ::read(descriptor, text, sizeof text - 1);
  ::close(descriptor);
  return size > 0 ? std::atoll(text) : 0;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  const long code = ::syscall(SYS_clock_gettime, clock, time);
  if (code == 0 && clock == CLOCK_REALTIME) {
    const long long offset = offset_ms();
    time->tv_sec += offset / 1000;
    time->tv_nsec += offset % 1000 * 1'000'000;
    if (time->tv_nsec < 0) --time->tv_sec, time->tv_nsec += 1'000'000'000;
    if (time->tv_nsec >= 1'000'000'000) ++time->tv_sec, time->tv_nsec -= 1'000'000'000;
  }
  return static_cast<int>(code);
}

extern "C" int gettimeofday(timeval* time, void*) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

extern "C" time_t time(time_t* out) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}
