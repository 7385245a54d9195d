// SPDX-License-Identifier: Apache-2.0
#include "bench/timing.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

double seconds_of(const rusage& usage) {
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double cpu_seconds_of_process() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] void become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

std::string read_all(int descriptor) {
  std::string output;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(descriptor, buffer, sizeof buffer)) > 0;) {
    output.append(buffer, static_cast<std::size_t>(count));
  }
  return output;
}

}  // namespace

Run timed(const std::function<void(Run&)>& task) {
  Run run;
  const double cpu = cpu_seconds_of_process();
  const double wall = wall_seconds();
  task(run);
  run.cpu_seconds = cpu_seconds_of_process() - cpu;
  run.wall_seconds = wall_seconds() - wall;
  return run;
}

std::string command_output(const std::vector<std::string>& words, Run& run) {
  int ends[2];
  if (::pipe(ends) != 0) throw Error(ErrorKind::Io, "no pipe");
  const double wall = wall_seconds();
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    become(words);
  }
  ::close(ends[1]);
  std::string output = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  run.wall_seconds = wall_seconds() - wall;
  run.cpu_seconds = seconds_of(usage);
  run.peak_kb = static_cast<std::uint64_t>(usage.ru_maxrss);
  if (status != 0) throw Error(ErrorKind::Io, fmt::format("{} failed", fmt::join(words, " ")));
  return output;
}

Run better(const Run& a, const Run& b) {
  Run best = a.cpu_seconds <= b.cpu_seconds ? a : b;
  best.wall_seconds = std::min(a.wall_seconds, b.wall_seconds);
  return best;
}

double number_in(const std::string& json, const std::string& name) {
  const auto at = json.find("\"" + name + "\":");
  return at == std::string::npos ? 0 : std::strtod(json.c_str() + at + name.size() + 3, nullptr);
}

}  // namespace webstrata
