// SPDX-License-Identifier: Apache-2.0

// Signature Version 4 of AWS, for requests that read from S3.
//
// libcurl has it as well, but what it makes of escapes in paths and queries changed from release to
// release (docs/decisions/022-remote-inputs.md).

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/time.h"

namespace webstrata {

struct AwsCredentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  // empty: none
};

// A GET request without a body.
struct AwsRequest {
  std::string host;   // as in the header Host
  std::string path;   // escaped, as it is sent
  std::string query;  // escaped and sorted, as it is sent, without '?'
  std::string region;
  std::string service = "s3";
  bool signs_content = true;  // S3 wants the digest of the empty body as a header
};

// The headers to send with it, each "Name: value".
std::vector<std::string> sign_request(const AwsRequest& request, const AwsCredentials& credentials,
                                      Time now);

}  // namespace webstrata
