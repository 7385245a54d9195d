// SPDX-License-Identifier: Apache-2.0

// Digests as web archives write them: SHA-1 in base32, and others that are only compared.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

std::string base32(std::string_view bytes);

// "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
std::string sha1_base32(std::string_view bytes);

// SHA-256 of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  // Once, at the end.
  std::string hexadecimal();

 private:
  void* state_;
};

// The digest of `bytes` in the algorithm and the form of `like`, such as "sha1:3I42..": MD5 or
// SHA-1, SHA-256 or SHA-512, in base32 or hexadecimal digits of either case. Empty if `like` is
// something else.
std::string digest_like(std::string_view like, std::string_view bytes);

// Whether `digest` is that of `bytes`. A form that digest_like() does not know counts as right; an
// empty digest does not.
bool is_digest_of(std::string_view digest, std::string_view bytes);

}  // namespace webstrata
