// SPDX-License-Identifier: Apache-2.0

// Labels and names are those of the Encoding standard ("4.2 Names and labels"); the prescan is
// the HTML standard's ("13.2.3.2 Determining the character encoding").
// Tested by tests/capture/charset_test.cpp.

#include "webstrata/capture/html/charset.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "webstrata/base/text.h"
#include "webstrata/base/utf8.h"

namespace webstrata {
namespace {

constexpr std::size_t kPrescanBytes = 1024;
// How far a late <meta> is searched for in a page that is not UTF-8: browsers accept it anywhere
// and start again.
constexpr std::size_t kLatePrescanBytes = std::size_t{64} << 10;

struct Label {
  std::string_view label;
  Charset charset;
};

// clang-format off
constexpr Label kLabels[] = {
    {"unicode-1-1-utf-8", Charset::Utf8}, {"unicode11utf8", Charset::Utf8},
    {"unicode20utf8", Charset::Utf8}, {"utf-8", Charset::Utf8}, {"utf8", Charset::Utf8},
    {"x-unicode20utf8", Charset::Utf8},
    {"csunicode", Charset::Utf16Le}, {"iso-10646-ucs-2", Charset::Utf16Le},
    {"ucs-2", Charset::Utf16Le}, {"unicode", Charset::Utf16Le}, {"unicodefeff", Charset::Utf16Le},
    {"utf-16", Charset::Utf16Le}, {"utf-16le", Charset::Utf16Le},
    {"unicodefffe", Charset::Utf16Be}, {"utf-16be", Charset::Utf16Be},
    {"ansi_x3.4-1968", Charset::Windows1252}, {"ascii", Charset::Windows1252},
    {"cp1252", Charset::Windows1252}, {"cp819", Charset::Windows1252},
    {"csisolatin1", Charset::Windows1252}, {"ibm819", Charset::Windows1252},
    {"iso-8859-1", Charset::Windows1252}, {"iso-ir-100", Charset::Windows1252},
    {"iso8859-1", Charset::Windows1252}, {"iso88591", Charset::Windows1252},
    {"iso_8859-1", Charset::Windows1252}, {"iso_8859-1:1987", Charset::Windows1252},
    {"l1", Charset::Windows1252}, {"latin1", Charset::Windows1252},
    {"us-ascii", Charset::Windows1252}, {"windows-1252", Charset::Windows1252},
    {"x-cp1252", Charset::Windows1252},
    {"x-user-defined", Charset::XUserDefined},
    {"866", Charset::Ibm866}, {"cp866", Charset::Ibm866}, {"csibm866", Charset::Ibm866},
    {"ibm866", Charset::Ibm866},
    {"csisolatin2", Charset::Iso8859_2}, {"iso-8859-2", Charset::Iso8859_2},
    {"iso-ir-101", Charset::Iso8859_2}, {"iso8859-2", Charset::Iso8859_2},
    {"iso88592", Charset::Iso8859_2}, {"iso_8859-2", Charset::Iso8859_2},
    {"iso_8859-2:1987", Charset::Iso8859_2}, {"l2", Charset::Iso8859_2},
    {"latin2", Charset::Iso8859_2},
    {"csisolatin3", Charset::Iso8859_3}, {"iso-8859-3", Charset::Iso8859_3},
    {"iso-ir-109", Charset::Iso8859_3}, {"iso8859-3", Charset::Iso8859_3},
    {"iso88593", Charset::Iso8859_3}, {"iso_8859-3", Charset::Iso8859_3},
    {"iso_8859-3:1988", Charset::Iso8859_3}, {"l3", Charset::Iso8859_3},
    {"latin3", Charset::Iso8859_3},
    {"csisolatin4", Charset::Iso8859_4}, {"iso-8859-4", Charset::Iso8859_4},
    {"iso-ir-110", Charset::Iso8859_4}, {"iso8859-4", Charset::Iso8859_4},
    {"iso88594", Charset::Iso8859_4}, {"iso_8859-4", Charset::Iso8859_4},
    {"iso_8859-4:1988", Charset::Iso8859_4}, {"l4", Charset::Iso8859_4},
    {"latin4", Charset::Iso8859_4},
    {"csisolatincyrillic", Charset::Iso8859_5}, {"cyrillic", Charset::Iso8859_5},
    {"iso-8859-5", Charset::Iso8859_5}, {"iso-ir-144", Charset::Iso8859_5},
    {"iso8859-5", Charset::Iso8859_5}, {"iso88595", Charset::Iso8859_5},
    {"iso_8859-5", Charset::Iso8859_5}, {"iso_8859-5:1988", Charset::Iso8859_5},
    {"arabic", Charset::Iso8859_6}, {"asmo-708", Charset::Iso8859_6},
    {"csiso88596e", Charset::Iso8859_6}, {"csiso88596i", Charset::Iso8859_6},
    {"csisolatinarabic", Charset::Iso8859_6}, {"ecma-114", Charset::Iso8859_6},
    {"iso-8859-6", Charset::Iso8859_6}, {"iso-8859-6-e", Charset::Iso8859_6},
    {"iso-8859-6-i", Charset::Iso8859_6}, {"iso-ir-127", Charset::Iso8859_6},
    {"iso8859-6", Charset::Iso8859_6}, {"iso88596", Charset::Iso8859_6},
    {"iso_8859-6", Charset::Iso8859_6}, {"iso_8859-6:1987", Charset::Iso8859_6},
    {"csisolatingreek", Charset::Iso8859_7}, {"ecma-118", Charset::Iso8859_7},
    {"elot_928", Charset::Iso8859_7}, {"greek", Charset::Iso8859_7},
    {"greek8", Charset::Iso8859_7}, {"iso-8859-7", Charset::Iso8859_7},
    {"iso-ir-126", Charset::Iso8859_7}, {"iso8859-7", Charset::Iso8859_7},
    {"iso88597", Charset::Iso8859_7}, {"iso_8859-7", Charset::Iso8859_7},
    {"iso_8859-7:1987", Charset::Iso8859_7}, {"sun_eu_greek", Charset::Iso8859_7},
    {"csiso88598e", Charset::Iso8859_8}, {"csisolatinhebrew", Charset::Iso8859_8},
    {"hebrew", Charset::Iso8859_8}, {"iso-8859-8", Charset::Iso8859_8},
    {"iso-8859-8-e", Charset::Iso8859_8}, {"iso-ir-138", Charset::Iso8859_8},
    {"iso8859-8", Charset::Iso8859_8}, {"iso88598", Charset::Iso8859_8},
    {"iso_8859-8", Charset::Iso8859_8}, {"iso_8859-8:1988", Charset::Iso8859_8},
    {"visual", Charset::Iso8859_8}, {"csiso88598i", Charset::Iso8859_8},
    {"iso-8859-8-i", Charset::Iso8859_8}, {"logical", Charset::Iso8859_8},
    {"csisolatin6", Charset::Iso8859_10}, {"iso-8859-10", Charset::Iso8859_10},
    {"iso-ir-157", Charset::Iso8859_10}, {"iso8859-10", Charset::Iso8859_10},
    {"iso885910", Charset::Iso8859_10}, {"l6", Charset::Iso8859_10},
    {"latin6", Charset::Iso8859_10},
    {"iso-8859-13", Charset::Iso8859_13}, {"iso8859-13", Charset::Iso8859_13},
    {"iso885913", Charset::Iso8859_13},
    {"iso-8859-14", Charset::Iso8859_14}, {"iso8859-14", Charset::Iso8859_14},
    {"iso885914", Charset::Iso8859_14},
    {"csisolatin9", Charset::Iso8859_15}, {"iso-8859-15", Charset::Iso8859_15},
    {"iso8859-15", Charset::Iso8859_15}, {"iso885915", Charset::Iso8859_15},
    {"iso_8859-15", Charset::Iso8859_15}, {"l9", Charset::Iso8859_15},
    {"iso-8859-16", Charset::Iso8859_16},
    {"cskoi8r", Charset::Koi8R}, {"koi", Charset::Koi8R}, {"koi8", Charset::Koi8R},
    {"koi8-r", Charset::Koi8R}, {"koi8_r", Charset::Koi8R},
    {"koi8-ru", Charset::Koi8U}, {"koi8-u", Charset::Koi8U},
    {"csmacintosh", Charset::Macintosh}, {"mac", Charset::Macintosh},
    {"macintosh", Charset::Macintosh}, {"x-mac-roman", Charset::Macintosh},
    {"dos-874", Charset::Windows874}, {"iso-8859-11", Charset::Windows874},
    {"iso8859-11", Charset::Windows874}, {"iso885911", Charset::Windows874},
    {"tis-620", Charset::Windows874}, {"windows-874", Charset::Windows874},
    {"cp1250", Charset::Windows1250}, {"windows-1250", Charset::Windows1250},
    {"x-cp1250", Charset::Windows1250},
    {"cp1251", Charset::Windows1251}, {"windows-1251", Charset::Windows1251},
    {"x-cp1251", Charset::Windows1251},
    {"cp1253", Charset::Windows1253}, {"windows-1253", Charset::Windows1253},
    {"x-cp1253", Charset::Windows1253},
    {"cp1254", Charset::Windows1254}, {"csisolatin5", Charset::Windows1254},
    {"iso-8859-9", Charset::Windows1254}, {"iso-ir-148", Charset::Windows1254},
    {"iso8859-9", Charset::Windows1254}, {"iso88599", Charset::Windows1254},
    {"iso_8859-9", Charset::Windows1254}, {"iso_8859-9:1989", Charset::Windows1254},
    {"l5", Charset::Windows1254}, {"latin5", Charset::Windows1254},
    {"windows-1254", Charset::Windows1254}, {"x-cp1254", Charset::Windows1254},
    {"cp1255", Charset::Windows1255}, {"windows-1255", Charset::Windows1255},
    {"x-cp1255", Charset::Windows1255},
    {"cp1256", Charset::Windows1256}, {"windows-1256", Charset::Windows1256},
    {"x-cp1256", Charset::Windows1256},
    {"cp1257", Charset::Windows1257}, {"windows-1257", Charset::Windows1257},
    {"x-cp1257", Charset::Windows1257},
    {"cp1258", Charset::Windows1258}, {"windows-1258", Charset::Windows1258},
    {"x-cp1258", Charset::Windows1258},
    {"x-mac-cyrillic", Charset::XMacCyrillic}, {"x-mac-ukrainian", Charset::XMacCyrillic},
    {"chinese", Charset::Gbk}, {"csgb2312", Charset::Gbk}, {"csiso58gb231280", Charset::Gbk},
    {"gb2312", Charset::Gbk}, {"gb_2312", Charset::Gbk}, {"gb_2312-80", Charset::Gbk},
    {"gbk", Charset::Gbk}, {"iso-ir-58", Charset::Gbk}, {"x-gbk", Charset::Gbk},
    {"gb18030", Charset::Gb18030},
    {"big5", Charset::Big5}, {"big5-hkscs", Charset::Big5}, {"cn-big5", Charset::Big5},
    {"csbig5", Charset::Big5}, {"x-x-big5", Charset::Big5},
    {"cseucpkdfmtjapanese", Charset::EucJp}, {"euc-jp", Charset::EucJp},
    {"x-euc-jp", Charset::EucJp},
    {"csiso2022jp", Charset::Iso2022Jp}, {"iso-2022-jp", Charset::Iso2022Jp},
    {"csshiftjis", Charset::ShiftJis}, {"ms932", Charset::ShiftJis},
    {"ms_kanji", Charset::ShiftJis}, {"shift-jis", Charset::ShiftJis},
    {"shift_jis", Charset::ShiftJis}, {"sjis", Charset::ShiftJis},
    {"windows-31j", Charset::ShiftJis}, {"x-sjis", Charset::ShiftJis},
    {"cseuckr", Charset::EucKr}, {"csksc56011987", Charset::EucKr}, {"euc-kr", Charset::EucKr},
    {"iso-ir-149", Charset::EucKr}, {"korean", Charset::EucKr},
    {"ks_c_5601-1987", Charset::EucKr}, {"ks_c_5601-1989", Charset::EucKr},
    {"ksc5601", Charset::EucKr}, {"ksc_5601", Charset::EucKr}, {"windows-949", Charset::EucKr},
};
// clang-format on

constexpr std::array<std::string_view, static_cast<std::size_t>(Charset::Count)> kCharsetNames = {
    "utf-8",          "utf-16le",     "utf-16be",     "windows-1252", "x-user-defined",
    "ibm866",         "iso-8859-2",   "iso-8859-3",   "iso-8859-4",   "iso-8859-5",
    "iso-8859-6",     "iso-8859-7",   "iso-8859-8",   "iso-8859-10",  "iso-8859-13",
    "iso-8859-14",    "iso-8859-15",  "iso-8859-16",  "koi8-r",       "koi8-u",
    "macintosh",      "windows-874",  "windows-1250", "windows-1251", "windows-1253",
    "windows-1254",   "windows-1255", "windows-1256", "windows-1257", "windows-1258",
    "x-mac-cyrillic", "gbk",          "gb18030",      "big5",         "euc-jp",
    "iso-2022-jp",    "shift_jis",    "euc-kr"};

// What a label inside a page means: it was read as ASCII, so it cannot be UTF-16.
std::optional<Charset> charset_of_inner_label(std::string_view label) noexcept {
  const auto charset = charset_of_label(label);
  if (charset == Charset::Utf16Le || charset == Charset::Utf16Be) return Charset::Utf8;
  if (charset == Charset::XUserDefined) return Charset::Windows1252;
  return charset;
}

// A position in the bytes of the prescan.
class CharsetScan {
 public:
  explicit CharsetScan(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool at_end() const noexcept { return at_ >= bytes_.size(); }
  [[nodiscard]] char current() const noexcept { return at_end() ? '\0' : bytes_[at_]; }
  [[nodiscard]] char behind(std::size_t distance) const noexcept {
    return at_ + distance < bytes_.size() ? bytes_[at_ + distance] : '\0';
  }
  void step(std::size_t distance = 1) noexcept { at_ += distance; }
  [[nodiscard]] std::string_view rest() const noexcept {
    return at_end() ? std::string_view() : bytes_.substr(at_);
  }
  [[nodiscard]] bool begins_with(std::string_view lower) const noexcept {
    return equal_ignoring_case(rest().substr(0, lower.size()), lower);
  }
  // To the first `c`, or the end.
  void seek(char c) noexcept { at_ = std::min(bytes_.find(c, at_), bytes_.size()); }
  void skip_spaces() noexcept {
    while (!at_end() && is_white_space(bytes_[at_])) ++at_;
  }
  template <typename Stop>
  std::string_view take_until(Stop stop) noexcept {
    const std::size_t start = std::min(at_, bytes_.size());
    while (!at_end() && !stop(bytes_[at_])) ++at_;
    return bytes_.substr(start, at_ - start);
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

struct Attribute {
  std::string_view name;
  std::string_view value;
};

// The standard's "get an attribute" of the prescan, which is simpler than that of the tokenizer.
std::optional<Attribute> take_attribute(CharsetScan& scan) noexcept {
  scan.take_until([](char c) { return !is_white_space(c) && c != '/'; });
  if (scan.at_end() || scan.current() == '>') return std::nullopt;
  Attribute attribute;
  const std::string_view rest = scan.rest();
  scan.step();  // a name may begin with '='
  scan.take_until([](char c) { return is_white_space(c) || c == '/' || c == '>' || c == '='; });
  attribute.name = rest.substr(0, rest.size() - scan.rest().size());
  scan.skip_spaces();
  if (scan.current() != '=') return attribute;
  scan.step();
  scan.skip_spaces();
  const char quote = scan.current();
  if (quote == '"' || quote == '\'') {
    scan.step();
    attribute.value = scan.take_until([quote](char c) { return c == quote; });
    if (scan.at_end()) return std::nullopt;
    scan.step();
  } else {
    attribute.value = scan.take_until([](char c) { return is_white_space(c) || c == '>'; });
  }
  return attribute;
}

// The charset=... inside the content of a <meta http-equiv="Content-Type">.
std::optional<Charset> charset_in_content(std::string_view content) noexcept {
  CharsetScan scan(content);
  for (; !scan.at_end(); scan.step()) {
    if (!scan.begins_with("charset")) continue;
    CharsetScan label = scan;
    label.step(7);
    label.skip_spaces();
    if (label.current() != '=') continue;
    label.step();
    label.skip_spaces();
    const char quote = label.current();
    if (quote != '"' && quote != '\'') {
      return charset_of_inner_label(
          label.take_until([](char c) { return is_white_space(c) || c == ';'; }));
    }
    label.step();
    const std::string_view quoted = label.take_until([quote](char c) { return c == quote; });
    return label.at_end() ? std::nullopt : charset_of_inner_label(quoted);
  }
  return std::nullopt;
}

// `scan` is after "<meta" and the character that ends the name.
std::optional<Charset> charset_in_meta(CharsetScan& scan) noexcept {
  bool is_content_type = false;
  std::optional<Charset> from_content;
  std::optional<Charset> from_charset;
  bool has_charset = false;
  bool has_content = false;
  while (const auto attribute = take_attribute(scan)) {
    if (equal_ignoring_case(attribute->name, "http-equiv")) {
      is_content_type |= equal_ignoring_case(attribute->value, "content-type");
    } else if (equal_ignoring_case(attribute->name, "content") && !has_content) {
      has_content = true;
      from_content = charset_in_content(attribute->value);
    } else if (equal_ignoring_case(attribute->name, "charset") && !has_charset) {
      has_charset = true;
      from_charset = charset_of_inner_label(attribute->value);
    }
  }
  if (scan.at_end()) return std::nullopt;  // cut off
  if (has_charset) return from_charset;
  return is_content_type ? from_content : std::nullopt;
}

// <?xml version="1.0" encoding="..."?>
std::optional<Charset> charset_in_xml(std::string_view bytes) noexcept {
  if (!bytes.starts_with("<?xml")) return std::nullopt;
  const std::string_view declaration = bytes.substr(0, bytes.find('>'));
  const std::size_t found = declaration.find("encoding");
  if (declaration.size() == bytes.size() || found == std::string_view::npos) return std::nullopt;
  CharsetScan scan(declaration.substr(found + 8));
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) > ' '; };
  scan.take_until(is_blank);
  if (scan.current() != '=') return std::nullopt;
  scan.step();
  scan.take_until(is_blank);
  const char quote = scan.current();
  if (quote != '"' && quote != '\'') return std::nullopt;
  scan.step();
  const std::string_view label = scan.take_until([quote](char c) { return c == quote; });
  return scan.at_end() ? std::nullopt : charset_of_inner_label(label);
}

std::optional<DetectedCharset> charset_of_bom(std::string_view body) noexcept {
  if (body.starts_with("\xef\xbb\xbf")) return DetectedCharset{Charset::Utf8, 3};
  if (body.starts_with("\xfe\xff")) return DetectedCharset{Charset::Utf16Be, 2};
  if (body.starts_with("\xff\xfe")) return DetectedCharset{Charset::Utf16Le, 2};
  return std::nullopt;
}

}  // namespace

std::optional<Charset> charset_of_label(std::string_view label) noexcept {
  label = trim(label);
  for (const Label& known : kLabels) {
    if (equal_ignoring_case(label, known.label)) return known.charset;
  }
  return std::nullopt;
}

std::string_view to_string(Charset charset) noexcept {
  return kCharsetNames[static_cast<std::size_t>(charset)];
}

std::optional<Charset> prescan_charset(std::string_view bytes) noexcept {
  CharsetScan scan(bytes);
  while (!scan.at_end()) {
    scan.seek('<');
    if (scan.begins_with("<!--")) {
      scan.step(2);  // the end may share its dashes with the start
      scan.step(std::min(scan.rest().find("-->"), scan.rest().size()));
    } else if (scan.begins_with("<meta") &&
               (is_white_space(scan.behind(5)) || scan.behind(5) == '/')) {
      scan.step(6);
      if (const auto charset = charset_in_meta(scan)) return charset;
    } else if (is_letter(scan.behind(1)) || (scan.behind(1) == '/' && is_letter(scan.behind(2)))) {
      scan.take_until([](char c) { return is_white_space(c) || c == '>'; });
      while (take_attribute(scan)) {
      }
    } else if (scan.behind(1) == '!' || scan.behind(1) == '/' || scan.behind(1) == '?') {
      scan.seek('>');
    }
    scan.step();
  }
  return charset_in_xml(bytes);
}

DetectedCharset detect_charset(std::string_view body, std::string_view http_label) noexcept {
  if (const auto marked = charset_of_bom(body)) return *marked;
  if (const auto charset = charset_of_label(http_label)) return {*charset};
  if (const auto charset = prescan_charset(body.substr(0, kPrescanBytes))) return {*charset};
  if (is_utf8(body)) return {Charset::Utf8, 0, true};
  if (const auto charset = prescan_charset(body.substr(0, kLatePrescanBytes))) return {*charset};
  return {Charset::Windows1252};
}

}  // namespace webstrata
