// SPDX-License-Identifier: Apache-2.0

// --report FILE.html: what the verbs with pictures have in common.

#pragma once

#include <string>
#include <string_view>

#include "webstrata/cli/frame/flags.h"

namespace webstrata {

// Declares --report. A folder that is not there is refused before the work begins.
void declare_report(FlagSet& app, std::string& file);

// How a page calls an archive: by its name, without the folders of this computer.
std::string name_of(std::string_view archive);

}  // namespace webstrata
