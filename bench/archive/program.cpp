// SPDX-License-Identifier: Apache-2.0
#include "bench/archive/program.h"

namespace webstrata {
namespace {

Words command(const std::string& program, const char* verb, const std::filesystem::path& archive,
              const Words& inputs, const Words& flags) {
  Words words = {program, verb, "--quiet", archive.string()};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), inputs.begin(), inputs.end());
  return words;
}

}  // namespace

Program::Program(const BenchOptions& options, const std::string& name)
    : program_(options.program.string()), folder_(options.folder / name) {
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
}

Program::~Program() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Run Program::build(const std::string& archive, const Words& inputs, const Words& flags) const {
  std::filesystem::remove_all(folder_ / archive);
  return timed_command(command(program_, "build", folder_ / archive, inputs, flags));
}

Run Program::update(const std::string& archive, const Words& inputs, const Words& flags) const {
  return timed_command(command(program_, "update", folder_ / archive, inputs, flags));
}

Run Program::compact(const std::string& archive) const {
  return timed_command(command(program_, "compact", folder_ / archive, {}, {}));
}

void Program::copy(const std::string& archive, const std::string& copy) const {
  std::filesystem::remove_all(folder_ / copy);
  std::filesystem::copy(folder_ / archive, folder_ / copy,
                        std::filesystem::copy_options::recursive);
}

Run Program::update_copy(const std::string& archive, const Words& inputs, int repetitions) const {
  Run best;
  for (int i = 0; i < repetitions; ++i) {
    copy(archive, "copy.ws");
    const Run now = update("copy.ws", inputs);
    best = i == 0 ? now : better(best, now);
  }
  std::filesystem::remove_all(folder_ / "copy.ws");
  return best;
}

std::string Program::info(const std::string& archive) const {
  Run ignored;
  return command_output({program_, "info", (folder_ / archive).string(), "--json"}, ignored);
}

}  // namespace webstrata
