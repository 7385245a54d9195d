// SPDX-License-Identifier: Apache-2.0

// Who may ask: by the name of the host that a request was sent to, and by a token.

#pragma once

#include <string_view>

#include "webstrata/serve/ask/settings.h"
#include "webstrata/serve/wire/request.h"

namespace webstrata::serve {

// Throws Problem 421 if the header Host names neither loopback nor one of settings.hosts. A page of
// another site could otherwise read from here, by a name that it points to 127.0.0.1.
void check_host(const Request& request, const Settings& settings);

// Throws Problem 401 unless no token is needed or the request has it: "Authorization: Bearer
// TOKEN", or as the password of any user ("Basic", which browsers ask for).
void check_token(const Request& request, const Settings& settings);

// Throws Problem 403 unless archives may be changed, 401 unless the request has the token as
// "Bearer": a browser adds that of "Basic" by itself, also when a page of another site asks it to.
void check_may_write(const Request& request, const Settings& settings);

// Whether it has the form "host" or "host:port".
bool is_host_header(std::string_view host) noexcept;

// The token in a file: its first line. Throws Error, also if it is shorter than 16 characters.
std::string read_token(const std::string& path);

}  // namespace webstrata::serve
