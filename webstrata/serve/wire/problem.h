// SPDX-License-Identifier: Apache-2.0

// A request that cannot be answered: the status of HTTP and one plain sentence (RFC 9457).

#pragma once

#include <string>
#include <string_view>

#include "webstrata/base/error.h"
#include "webstrata/serve/wire/response.h"

namespace webstrata::serve {

class Problem : public Error {
 public:
  Problem(int status, const std::string& sentence)
      : Error(ErrorKind::BadInput, sentence), status_(status) {}
  [[nodiscard]] int status() const noexcept { return status_; }

 private:
  int status_;
};

// "Not Found".
std::string_view reason_of_status(int status) noexcept;

// The problem document.
Response problem_response(int status, std::string_view sentence);

}  // namespace webstrata::serve
