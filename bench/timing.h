// SPDX-License-Identifier: Apache-2.0

// Runs and times the contestants of a benchmark: our own tasks, and commands.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace webstrata {

// What one run of a contestant took and did.
struct Run {
  double cpu_seconds = 0;  // of all threads
  double wall_seconds = 0;
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
  std::uint64_t peak_kb = 0;  // of a command
};

// Runs a task in this process.
Run timed(const std::function<void(Run&)>& task);

// Runs a command and returns what it printed. Throws Error(Io) if it fails.
std::string command_output(const std::vector<std::string>& words, Run& run);
inline Run timed_command(const std::vector<std::string>& words) {
  Run run;
  command_output(words, run);
  return run;
}

// The better of two runs of the same thing: the smaller CPU and the smaller wall time.
Run better(const Run& a, const Run& b);

// The number after "name": in flat JSON; 0 if it is missing.
double number_in(const std::string& json, const std::string& name);

}  // namespace webstrata
