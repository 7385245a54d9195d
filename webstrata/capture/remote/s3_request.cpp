// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/s3_test.py.

#include "webstrata/capture/remote/s3_request.h"

#include "webstrata/base/time.h"

namespace webstrata {

WireRequest s3_request(const S3Settings& settings, const ObjectName& object,
                       const QueryFields& query) {
  std::string fields;
  for (const auto& [name, value] : query) {
    fields += (fields.empty() ? "" : "&") + escaped(name) + "=" + escaped(value);
  }
  const S3Place place = place_of(settings, object);
  WireRequest request;
  request.url = place.origin + place.path + (fields.empty() ? "" : "?" + fields);
  request.ca_file = process_environment("AWS_CA_BUNDLE");
  if (request.ca_file.empty()) request.ca_file = process_environment("SSL_CERT_FILE");
  if (!settings.is_anonymous()) {
    request.headers = sign_request(
        {.host = place.host, .path = place.path, .query = fields, .region = settings.region},
        settings.credentials, now());
  }
  return request;
}

}  // namespace webstrata
