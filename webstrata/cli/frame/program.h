// SPDX-License-Identifier: Apache-2.0

// The whole program behind main(): finds the command, runs it, turns errors into one line.

#pragma once

namespace webstrata {

int run_program(int argument_count, char** arguments);

}  // namespace webstrata
