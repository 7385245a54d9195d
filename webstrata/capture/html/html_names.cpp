// SPDX-License-Identifier: Apache-2.0

// One table row per tag and per attribute; from them the compiler builds two small hash tables.
// A name's key is its first eight bytes in lower case; longer names are compared to the end.
// Tested by tests/capture/html_names_test.cpp.

#include "webstrata/capture/html/html_names.h"

#include <array>
#include <bit>
#include <cstring>

namespace webstrata {
namespace {

enum Trait : unsigned {
  kRcdata = 1,
  kRawText = 2,
  kScript = 4,
  kPlaintext = 8,
  kVoid = 16,
  kEndsForeign = 32,
  kInline = 64,
};

struct TagRow {
  std::string_view name;
  HtmlTag id;
  unsigned traits;
};

struct AttributeRow {
  std::string_view name;
  HtmlAttribute id;
};

// clang-format off
constexpr TagRow kTags[] = {
    {"", HtmlTag::Unknown, 0},
    {"a", HtmlTag::A, kInline},
    {"area", HtmlTag::Area, kVoid},
    {"audio", HtmlTag::Audio, 0},
    {"base", HtmlTag::Base, kVoid},
    {"body", HtmlTag::Body, kEndsForeign},
    {"button", HtmlTag::Button, 0},
    {"embed", HtmlTag::Embed, kVoid | kEndsForeign},
    {"form", HtmlTag::Form, 0},
    {"frame", HtmlTag::Frame, kVoid},
    {"iframe", HtmlTag::Iframe, kRawText},
    {"image", HtmlTag::Image, kVoid},
    {"img", HtmlTag::Img, kVoid | kEndsForeign | kInline},
    {"input", HtmlTag::Input, kVoid},
    {"link", HtmlTag::Link, kVoid},
    {"meta", HtmlTag::Meta, kVoid | kEndsForeign},
    {"object", HtmlTag::Object, 0},
    {"script", HtmlTag::Script, kScript | kInline},
    {"source", HtmlTag::Source, kVoid},
    {"td", HtmlTag::Td, 0},
    {"th", HtmlTag::Th, 0},
    {"table", HtmlTag::Table, kEndsForeign},
    {"track", HtmlTag::Track, kVoid},
    {"use", HtmlTag::Use, 0},
    {"video", HtmlTag::Video, 0},
    {"noembed", HtmlTag::Noembed, kRawText},
    {"noframes", HtmlTag::Noframes, 0},  // browsers without frames show it, as crawlers do
    {"plaintext", HtmlTag::Plaintext, kPlaintext},
    {"style", HtmlTag::Style, kRawText | kInline},
    {"textarea", HtmlTag::Textarea, kRcdata},
    {"title", HtmlTag::Title, kRcdata},
    {"xmp", HtmlTag::Xmp, kRawText},
    {"svg", HtmlTag::Svg, 0},
    {"math", HtmlTag::Math, 0},
    {"annotation-xml", HtmlTag::AnnotationXml, 0},
    {"desc", HtmlTag::Desc, 0},
    {"foreignobject", HtmlTag::ForeignObject, 0},
    {"malignmark", HtmlTag::Malignmark, 0},
    {"mglyph", HtmlTag::Mglyph, 0},
    {"mi", HtmlTag::Mi, kInline},
    {"mn", HtmlTag::Mn, kInline},
    {"mo", HtmlTag::Mo, kInline},
    {"ms", HtmlTag::Ms, kInline},
    {"mtext", HtmlTag::Mtext, kInline},
    {"b", HtmlTag::B, kEndsForeign | kInline},
    {"big", HtmlTag::Big, kEndsForeign | kInline},
    {"blockquote", HtmlTag::Blockquote, kEndsForeign},
    {"br", HtmlTag::Br, kVoid | kEndsForeign},
    {"center", HtmlTag::Center, kEndsForeign},
    {"code", HtmlTag::Code, kEndsForeign | kInline},
    {"dd", HtmlTag::Dd, kEndsForeign},
    {"div", HtmlTag::Div, kEndsForeign},
    {"dl", HtmlTag::Dl, kEndsForeign},
    {"dt", HtmlTag::Dt, kEndsForeign},
    {"em", HtmlTag::Em, kEndsForeign | kInline},
    {"font", HtmlTag::Font, kInline},
    {"h1", HtmlTag::H1, kEndsForeign},
    {"h2", HtmlTag::H2, kEndsForeign},
    {"h3", HtmlTag::H3, kEndsForeign},
    {"h4", HtmlTag::H4, kEndsForeign},
    {"h5", HtmlTag::H5, kEndsForeign},
    {"h6", HtmlTag::H6, kEndsForeign},
    {"head", HtmlTag::Head, kEndsForeign},
    {"hr", HtmlTag::Hr, kVoid | kEndsForeign},
    {"i", HtmlTag::I, kEndsForeign | kInline},
    {"li", HtmlTag::Li, kEndsForeign},
    {"listing", HtmlTag::Listing, kEndsForeign},
    {"menu", HtmlTag::Menu, kEndsForeign},
    {"nobr", HtmlTag::Nobr, kEndsForeign | kInline},
    {"ol", HtmlTag::Ol, kEndsForeign},
    {"p", HtmlTag::P, kEndsForeign},
    {"pre", HtmlTag::Pre, kEndsForeign},
    {"ruby", HtmlTag::Ruby, kEndsForeign | kInline},
    {"s", HtmlTag::S, kEndsForeign | kInline},
    {"small", HtmlTag::Small, kEndsForeign | kInline},
    {"span", HtmlTag::Span, kEndsForeign | kInline},
    {"strike", HtmlTag::Strike, kEndsForeign | kInline},
    {"strong", HtmlTag::Strong, kEndsForeign | kInline},
    {"sub", HtmlTag::Sub, kEndsForeign | kInline},
    {"sup", HtmlTag::Sup, kEndsForeign | kInline},
    {"tt", HtmlTag::Tt, kEndsForeign | kInline},
    {"u", HtmlTag::U, kEndsForeign | kInline},
    {"ul", HtmlTag::Ul, kEndsForeign},
    {"var", HtmlTag::Var, kEndsForeign | kInline},
    {"abbr", HtmlTag::Abbr, kInline},
    {"acronym", HtmlTag::Acronym, kInline},
    {"bdi", HtmlTag::Bdi, kInline},
    {"bdo", HtmlTag::Bdo, kInline},
    {"cite", HtmlTag::Cite, kInline},
    {"data", HtmlTag::Data, kInline},
    {"del", HtmlTag::Del, kInline},
    {"dfn", HtmlTag::Dfn, kInline},
    {"ins", HtmlTag::Ins, kInline},
    {"kbd", HtmlTag::Kbd, kInline},
    {"label", HtmlTag::Label, kInline},
    {"mark", HtmlTag::Mark, kInline},
    {"q", HtmlTag::Q, kInline},
    {"rb", HtmlTag::Rb, kInline},
    {"rp", HtmlTag::Rp, kInline},
    {"rt", HtmlTag::Rt, kInline},
    {"samp", HtmlTag::Samp, kInline},
    {"time", HtmlTag::TimeTag, kInline},
    {"wbr", HtmlTag::Wbr, kVoid | kInline},
    {"basefont", HtmlTag::Basefont, kVoid},
    {"bgsound", HtmlTag::Bgsound, kVoid},
    {"col", HtmlTag::Col, kVoid},
    {"keygen", HtmlTag::Keygen, kVoid},
    {"param", HtmlTag::Param, kVoid},
    {"address", HtmlTag::Address, 0},
    {"article", HtmlTag::Article, 0},
    {"aside", HtmlTag::Aside, 0},
    {"caption", HtmlTag::Caption, 0},
    {"details", HtmlTag::Details, 0},
    {"dir", HtmlTag::Dir, 0},
    {"fieldset", HtmlTag::Fieldset, 0},
    {"figcaption", HtmlTag::Figcaption, 0},
    {"figure", HtmlTag::Figure, 0},
    {"footer", HtmlTag::Footer, 0},
    {"header", HtmlTag::Header, 0},
    {"html", HtmlTag::Html, 0},
    {"main", HtmlTag::Main, 0},
    {"nav", HtmlTag::Nav, 0},
    {"option", HtmlTag::Option, 0},
    {"section", HtmlTag::Section, 0},
    {"select", HtmlTag::Select, 0},
    {"summary", HtmlTag::Summary, 0},
    {"tbody", HtmlTag::Tbody, 0},
    {"tfoot", HtmlTag::Tfoot, 0},
    {"thead", HtmlTag::Thead, 0},
    {"tr", HtmlTag::Tr, 0},
};

constexpr AttributeRow kAttributes[] = {
    {"", HtmlAttribute::Unknown},
    {"action", HtmlAttribute::Action},
    {"alt", HtmlAttribute::Alt},
    {"background", HtmlAttribute::Background},
    {"color", HtmlAttribute::Color},
    {"content", HtmlAttribute::Content},
    {"data", HtmlAttribute::Data},
    {"encoding", HtmlAttribute::Encoding},
    {"face", HtmlAttribute::Face},
    {"formaction", HtmlAttribute::Formaction},
    {"href", HtmlAttribute::Href},
    {"http-equiv", HtmlAttribute::HttpEquiv},
    {"imagesrcset", HtmlAttribute::Imagesrcset},
    {"longdesc", HtmlAttribute::Longdesc},
    {"poster", HtmlAttribute::Poster},
    {"rel", HtmlAttribute::Rel},
    {"size", HtmlAttribute::Size},
    {"src", HtmlAttribute::Src},
    {"srcset", HtmlAttribute::Srcset},
    {"type", HtmlAttribute::Type},
    {"xlink:href", HtmlAttribute::XlinkHref},
};
// clang-format on

template <typename Row, std::size_t count>
constexpr bool rows_follow_the_enum(const Row (&rows)[count]) {
  for (std::size_t i = 0; i < count; ++i) {
    if (static_cast<std::size_t>(rows[i].id) != i) return false;
  }
  return true;
}
static_assert(std::size(kTags) == static_cast<std::size_t>(HtmlTag::Count));
static_assert(std::size(kAttributes) == static_cast<std::size_t>(HtmlAttribute::Count));
static_assert(rows_follow_the_enum(kTags) && rows_follow_the_enum(kAttributes));

constexpr HtmlContent content_of(unsigned traits) {
  if (traits & kRcdata) return HtmlContent::Rcdata;
  if (traits & kRawText) return HtmlContent::RawText;
  if (traits & kScript) return HtmlContent::Script;
  return traits & kPlaintext ? HtmlContent::Plaintext : HtmlContent::Markup;
}

constexpr auto kTraits = [] {
  std::array<HtmlTagTraits, std::size(kTags)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const unsigned traits = kTags[i].traits;
    all[i] = {content_of(traits), (traits & kVoid) != 0, (traits & kEndsForeign) != 0,
              (traits & kInline) != 0};
  }
  return all;
}();

constexpr std::size_t kSlots = 512;  // a power of two, at least twice the names
constexpr std::size_t kSlotBits = 9;
static_assert(std::size(kTags) * 2 <= kSlots && std::size(kTags) < 256);

struct Slot {
  std::uint64_t key = 0;
  std::uint8_t size = 0;  // 0: free
  std::uint8_t id = 0;
};

constexpr std::size_t slot_of(std::uint64_t key) {
  return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15 >> (64 - kSlotBits));
}

// The bytes are in little-endian order in the word, whatever the machine.
constexpr std::uint64_t key_of(std::string_view name) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < name.size() && i < 8; ++i) {
    key |= static_cast<std::uint64_t>(static_cast<unsigned char>(name[i])) << (8 * i);
  }
  return key;
}

template <typename Row, std::size_t count>
constexpr std::array<Slot, kSlots> hash_table(const Row (&rows)[count]) {
  std::array<Slot, kSlots> slots{};
  for (std::size_t i = 1; i < count; ++i) {  // 0 is Unknown
    std::size_t slot = slot_of(key_of(rows[i].name));
    while (slots[slot].size != 0) slot = (slot + 1) % kSlots;
    slots[slot] = {key_of(rows[i].name), static_cast<std::uint8_t>(rows[i].name.size()),
                   static_cast<std::uint8_t>(i)};
  }
  return slots;
}

constexpr auto kTagSlots = hash_table(kTags);
constexpr auto kAttributeSlots = hash_table(kAttributes);

// Makes the letters among eight bytes lower case.
constexpr std::uint64_t lower_case(std::uint64_t word) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  const std::uint64_t low_bits = word & (0x7f * kEach);
  const std::uint64_t from_a = low_bits + (0x80 - 'A') * kEach;
  const std::uint64_t beyond_z = low_bits + (0x80 - 'Z' - 1) * kEach;
  const std::uint64_t is_upper = (from_a ^ beyond_z) & ~word & (0x80 * kEach);
  return word | is_upper >> 2;
}

constexpr char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

std::uint64_t load_key(const char* name, std::size_t size, std::size_t readable) noexcept {
  if (size > 8) size = 8;
  if (readable < 8) return lower_case(key_of({name, size}));
  std::uint64_t word = 0;
  std::memcpy(&word, name, 8);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return lower_case(size == 8 ? word : word & ((std::uint64_t{1} << (8 * size)) - 1));
}

bool same_tail(const char* name, std::string_view known) noexcept {
  for (std::size_t i = 8; i < known.size(); ++i) {
    if (lower_case(name[i]) != known[i]) return false;
  }
  return true;
}

template <typename Row>
std::uint8_t find(const std::array<Slot, kSlots>& slots, const Row* rows, const char* name,
                  std::size_t size, std::size_t readable) noexcept {
  if (size == 0) return 0;
  const std::uint64_t key = load_key(name, size, readable);
  for (std::size_t i = slot_of(key); slots[i].size != 0; i = (i + 1) % kSlots) {
    const Slot& slot = slots[i];
    if (slot.key == key && slot.size == size &&
        (size <= 8 || same_tail(name, rows[slot.id].name))) {
      return slot.id;
    }
  }
  return 0;
}

}  // namespace

HtmlTag html_tag(const char* name, std::size_t size, std::size_t readable) noexcept {
  return static_cast<HtmlTag>(find(kTagSlots, kTags, name, size, readable));
}

HtmlAttribute html_attribute(const char* name, std::size_t size, std::size_t readable) noexcept {
  return static_cast<HtmlAttribute>(find(kAttributeSlots, kAttributes, name, size, readable));
}

HtmlTag html_tag(std::string_view name) noexcept {
  return html_tag(name.data(), name.size(), name.size());
}

HtmlAttribute html_attribute(std::string_view name) noexcept {
  return html_attribute(name.data(), name.size(), name.size());
}

std::string_view to_string(HtmlTag tag) noexcept {
  return kTags[static_cast<std::size_t>(tag)].name;
}

std::string_view to_string(HtmlAttribute attribute) noexcept {
  return kAttributes[static_cast<std::size_t>(attribute)].name;
}

const HtmlTagTraits& traits_of(HtmlTag tag) noexcept {
  return kTraits[static_cast<std::size_t>(tag)];
}

}  // namespace webstrata
