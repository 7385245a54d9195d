// SPDX-License-Identifier: Apache-2.0
#include "bench/archive/crawl_files.h"

#include <algorithm>

#include "webstrata/base/file.h"
#include "webstrata/capture/stream/input_stream.h"

namespace webstrata {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  Report report;
  InputStream in(path, report);
  std::vector<std::string> lines;
  while (const auto line = in.line()) lines.emplace_back(*line);
  return lines;
}

std::filesystem::path write_lines(const std::filesystem::path& path,
                                  std::span<const std::string> lines) {
  FileWriter writer = FileWriter::create(path);
  for (const std::string& line : lines) {
    writer.write(line);
    writer.write("\n");
  }
  writer.commit();
  return path;
}

std::string_view field(std::string_view line, std::size_t number) {
  for (; number > 0; --number) {
    const auto tab = line.find('\t');
    if (tab == std::string_view::npos) return {};
    line.remove_prefix(tab + 1);
  }
  return line.substr(0, line.find('\t'));
}

std::vector<std::string> openbsd_by_time(const std::filesystem::path& shared) {
  auto lines = lines_of(shared / "data" / "openbsd-www" / "links_all_versions.tsv.zst");
  std::ranges::stable_sort(
      lines, [](const std::string& a, const std::string& b) { return field(a, 1) < field(b, 1); });
  return lines;
}

}  // namespace webstrata
