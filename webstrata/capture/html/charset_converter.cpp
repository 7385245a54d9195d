// SPDX-License-Identifier: Apache-2.0

// Charsets of one byte per character become tables of 128 entries, made once from the C library's
// iconv; the others go through iconv itself. The Encoding standard differs from iconv in a few
// places, kept in kDifferences; bytes 0x80..0x9f that iconv does not know are C1 controls there.
// Tested by tests/capture/charset_converter_test.cpp.

#include "webstrata/capture/html/charset_converter.h"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "webstrata/base/utf8.h"

namespace webstrata {

constexpr std::array<std::uint16_t, 32> kWindows1252Specials = {
    0x20ac, 0x81,   0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8d,   0x017d, 0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,   0x017e, 0x0178};

namespace {

constexpr std::uint16_t kReplacement = 0xfffd;

// iconv's names for charsets that the standard extends or names differently; the rest have the
// standard's name.
const char* iconv_name(Charset charset) noexcept {
  switch (charset) {
    case Charset::Windows874:
      return "CP874";
    case Charset::XMacCyrillic:
      return "MAC-UK";
    case Charset::Gbk:
      return "GB18030";
    case Charset::Big5:
      return "BIG5-HKSCS";
    case Charset::EucJp:
      return "EUC-JP-MS";
    case Charset::ShiftJis:
      return "CP932";
    case Charset::EucKr:
      return "UHC";
    default:
      return to_string(charset).data();  // a literal, so it ends in NUL
  }
}

struct Difference {
  Charset charset;
  unsigned char byte;
  std::uint16_t code_point;
};
constexpr Difference kDifferences[] = {
    {Charset::Koi8U, 0xae, 0x045e},        {Charset::Koi8U, 0xbe, 0x040e},
    {Charset::Macintosh, 0xbd, 0x03a9},    {Charset::Macintosh, 0xc6, 0x2206},
    {Charset::Macintosh, 0xdb, 0x20ac},    {Charset::Macintosh, 0xf0, 0xf8ff},
    {Charset::XMacCyrillic, 0xff, 0x20ac}, {Charset::Windows1255, 0xca, 0x05ba},
};

bool is_single_byte(Charset charset) noexcept {
  return charset >= Charset::Windows1252 && charset <= Charset::XMacCyrillic;
}

bool is_ascii_byte(char c) noexcept { return static_cast<unsigned char>(c) < 0x80; }

// How many ASCII bytes `text` begins with.
std::size_t ascii_run(std::string_view text) noexcept {
  std::size_t size = 0;
  for (std::uint64_t word = 0; text.size() - size >= 8; size += 8) {
    std::memcpy(&word, text.data() + size, 8);
    if ((word & 0x8080808080808080) != 0) break;
  }
  while (size < text.size() && is_ascii_byte(text[size])) ++size;
  return size;
}

void append_repaired_utf8(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    const std::size_t run = ascii_run(bytes);
    out.append(bytes.substr(0, run));
    bytes.remove_prefix(run);
    if (!bytes.empty()) append_utf8(out, take_utf8(bytes));
  }
}

void append_utf16(std::string_view bytes, bool big_endian, std::string& out) {
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<std::uint32_t>(big_endian ? first << 8 | second : second << 8 | first);
  };
  std::size_t at = 0;
  while (at + 1 < bytes.size()) {
    const std::uint32_t high = unit(at);
    at += 2;
    const bool leads = high >= 0xd800 && high < 0xdc00 && at + 1 < bytes.size();
    const std::uint32_t low = leads ? unit(at) : 0;
    if (low >= 0xdc00 && low < 0xe000) {
      append_utf8(out, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
      at += 2;
    } else {
      append_utf8(out, high);  // a lone surrogate becomes U+FFFD
    }
  }
  if (at < bytes.size()) append_utf8(out, kReplacement);
}

// Whether `reference` names a scheme whose query browsers always write in UTF-8.
bool has_other_scheme(std::string_view reference) noexcept {
  const std::size_t end = reference.find_first_of(":/?#");
  if (end == std::string_view::npos || reference[end] != ':') return false;
  const std::string_view scheme = reference.substr(0, end);
  const auto is = [&](std::string_view wanted) {
    return std::equal(scheme.begin(), scheme.end(), wanted.begin(), wanted.end(),
                      [](char c, char w) { return (c | 0x20) == w; });
  };
  return !is("http") && !is("https") && !is("ftp");
}

// Bytes that the URL standard percent-encodes in the query of a web URL.
bool is_escaped_in_query(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= ' ' || byte >= 0x7f ||
         std::string_view("\"#<>'").find(c) != std::string_view::npos;
}

void append_escaped(std::string_view bytes, std::string& out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (const char c : bytes) {
    if (!is_escaped_in_query(c)) {
      out.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out.push_back('%');
    out.push_back(kDigits[byte >> 4]);
    out.push_back(kDigits[byte & 15]);
  }
}

}  // namespace

// An open conversion that is fed piece by piece.
class CharsetConverter::Iconv {
 public:
  Iconv(const char* to, const char* from) : handle_(iconv_open(to, from)) {
    if (!is_open() && errno == ENOMEM) throw std::bad_alloc();
  }
  Iconv(const Iconv&) = delete;
  Iconv& operator=(const Iconv&) = delete;
  ~Iconv() {
    if (is_open()) iconv_close(handle_);
  }

  // False where the C library lacks the charset.
  [[nodiscard]] bool is_open() const noexcept { return handle_ != reinterpret_cast<iconv_t>(-1); }

  void reset() noexcept { iconv(handle_, nullptr, nullptr, nullptr, nullptr); }

  // Converts and removes as much as possible from the front of `bytes`. False if something cannot
  // be converted.
  bool convert(std::string_view& bytes, std::string& out) {
    while (!bytes.empty()) {
      std::array<char, 4096> chunk;
      char* in = const_cast<char*>(bytes.data());
      std::size_t in_size = bytes.size();
      char* to = chunk.data();
      std::size_t to_size = chunk.size();
      const std::size_t result = iconv(handle_, &in, &in_size, &to, &to_size);
      const int error = errno;
      out.append(chunk.data(), chunk.size() - to_size);
      bytes.remove_prefix(bytes.size() - in_size);
      if (result == static_cast<std::size_t>(-1) && error != E2BIG) return false;
    }
    return true;
  }

  // Writes what the charset needs at the end of a text (the return to ASCII).
  void finish(std::string& out) {
    std::array<char, 64> chunk;
    char* to = chunk.data();
    std::size_t to_size = chunk.size();
    iconv(handle_, nullptr, nullptr, &to, &to_size);
    out.append(chunk.data(), chunk.size() - to_size);
  }

 private:
  iconv_t handle_;
};

CharsetConverter::CharsetConverter() = default;
CharsetConverter::~CharsetConverter() = default;

CharsetConverter::Iconv& CharsetConverter::decoder(Charset charset) {
  auto& opened = decoders_[static_cast<std::size_t>(charset)];
  if (opened == nullptr) opened = std::make_unique<Iconv>("UTF-8", iconv_name(charset));
  return *opened;
}

CharsetConverter::Iconv& CharsetConverter::encoder(Charset charset) {
  auto& opened = encoders_[static_cast<std::size_t>(charset)];
  if (opened == nullptr) opened = std::make_unique<Iconv>(iconv_name(charset), "UTF-8");
  return *opened;
}

const CharsetConverter::HighHalf& CharsetConverter::high_half(Charset charset) {
  auto& table = high_halves_[static_cast<std::size_t>(charset)];
  if (table != nullptr) return *table;
  table = std::make_unique<HighHalf>();
  for (unsigned i = 0; i < table->size(); ++i) {
    const char byte = static_cast<char>(0x80 + i);
    std::string text;
    std::string_view rest(&byte, 1);
    std::uint32_t code_point = i < 32 ? 0x80 + i : kReplacement;
    if (charset == Charset::Windows1252) {
      code_point = i < 32 ? kWindows1252Specials[i] : 0x80 + i;
    } else if (charset == Charset::XUserDefined) {
      code_point = 0xf780 + i;
    } else {
      Iconv& from = decoder(charset);
      from.reset();
      const bool known = from.convert(rest, text);
      from.finish(text);  // Vietnamese letters wait for an accent
      std::string_view decoded = text;
      if (known && !decoded.empty()) code_point = take_utf8(decoded);
    }
    (*table)[i] = static_cast<std::uint16_t>(code_point);
  }
  for (const Difference& difference : kDifferences) {
    if (difference.charset == charset) (*table)[difference.byte - 0x80] = difference.code_point;
  }
  return *table;
}

// A system without iconv's tables (small containers) can still decode the ASCII, and so the links.
Charset CharsetConverter::usable(Charset charset) {
  if (charset == Charset::Windows1252 || charset == Charset::XUserDefined) return charset;
  return decoder(charset).is_open() && encoder(charset).is_open() ? charset : Charset::Windows1252;
}

std::string_view CharsetConverter::to_utf8(std::string_view bytes, Charset charset,
                                           std::string& buffer) {
  buffer.clear();
  if (charset == Charset::Utf8) {
    if (is_utf8(bytes)) return bytes;
    append_repaired_utf8(bytes, buffer);
    return buffer;
  }
  if (charset == Charset::Utf16Le || charset == Charset::Utf16Be) {
    append_utf16(bytes, charset == Charset::Utf16Be, buffer);
    return buffer;
  }
  const std::size_t plain = charset == Charset::Iso2022Jp ? 0 : ascii_run(bytes);
  if (plain == bytes.size()) return bytes;
  charset = usable(charset);
  buffer.reserve(bytes.size() + bytes.size() / 2);
  if (is_single_byte(charset)) {
    const HighHalf& table = high_half(charset);
    while (!bytes.empty()) {
      const std::size_t run = ascii_run(bytes);
      buffer.append(bytes.substr(0, run));
      bytes.remove_prefix(run);
      for (; !bytes.empty() && !is_ascii_byte(bytes.front()); bytes.remove_prefix(1)) {
        append_utf8(buffer, table[static_cast<unsigned char>(bytes.front()) - 0x80]);
      }
    }
    return buffer;
  }
  Iconv& from = decoder(charset);
  from.reset();
  while (!from.convert(bytes, buffer)) {
    append_utf8(buffer, kReplacement);
    // A bad second byte belongs to the bad first one unless it is ASCII, which may be markup.
    bytes.remove_prefix(bytes.size() > 1 && !is_ascii_byte(bytes[1]) ? 2 : 1);
  }
  from.finish(buffer);
  return buffer;
}

std::string_view CharsetConverter::encode_query(std::string_view reference, Charset charset,
                                                std::string& buffer) {
  if (charset <= Charset::Utf16Be) return reference;
  const std::string_view before_fragment = reference.substr(0, reference.find('#'));
  const std::size_t mark = before_fragment.find('?');
  if (mark == std::string_view::npos) return reference;
  std::string_view query = before_fragment.substr(mark);
  if (ascii_run(query) == query.size() || has_other_scheme(reference)) return reference;
  charset = usable(charset);
  buffer.assign(reference.substr(0, mark));
  while (!query.empty()) {
    const std::size_t run = ascii_run(query);
    buffer.append(query.substr(0, run));
    query.remove_prefix(run);
    if (!is_single_byte(charset)) encoder(charset).reset();
    while (!query.empty() && !is_ascii_byte(query.front())) {
      append_encoded(take_utf8(query), charset, buffer);
    }
    if (is_single_byte(charset)) continue;
    std::string ending;
    encoder(charset).finish(ending);
    append_escaped(ending, buffer);
  }
  buffer.append(reference.substr(before_fragment.size()));
  return buffer;
}

void CharsetConverter::append_encoded(std::uint32_t code_point, Charset charset, std::string& out) {
  std::string encoded;
  if (is_single_byte(charset)) {
    const HighHalf& table = high_half(charset);
    const auto* const found = std::find(table.begin(), table.end(), code_point);
    if (found != table.end() && code_point != kReplacement) {
      encoded.push_back(static_cast<char>(0x80 + (found - table.begin())));
    }
  } else {
    std::string text;
    append_utf8(text, code_point);
    std::string_view rest = text;
    if (!encoder(charset).convert(rest, encoded)) encoded.clear();
  }
  if (encoded.empty()) {
    out.append("%26%23").append(std::to_string(code_point)).append("%3B");
  } else {
    append_escaped(encoded, out);
  }
}

}  // namespace webstrata
