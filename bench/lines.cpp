// SPDX-License-Identifier: Apache-2.0
#include "bench/lines.h"

#include <string>

#include "webstrata/capture/stream/input_stream.h"

namespace webstrata {

void for_each_line(const std::filesystem::path& path,
                   const std::function<void(std::string_view)>& use) {
  Report report;
  InputStream stream(path, report);
  std::string rest;
  while (true) {
    const std::string_view window = stream.peek(1 << 16);
    if (window.empty()) break;
    rest += window;
    stream.skip(window.size());
    std::size_t begin = 0;
    for (std::size_t end = rest.find('\n'); end != std::string::npos;
         end = rest.find('\n', begin)) {
      use(std::string_view(rest).substr(begin, end - begin));
      begin = end + 1;
    }
    rest.erase(0, begin);
  }
  if (!rest.empty()) use(rest);
}

}  // namespace webstrata
