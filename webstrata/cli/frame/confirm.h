// SPDX-License-Identifier: Apache-2.0

// A question before something that cannot be undone.

#pragma once

#include <string_view>

namespace webstrata {

// Whether a person can be asked: standard input and standard error are terminals.
bool is_at_terminal();

// Prints the question on standard error and waits. True for "y" and "yes". Throws Error(Cancelled)
// after Ctrl-C.
bool says_yes(std::string_view question);

}  // namespace webstrata
