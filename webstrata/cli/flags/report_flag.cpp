// SPDX-License-Identifier: Apache-2.0

// Tested by tests/report/verbs_test.py.

#include "webstrata/cli/flags/report_flag.h"

#include <filesystem>

#include <fmt/format.h>

namespace webstrata {
namespace {

namespace fs = std::filesystem;

// CLI11 takes an empty text for "all is well".
std::string missing_folder(const std::string& file) {
  if (fs::is_directory(file)) {
    return fmt::format("{} is a folder; name a file in it, such as {}", file,
                       (fs::path(file) / "report.html").string());
  }
  const fs::path folder = fs::absolute(file).parent_path();
  if (fs::is_directory(folder)) return "";
  return fmt::format("the folder {} does not exist; create it first", folder.string());
}

}  // namespace

void declare_report(FlagSet& app, std::string& file) {
  app.add_option("--report", file, "Also write an HTML page with charts to this file")
      ->group("Output")
      ->check(missing_folder)
      ->type_name("FILE.html");
}

std::string name_of(std::string_view archive) {
  const fs::path path = fs::path(archive).lexically_normal();
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

}  // namespace webstrata
