// SPDX-License-Identifier: Apache-2.0

// The input is a list of tombstones, or a request to forget and a url ("request <tab> url"). A list
// is read or refused; a request means the same in plain words and as a tombstone, and a url that it
// names.

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/facts/tombstones.h"
#include "webstrata/url/key.h"

namespace {

using webstrata::Forget;
using webstrata::ForgetScope;
using webstrata::Tombstones;

constexpr webstrata::SecretKey kKey{1, 2};

void check_list(std::string_view bytes) {
  try {
    const Tombstones tombstones = Tombstones::parse(bytes, kKey);
    require(Tombstones::parse(tombstones.serialise(), kKey).serialise() == tombstones.serialise());
    (void)tombstones.covers("org,example)/a\x01", 5);
  } catch (const webstrata::Error& error) {
    require(error.kind() == webstrata::ErrorKind::Corrupt);
  }
}

// The same bytes under a right checksum, so that the fuzzer gets behind it.
void check_repaired_list(std::string_view bytes) {
  std::string repaired(bytes.substr(0, bytes.size() - 8));
  webstrata::append_u64(repaired, webstrata::checksum64(repaired));
  check_list(repaired);
}

std::string key_of(std::string_view text) {
  webstrata::Url url;
  std::string key;
  if (webstrata::parse_url(text, url)) webstrata::append_key(url, key);
  return key;
}

void check_request(const Forget& forget, std::string_view url) {
  webstrata::Selection selection;
  Tombstones tombstones(kKey);
  try {
    selection.add(forget);
  } catch (const webstrata::Error& error) {
    require(error.kind() == webstrata::ErrorKind::BadInput);
    return;
  }
  require(tombstones.add(forget));
  const std::string own = key_of(forget.text);
  if (!own.empty() && own.back() != 4) require(selection.covers(own, 1));
  for (const std::string& key : {own, key_of(url), std::string(url)}) {
    require(selection.covers(key, 1) == tombstones.covers(key, 1));
    (void)selection.contains_embedded(key);
  }
  require(tombstones.remove(forget) && tombstones.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_list(bytes);
  if (size >= 8) check_repaired_list(bytes);
  const std::size_t tab = bytes.find('\t');
  if (tab == std::string_view::npos) return 0;
  for (const auto scope : {ForgetScope::Url, ForgetScope::Prefix, ForgetScope::Host}) {
    for (const bool exactly : {false, true}) {
      check_request({scope, std::string(bytes.substr(0, tab)), exactly, {}}, bytes.substr(tab + 1));
    }
  }
  return 0;
}
