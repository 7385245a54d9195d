// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/forget_test.py.

#include "webstrata/cli/frame/confirm.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "webstrata/base/text.h"
#include "webstrata/cli/frame/command.h"

namespace webstrata {
namespace {

constexpr int kLookForInterruptionMs = 100;

}  // namespace

bool is_at_terminal() { return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0; }

bool says_yes(std::string_view question) {
  say_lines(question);
  std::string answer;
  char byte = 0;
  while (true) {
    interruption().check();
    // Not a plain read: a Ctrl-C between the check and the read would not interrupt it.
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&input, 1, kLookForInterruptionMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || byte == '\n') break;
    answer.push_back(to_lower(byte));
  }
  return trim(answer) == "y" || trim(answer) == "yes";
}

}  // namespace webstrata
