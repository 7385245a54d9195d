// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/digest_test.cpp.

#include "webstrata/capture/record/digest.h"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <new>

#include <fmt/format.h>

#include "webstrata/base/text.h"

namespace webstrata {
namespace {

struct DigestAlgorithm {
  std::string_view name;
  const EVP_MD* (*make)();
  std::size_t bytes;
};
constexpr std::array<DigestAlgorithm, 4> kAlgorithms = {{{"md5", EVP_md5, 16},
                                                         {"sha1", EVP_sha1, 20},
                                                         {"sha256", EVP_sha256, 32},
                                                         {"sha512", EVP_sha512, 64}}};

std::string hash_of(const DigestAlgorithm& algorithm, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash;
  unsigned size = 0;
  const bool done =
      EVP_Digest(bytes.data(), bytes.size(), hash.data(), &size, algorithm.make(), nullptr) == 1;
  // Only MD5 may be refused, where FIPS is enforced; the others fail for want of memory alone.
  if (!done && algorithm.name != "md5") throw std::bad_alloc();
  return {reinterpret_cast<const char*>(hash.data()), size};
}

std::string digits_of(std::string_view bytes) {
  std::string digits;
  for (const char c : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return digits;
}

bool has_upper_case(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string in_case_of(std::string_view like, std::string text) {
  const auto to_upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; };
  const bool is_upper = has_upper_case(like);
  for (char& c : text) c = is_upper ? to_upper(c) : to_lower(c);
  return text;
}

}  // namespace

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

Sha256::Sha256() : state_(EVP_MD_CTX_new()) {
  auto* state = static_cast<EVP_MD_CTX*>(state_);
  if (state == nullptr || EVP_DigestInit_ex(state, EVP_sha256(), nullptr) != 1) {
    throw std::bad_alloc();
  }
}

Sha256::~Sha256() { EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(state_)); }

void Sha256::add(std::string_view bytes) {
  const bool done =
      EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(state_), bytes.data(), bytes.size()) == 1;
  if (!done) throw std::bad_alloc();
}

std::string Sha256::hexadecimal() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash;
  unsigned size = 0;
  if (EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(state_), hash.data(), &size) != 1) {
    throw std::bad_alloc();
  }
  return digits_of({reinterpret_cast<const char*>(hash.data()), size});
}

std::string sha1_base32(std::string_view bytes) {
  unsigned char hash[SHA_DIGEST_LENGTH];
  if (SHA1(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), hash) == nullptr) {
    throw std::bad_alloc();
  }
  return "sha1:" + base32({reinterpret_cast<const char*>(hash), sizeof hash});
}

std::string digest_like(std::string_view like, std::string_view bytes) {
  const std::size_t colon = like.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view value = like.substr(colon + 1);
  const auto algorithm = std::find_if(
      kAlgorithms.begin(), kAlgorithms.end(),
      [&](const DigestAlgorithm& known) { return known.name == like.substr(0, colon); });
  if (algorithm == kAlgorithms.end()) return {};
  const std::size_t base32_digits = (algorithm->bytes * 8 + 4) / 5;
  const std::size_t value_digits = std::min(value.find('='), value.size());
  const bool is_base32 = value_digits == base32_digits;
  if (!is_base32 && value.size() != algorithm->bytes * 2) return {};
  const std::string hash = hash_of(*algorithm, bytes);
  std::string text = is_base32 ? base32(hash) : digits_of(hash);
  text.resize(value.size(), '=');
  return fmt::format("{}:{}", algorithm->name, in_case_of(value, std::move(text)));
}

bool is_digest_of(std::string_view digest, std::string_view bytes) {
  if (digest.empty()) return false;
  const std::string right = digest_like(digest, bytes);
  return right.empty() || equal_ignoring_case(right, digest);
}

}  // namespace webstrata
