// SPDX-License-Identifier: Apache-2.0

// Names of inputs on other machines: http://host/path, https://host/path and s3://bucket/key.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// Whether a name has one of the three schemes, in any case.
bool is_remote(std::string_view name) noexcept;
bool is_s3(std::string_view name) noexcept;

// "gs" of "gs://bucket/key"; empty if the name has no scheme. Of any scheme, not only of the three.
std::string_view scheme_of(std::string_view name) noexcept;

// How the file would be called if it were here: the last part of the path, without the query of a
// URL and with its escapes decoded. A key of S3 has neither.
std::string remote_file_name(std::string_view name);

// The name without what may be a secret: user, password and query.
std::string shown_name(std::string_view name);

struct ObjectName {
  std::string bucket;
  std::string key;
};
// Of "s3://bucket/key", verbatim. Throws Error(BadInput) if there is no bucket.
ObjectName parse_object_name(std::string_view name);

// Escapes all but letters, digits, '-', '.', '_' and '~', as S3 wants its keys; `kept` as well.
std::string escaped(std::string_view text, std::string_view kept = "");

}  // namespace webstrata
