// SPDX-License-Identifier: Apache-2.0

// What the errors of servers mean, and what to do about them.

#pragma once

#include <string>
#include <string_view>

#include "webstrata/capture/remote/remote_file.h"

namespace webstrata {

// The text of the first element of this name; empty if there is none.
std::string element_of(std::string_view xml, std::string_view name);

// Of an answer that is neither the file nor a part of it. `s3` is null for http and https.
Trouble trouble_of_answer(const WireHead& head, std::string_view body, const S3Settings* s3);

// S3 says where a bucket is to whoever asks in the wrong region. True if that is news, so that it
// is worthwhile to ask there.
bool learn_region(const WireHead& head, std::string_view body, S3Settings& s3);

// The body of an answer, at most `size` bytes of it. Waits.
std::string read_body(Transfer& answer, std::size_t size);
inline constexpr std::size_t kErrorBytesMax = std::size_t{64} << 10;

// Of a transfer that did not come to its end.
Trouble trouble_of_transfer(const WireEnd& end);

}  // namespace webstrata
