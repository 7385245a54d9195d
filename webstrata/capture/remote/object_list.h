// SPDX-License-Identifier: Apache-2.0

// The objects of a bucket whose keys begin alike: what a folder is on disk.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

// Every name "s3://bucket/prefix/", which ends with a slash, is replaced by those of the objects
// below it, in the order of their keys; other names stay. Throws Error(NotFound) if there are none,
// and what RemoteFile::open throws.
std::vector<std::string> with_objects_listed(const std::vector<std::string>& names);

// A page of the answer to ListObjectsV2.
struct ObjectPage {
  std::vector<std::string> keys;  // without those of folders, which end with a slash
  std::string next;               // the token of the next page; empty: there is none
};
ObjectPage parse_object_page(std::string_view xml);

}  // namespace webstrata
