// INPUT arguments: files, "-" for standard input, "@list" for a file that names one input a line.

#pragma once

#include <string>
#include <vector>

namespace webstrata {

// Replaces every @list by what it names, in order. Names in a list are relative to where the
// program runs. Throws Error if a list cannot be read or nothing is left.
std::vector<std::string> expand_inputs(const std::vector<std::string>& arguments);

}  // namespace webstrata
