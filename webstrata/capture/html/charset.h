// SPDX-License-Identifier: Apache-2.0

// Which character set a page is written in: the labels of the WHATWG Encoding standard, and how a
// page says which one it uses.
//
//   const DetectedCharset detected = detect_charset(body, "ISO-8859-1");
//   detected.charset == Charset::Windows1252;  // which is what the web means by it

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace webstrata {

// clang-format off
enum class Charset : std::uint8_t {
  Utf8, Utf16Le, Utf16Be, Windows1252, XUserDefined,
  // One byte per character.
  Ibm866, Iso8859_2, Iso8859_3, Iso8859_4, Iso8859_5, Iso8859_6, Iso8859_7, Iso8859_8, Iso8859_10,
  Iso8859_13, Iso8859_14, Iso8859_15, Iso8859_16, Koi8R, Koi8U, Macintosh, Windows874, Windows1250,
  Windows1251, Windows1253, Windows1254, Windows1255, Windows1256, Windows1257, Windows1258,
  XMacCyrillic,
  // Several.
  Gbk, Gb18030, Big5, EucJp, Iso2022Jp, ShiftJis, EucKr,
  Count
};
// clang-format on

// The charset that a label means; labels may have any case and white space around them. Empty for
// unknown labels, and for those that browsers refuse to decode (iso-2022-kr, hz-gb-2312, ...):
// their links are ASCII, so it is better to decode them as such than to lose them.
std::optional<Charset> charset_of_label(std::string_view label) noexcept;
// The name in the standard, lower case: "windows-1252".
std::string_view to_string(Charset charset) noexcept;

struct DetectedCharset {
  Charset charset = Charset::Utf8;
  std::size_t bom_size = 0;      // bytes at the front that are not part of the page
  bool is_checked_utf8 = false;  // the whole body is known to be well-formed UTF-8
};

// A byte order mark decides, then the label of the HTTP header, then what the first kilobyte of
// the page says in <meta> or an XML declaration. Where nothing is declared, a body that is
// well-formed UTF-8 counts as UTF-8; in others a <meta> may come later in the head; the rest is
// windows-1252.
DetectedCharset detect_charset(std::string_view body, std::string_view http_label) noexcept;

// The charset that <meta> or an XML declaration in these bytes names, by the standard's prescan.
std::optional<Charset> prescan_charset(std::string_view bytes) noexcept;

}  // namespace webstrata
