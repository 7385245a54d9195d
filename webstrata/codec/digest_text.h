// SPDX-License-Identifier: Apache-2.0

// Digests as texts and as bytes: "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ" is a form and 20 bytes.
//
// The form says what precedes the last colon and how the bytes after it are written. A text has a
// form only if its bytes give exactly this text again; every other text is kept as it is.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace webstrata {

struct DigestForm {
  enum class Alphabet : std::uint8_t { Base32, HexLower, HexUpper };

  std::string prefix;  // "sha1:"; empty if there is no colon
  Alphabet alphabet = Alphabet::Base32;
  std::uint8_t size = 0;  // bytes

  friend auto operator<=>(const DigestForm&, const DigestForm&) = default;
};

inline constexpr std::size_t kDigestBytesMax = 64;        // SHA-512
inline constexpr std::size_t kDigestPrefixBytesMax = 16;  // of a form

struct DigestParts {
  DigestForm form;
  std::string bytes;
};
std::optional<DigestParts> split_digest(std::string_view text);

// Replaces `out` by the text; `bytes` are as many as the form says.
void join_digest(const DigestForm& form, std::string_view bytes, std::string& out);

}  // namespace webstrata
