// SPDX-License-Identifier: Apache-2.0

// What --help prints: the usage, the arguments, the options in groups, the commands in groups, and
// the description. Lines are at most 100 columns wide where words allow it.

#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace webstrata {

std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace webstrata
