// SPDX-License-Identifier: Apache-2.0

// How to reach S3: what other tools of AWS take from the environment, too.
//
//   AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
//   AWS_REGION, AWS_DEFAULT_REGION
//   AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL    another server than Amazon's
//   AWS_PROFILE                              a section of ~/.aws/credentials and ~/.aws/config
//   AWS_NO_SIGN_REQUEST                      requests are anonymous in any case
//
// Without credentials requests are anonymous: public buckets can be read.

#pragma once

#include <functional>
#include <string>

#include "webstrata/capture/remote/aws_signature.h"
#include "webstrata/capture/remote/remote_name.h"

namespace webstrata {

struct S3Settings {
  AwsCredentials credentials;
  std::string region = "us-east-1";
  bool region_is_learned = false;  // from an answer
  std::string endpoint;            // empty: Amazon's; else without a slash at the end

  [[nodiscard]] bool is_anonymous() const noexcept { return credentials.access_key.empty(); }
};

// The value of a variable; empty if it is not set.
using Environment = std::function<std::string(const char* name)>;
std::string process_environment(const char* name);

// Throws Error(BadInput) for half of a pair of keys, a profile that no file has, an endpoint that
// is not a URL.
S3Settings s3_settings(const Environment& environment = process_environment);

// The request for an object, or with an empty key for a bucket: by path on an own server and for
// buckets whose name has dots, which certificates do not cover; by host name on Amazon's.
struct S3Place {
  std::string origin;  // "https://bucket.s3.us-east-1.amazonaws.com"
  std::string host;
  std::string path;  // escaped
};
S3Place place_of(const S3Settings& settings, const ObjectName& object);

}  // namespace webstrata
