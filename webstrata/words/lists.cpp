// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/lists_test.cpp and tests/cli/probe_test.py.

#include "webstrata/words/lists.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <unordered_set>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/text.h"
#include "webstrata/words/input_folder.h"
#include "webstrata/words/url_word.h"

namespace webstrata {
namespace {

void append_list(const std::string& path, std::vector<std::string>& inputs) {
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty() && line.front() != '#') inputs.push_back(line);
  }
}

// Reads "-" and files.
std::string read_all(const std::string& path) {
  FileReader reader = FileReader::open(path);
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = reader.read(buffer, sizeof buffer)) text.append(buffer, count);
  return text;
}

void add_url(std::string_view word, const std::string& where, std::vector<std::string>& urls,
             std::unordered_set<std::string>& seen) {
  std::string url = requested_url(word, where);
  if (seen.insert(url).second) urls.push_back(std::move(url));
}

}  // namespace

std::vector<std::string> expand_inputs(const std::vector<std::string>& arguments,
                                       const std::vector<std::string>& include,
                                       ArchiveInputs archives) {
  std::vector<std::string> named;
  for (const std::string& argument : arguments) {
    if (argument.size() > 1 && argument.front() == '@') {
      append_list(argument.substr(1), named);
    } else {
      named.push_back(argument);
    }
  }
  std::vector<std::string> inputs;
  for (const std::string& name : named) {
    std::error_code unreadable;  // reading it says why
    const bool is_kept = archives == ArchiveInputs::Kept && is_archive_folder(name);
    if (is_kept || !std::filesystem::is_directory(name, unreadable)) {
      inputs.push_back(name);
      continue;
    }
    const auto files = crawl_files_in(name, include);
    inputs.insert(inputs.end(), files.begin(), files.end());
  }
  if (inputs.empty()) throw Error(ErrorKind::BadInput, "no input: the lists name no file");
  if (std::count(inputs.begin(), inputs.end(), "-") > 1) {
    throw Error(ErrorKind::BadInput, "standard input (-) can be read only once");
  }
  return inputs;
}

SortedInputs sort_inputs(std::vector<std::string> inputs) {
  SortedInputs sorted;
  for (std::string& input : inputs) {
    if (is_archive_folder(input)) {
      sorted.archives.emplace_back(input);
    } else {
      sorted.files.push_back(std::move(input));
    }
  }
  return sorted;
}

std::vector<std::string> expand_urls(const std::vector<std::string>& words) {
  std::vector<std::string> urls;
  std::unordered_set<std::string> seen;
  for (const std::string& word : words) {
    if (word != "-" && !word.starts_with('@')) {
      add_url(word, "", urls, seen);
      continue;
    }
    const std::string path = word == "-" ? word : word.substr(1);
    const std::string text = read_all(path);
    std::size_t number = 1;
    for (std::string_view rest = text; !rest.empty(); ++number) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      const std::string_view url = trim(line.substr(0, line.find('\t')));
      if (url.empty() || url.starts_with('#')) continue;
      add_url(url, fmt::format("{}: line {}: ", path, number), urls, seen);
    }
  }
  return urls;
}

}  // namespace webstrata
