// SPDX-License-Identifier: Apache-2.0

// Lists of inputs and URLs: words, and "@FILE" for a file with one per line.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace webstrata {

// INPUT arguments: files, folders, "-" for standard input, "@FILE" for a list of inputs. Replaces
// every @FILE by what it names and every folder by its crawl files (input_folder.h, with `include`
// as its patterns), in order. Names in a list are relative to where the program runs. Throws Error
// if a list or folder cannot be read, is an archive where that is no input, or nothing is left.
enum class ArchiveInputs { Refused, Kept };
std::vector<std::string> expand_inputs(const std::vector<std::string>& arguments,
                                       const std::vector<std::string>& include = {},
                                       ArchiveInputs archives = ArchiveInputs::Refused);

// Inputs of an archive, told apart: other archives, and crawl files.
struct SortedInputs {
  std::vector<std::filesystem::path> archives;
  std::vector<std::string> files;
};
SortedInputs sort_inputs(std::vector<std::string> inputs);

// URL arguments: URLs, "@FILE" and "-" for one URL per line (only the first word of lines with tabs
// is used). Normalised, each once, in order. Without a scheme http is meant (url_word.h). Throws
// Error(BadInput) for a wildcard and for what is not an http or https URL.
std::vector<std::string> expand_urls(const std::vector<std::string>& words);

}  // namespace webstrata
