// SPDX-License-Identifier: Apache-2.0

// Lists of objects and errors as servers of S3 send them. No key is empty or a folder's.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "webstrata/capture/remote/object_list.h"
#include "webstrata/capture/remote/remote_trouble.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view xml(reinterpret_cast<const char*>(data), size);
  for (const std::string& key : webstrata::parse_object_page(xml).keys) {
    if (key.empty() || key.ends_with('/')) std::abort();
  }
  webstrata::S3Settings s3;
  webstrata::WireHead head{400, {{"retry-after", std::string(xml)}}};
  if (webstrata::trouble_of_answer(head, xml, &s3).reason.empty()) std::abort();
  webstrata::learn_region(head, xml, s3);
  return 0;
}
