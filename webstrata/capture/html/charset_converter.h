// SPDX-License-Identifier: Apache-2.0

// Pages of any charset as UTF-8, and back again where URLs need it.
//
//   CharsetConverter converter;
//   const std::string_view page = converter.to_utf8(body, Charset::ShiftJis, buffer);
//
// One converter serves one thread; it keeps what it has opened.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "webstrata/capture/html/charset.h"

namespace webstrata {

class CharsetConverter {
 public:
  CharsetConverter();
  CharsetConverter(const CharsetConverter&) = delete;
  CharsetConverter& operator=(const CharsetConverter&) = delete;
  ~CharsetConverter();

  // `bytes` in UTF-8, each ill-formed sequence replaced by U+FFFD. Nothing is copied if they are
  // already UTF-8: the view is then `bytes`, otherwise it is in `buffer`.
  std::string_view to_utf8(std::string_view bytes, Charset charset, std::string& buffer);

  // The query of `reference` (UTF-8) in the page's own charset, percent-encoded, because that is
  // what browsers send; a character that the charset lacks becomes %26%23NNNN%3B, which is &#NNNN;
  // percent-encoded. Everything else is left for the URL parser. The view is `reference` itself if
  // there is nothing to do, as for UTF-8 and UTF-16.
  std::string_view encode_query(std::string_view reference, Charset charset, std::string& buffer);

 private:
  using HighHalf = std::array<std::uint16_t, 128>;  // code points of the bytes from 0x80 on
  class Iconv;

  Charset usable(Charset charset);
  const HighHalf& high_half(Charset charset);
  Iconv& decoder(Charset charset);
  Iconv& encoder(Charset charset);
  void append_encoded(std::uint32_t code_point, Charset charset, std::string& out);

  static constexpr std::size_t kCount = static_cast<std::size_t>(Charset::Count);
  std::array<std::unique_ptr<HighHalf>, kCount> high_halves_;
  std::array<std::unique_ptr<Iconv>, kCount> decoders_;
  std::array<std::unique_ptr<Iconv>, kCount> encoders_;
};

// What the byte 0x80 + `index` means in windows-1252, for the 32 that differ from Latin-1.
extern const std::array<std::uint16_t, 32> kWindows1252Specials;

}  // namespace webstrata
