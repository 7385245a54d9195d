// Tested by tests/capture/digest_test.cpp.

#include "webstrata/capture/digest.h"

#include <openssl/sha.h>

namespace webstrata {

std::string base32(std::string_view bytes) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";  // RFC 4648
  std::string text;
  unsigned buffer = 0;
  unsigned bits = 0;
  for (const char c : bytes) {
    buffer = (buffer << 8 | static_cast<unsigned char>(c)) & 0xffff;
    for (bits += 8; bits >= 5; bits -= 5) text.push_back(kAlphabet[buffer >> (bits - 5) & 31]);
  }
  if (bits > 0) text.push_back(kAlphabet[buffer << (5 - bits) & 31]);
  while (text.size() % 8 != 0) text.push_back('=');
  return text;
}

std::string sha1_base32(std::string_view bytes) {
  unsigned char hash[SHA_DIGEST_LENGTH];
  SHA1(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), hash);
  return "sha1:" + base32({reinterpret_cast<const char*>(hash), sizeof hash});
}

}  // namespace webstrata
