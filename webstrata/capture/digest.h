// Digests as web archives write them: SHA-1 in base32.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

std::string base32(std::string_view bytes);

// "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
std::string sha1_base32(std::string_view bytes);

}  // namespace webstrata
