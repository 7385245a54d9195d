// SPDX-License-Identifier: Apache-2.0

// The distinct texts of a chunk are its dictionary, coded as names are. What remains is which text
// a link has. Pages of a site share their menus, and links are in the order of their targets, so
// the text after "Home" is mostly the one that followed "Home" the last time. A run of such links
// is one number; only where the guess is wrong, or a link has several texts or had one for some
// time only, it is described:
//
//   gap      links without text before it
//   more     how many texts it has besides the first
//   which    the guess; the guess that was wrong last, on this page; a text that was named not long
//            ago, by its rank among those; or any, by its distance in the dictionary from the last
//            one that was named like this
//   span     all rows with the link; from the end of the text before it on; or two rows
//
// A chunk is decoded as a whole: it is small (2^16 texts unless a single node has more).
//
// Tested by tests/codec/texts_test.cpp.

#include "webstrata/codec/texts.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <limits>
#include <utility>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/names.h"
#include "webstrata/codec/token_coder.h"

namespace webstrata {
namespace {

constexpr std::uint64_t kTextNumberMax = std::uint64_t{1} << 32;  // of links and rows
constexpr std::uint32_t kNoText = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kRecentTexts = std::size_t{1} << 12;

enum TextReference : std::uint32_t { kExpected, kResumed, kRecent, kNamed };
enum TextSpanForm : std::uint32_t { kAlways, kFromEndBefore, kTwoRows };

enum TextContext : std::uint32_t {
  kTextEmptyNodes = 0,
  kTextLinks = 1,
  kTextRun = 2,  // at the beginning of a node; later
  kTextGap = kTextRun + 2,
  kTextMore = kTextGap + 1,
  kTextWhich = kTextMore + 1,       // by the reference before
  kTextWhichMore = kTextWhich + 4,  // the same for further texts of a link
  kTextRank = kTextWhichMore + 4,
  kTextDistance = kTextRank + 1,  // by the width of the distance before
  kTextForm = kTextDistance + 8,  // of a link's first text; of a further one
  kTextFirst = kTextForm + 2,
  kTextEnd = kTextFirst + 1,
  kTextContextCount = kTextEnd + 1,
};

[[noreturn]] void throw_corrupt_texts(const char* reason) {
  throw Error(ErrorKind::Corrupt, std::string("texts: ") + reason);
}

// What both sides know about the texts so far.
class TextModel {
 public:
  explicit TextModel(std::size_t word_count)
      : successors_(word_count + 1, kNoText), before_(static_cast<std::uint32_t>(word_count)) {}

  void begin_node() noexcept {
    before_ = static_cast<std::uint32_t>(successors_.size() - 1);
    missed_ = kNoText;
  }
  [[nodiscard]] std::uint32_t expected() const noexcept { return successors_[before_]; }
  [[nodiscard]] std::uint32_t resumed() const noexcept { return missed_; }

  // The rank of a text among those named last, from 0; or their number.
  [[nodiscard]] std::size_t rank(std::uint32_t text) const noexcept {
    return static_cast<std::size_t>(std::find(recent_.rbegin(), recent_.rend(), text) -
                                    recent_.rbegin());
  }
  [[nodiscard]] std::size_t recent_count() const noexcept { return recent_.size(); }
  [[nodiscard]] std::uint32_t recent(std::size_t rank) const noexcept {
    return recent_[recent_.size() - 1 - rank];
  }

  void take(std::uint32_t text, TextReference how) {
    if (how != kExpected && expected() != kNoText) missed_ = expected();
    if (how == kRecent) recent_.erase(recent_.end() - 1 - static_cast<std::ptrdiff_t>(rank(text)));
    if (how == kRecent || how == kNamed) recent_.push_back(text);
    if (recent_.size() > kRecentTexts) recent_.erase(recent_.begin());
    if (how == kNamed) last_named_ = text;
    successors_[before_] = text;
    before_ = text;
    last_reference_ = how;
  }

  [[nodiscard]] std::uint32_t which_context(bool is_further) const noexcept {
    const std::uint32_t first = is_further ? kTextWhichMore : kTextWhich;
    return first + static_cast<std::uint32_t>(last_reference_);
  }
  // The distance from the text after the last one that was named, in zigzag form, and back.
  [[nodiscard]] std::uint64_t distance(std::uint32_t text) const noexcept {
    const std::int64_t by = std::int64_t{text} - last_named_ - 1;
    return by >= 0 ? 2 * static_cast<std::uint64_t>(by) : 2 * static_cast<std::uint64_t>(-by) - 1;
  }
  [[nodiscard]] std::int64_t at_distance(std::uint64_t code) const noexcept {
    const auto half = static_cast<std::int64_t>(code / 2);
    return last_named_ + 1 + (code % 2 == 0 ? half : -half - 1);
  }
  [[nodiscard]] std::uint32_t distance_context() const noexcept { return distance_context_; }
  void note_distance(std::uint64_t code) noexcept {
    distance_context_ =
        kTextDistance +
        std::min<std::uint32_t>(static_cast<std::uint32_t>(std::bit_width(code)) / 2, 7);
  }

 private:
  std::vector<std::uint32_t> successors_;  // by the text before; the last one: of a node's first
  std::vector<std::uint32_t> recent_;      // the latest last, each once
  std::uint32_t before_;
  std::uint32_t missed_ = kNoText;
  std::int64_t last_named_ = -1;
  std::uint32_t distance_context_ = kTextDistance;
  TextReference last_reference_ = kExpected;
};

// The distinct texts of a chunk, ascending.
std::vector<std::string_view> words_of(std::span<const LayerRow> nodes) {
  std::vector<std::string_view> words;
  for (const LayerRow& row : nodes) {
    if (!row.empty()) words.insert(words.end(), row[1].texts.begin(), row[1].texts.end());
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

void append_dictionary(std::string& out, const std::vector<std::string_view>& words) {
  std::vector<std::string> parts;
  KeyList part;
  const auto close = [&] {
    if (part.size() > 0) parts.push_back(encode_names(part));
    part.clear();
  };
  for (const std::string_view word : words) {
    if (part.size() == kChunkKeys || part.bytes.size() + word.size() > kChunkKeyBytes) close();
    part.add(word);
  }
  close();
  append_varint(out, parts.size());
  for (const std::string& bytes : parts) {
    append_varint(out, bytes.size());
    out += bytes;
  }
}

// The columns of a row.
struct TextLists {
  std::span<const std::int64_t> links;
  std::span<const std::string> texts;
  std::span<const std::int64_t> first_rows;
  std::span<const std::int64_t> end_rows;

  explicit TextLists(const LayerRow& row)
      : links(row[0].numbers),
        texts(row[1].texts),
        first_rows(row[2].numbers),
        end_rows(row[3].numbers) {}
  [[nodiscard]] std::size_t size() const noexcept { return links.size(); }
  [[nodiscard]] bool is_always(std::size_t item) const noexcept {
    return first_rows[item] == 0 && end_rows[item] == 0;
  }
  // Where the texts of the link of `item` end.
  [[nodiscard]] std::size_t link_end(std::size_t item) const noexcept {
    std::size_t end = item + 1;
    while (end < size() && links[end] == links[item]) ++end;
    return end;
  }
  [[nodiscard]] std::size_t link_count() const noexcept {
    std::size_t count = 0;
    for (std::size_t item = 0; item < size(); item = link_end(item)) ++count;
    return count;
  }
};

class TextWriter {
 public:
  explicit TextWriter(const std::vector<std::string_view>& words)
      : words_(words), model_(words.size()), out_(kTextContextCount) {}

  void write(const LayerRow& row) {
    if (item_count(row) == 0) {
      ++empty_nodes_;
      return;
    }
    out_.put(kTextEmptyNodes, std::exchange(empty_nodes_, 0));
    model_.begin_node();
    const TextLists lists(row);
    std::uint64_t links_left = lists.link_count();
    out_.put(kTextLinks, links_left - 1);
    std::int64_t next_link = 0;
    for (std::size_t item = 0; item < lists.size();) {
      const std::size_t run_start = item;
      std::uint64_t run = 0;
      for (; item < lists.size() && is_plain(lists, item, next_link); ++item, ++run) {
        model_.take(model_.expected(), kExpected);
        ++next_link;
      }
      out_.put(run_start == 0 ? kTextRun : kTextRun + 1, run == links_left ? 0 : run + 1);
      if (item == lists.size()) break;
      links_left -= run + 1;
      const std::size_t end = lists.link_end(item);
      out_.put(kTextGap, static_cast<std::uint64_t>(lists.links[item] - next_link));
      out_.put(kTextMore, end - item - 1);
      next_link = lists.links[item] + 1;
      for (std::size_t first = item; item < end; ++item) put_text(lists, item, item > first);
    }
  }

  EncodedTokens finish() { return out_.finish(); }

 private:
  // The next link, with the expected text alone, in all its rows.
  [[nodiscard]] bool is_plain(const TextLists& lists, std::size_t item, std::int64_t next) const {
    return lists.links[item] == next && lists.is_always(item) &&
           (item + 1 == lists.size() || lists.links[item + 1] != next) &&
           model_.expected() != kNoText && words_[model_.expected()] == lists.texts[item];
  }

  void put_text(const TextLists& lists, std::size_t item, bool is_further) {
    const auto word = std::ranges::lower_bound(words_, std::string_view(lists.texts[item]));
    put_reference(static_cast<std::uint32_t>(word - words_.begin()), is_further);
    const auto first = static_cast<std::uint64_t>(lists.first_rows[item]);
    const auto end = static_cast<std::uint64_t>(lists.end_rows[item]);
    const std::uint32_t context = kTextForm + (is_further ? 1 : 0);
    if (lists.is_always(item)) {
      out_.put(context, kAlways);
    } else if (is_further && end == 0 && lists.first_rows[item] == lists.end_rows[item - 1]) {
      out_.put(context, kFromEndBefore);
    } else {
      out_.put(context, kTwoRows);
      out_.put(kTextFirst, first);
      out_.put(kTextEnd, end == 0 ? 0 : end - first);
    }
  }

  void put_reference(std::uint32_t text, bool is_further) {
    const std::uint32_t context = model_.which_context(is_further);
    if (text == model_.expected()) {
      out_.put(context, kExpected);
      model_.take(text, kExpected);
    } else if (text == model_.resumed()) {
      out_.put(context, kResumed);
      model_.take(text, kResumed);
    } else if (const std::size_t rank = model_.rank(text); rank < model_.recent_count()) {
      out_.put(context, kRecent);
      out_.put(kTextRank, rank);
      model_.take(text, kRecent);
    } else {
      out_.put(context, kNamed);
      const std::uint64_t distance = model_.distance(text);
      out_.put(model_.distance_context(), distance);
      model_.note_distance(distance);
      model_.take(text, kNamed);
    }
  }

  const std::vector<std::string_view>& words_;
  TextModel model_;
  TokenWriter out_;
  std::uint64_t empty_nodes_ = 0;
};

class TextReader {
 public:
  TextReader(const std::vector<std::string>& words, const TokenTables& tables,
             std::string_view stream, std::uint64_t items)
      : words_(words), model_(words.size()), in_(tables, stream), items_left_(items) {}

  void read(std::vector<LayerRow>& nodes) {
    std::uint64_t node = 0;
    while (items_left_ > 0) {
      const std::uint64_t skipped = in_.get(kTextEmptyNodes);
      if (skipped >= nodes.size() - node) throw_corrupt_texts("a node beyond the chunk's");
      node += skipped;
      read_node(nodes[node++]);
      if (node == nodes.size() && items_left_ > 0) throw_corrupt_texts("too few texts");
    }
  }

 private:
  void read_node(LayerRow& row) {
    row.resize(4);
    model_.begin_node();
    next_link_ = 0;
    std::uint64_t links = in_.get(kTextLinks);
    if (links >= items_left_) throw_corrupt_texts("more links than texts");
    ++links;
    for (bool is_first = true; links > 0; is_first = false) {
      const std::uint64_t code = in_.get(is_first ? kTextRun : kTextRun + 1);
      if (code > links || links > items_left_) throw_corrupt_texts("a run beyond the node's links");
      const std::uint64_t run = code == 0 ? links : code - 1;
      for (std::uint64_t i = 0; i < run; ++i) {
        add(row, next_link_++, take(model_.expected(), kExpected), 0, 0);
      }
      links -= run;
      if (links == 0) break;
      read_link(row);
      --links;
    }
  }

  void read_link(LayerRow& row) {
    const std::uint64_t gap = in_.get(kTextGap);
    if (gap >= kTextNumberMax - next_link_) throw_corrupt_texts("a link that is too far");
    const std::uint64_t link = next_link_ + gap;
    const std::uint64_t more = in_.get(kTextMore);
    if (more >= items_left_) throw_corrupt_texts("more texts than stated");
    for (std::uint64_t i = 0; i <= more; ++i) read_text(row, link, i > 0);
    next_link_ = link + 1;
  }

  void read_text(LayerRow& row, std::uint64_t link, bool is_further) {
    const std::uint32_t text = read_reference(is_further);
    const std::uint64_t form = in_.get(kTextForm + (is_further ? 1 : 0));
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    if (form == kFromEndBefore) {
      if (!is_further) throw_corrupt_texts("no text before it");
      first = static_cast<std::uint64_t>(row[3].numbers.back());
    } else if (form == kTwoRows) {
      first = in_.get(kTextFirst);
      const std::uint64_t length = in_.get(kTextEnd);
      if (first >= kTextNumberMax || length >= kTextNumberMax) throw_corrupt_texts("a row too far");
      end = length == 0 ? 0 : first + length;
    } else if (form != kAlways) {
      throw_corrupt_texts("an unknown form of rows");
    }
    const auto last_first = is_further ? static_cast<std::uint64_t>(row[2].numbers.back()) : 0;
    const bool ascends = !is_further || last_first < first ||
                         (last_first == first && row[1].texts.back() < words_[text]);
    if (!ascends) throw_corrupt_texts("texts of a link are out of order");
    add(row, link, text, first, end);
  }

  std::uint32_t read_reference(bool is_further) {
    const std::uint64_t how = in_.get(model_.which_context(is_further));
    if (how == kExpected) return take(model_.expected(), kExpected);
    if (how == kResumed) return take(model_.resumed(), kResumed);
    if (how == kRecent) {
      const std::uint64_t rank = in_.get(kTextRank);
      if (rank >= model_.recent_count()) throw_corrupt_texts("a rank beyond the recent texts");
      return take(model_.recent(rank), kRecent);
    }
    if (how != kNamed) throw_corrupt_texts("an unknown reference");
    const std::uint64_t distance = in_.get(model_.distance_context());
    if (distance >= kTextNumberMax) throw_corrupt_texts("a text beyond the dictionary");
    const std::int64_t text = model_.at_distance(distance);
    if (text < 0 || text >= static_cast<std::int64_t>(words_.size())) {
      throw_corrupt_texts("a text beyond the dictionary");
    }
    model_.note_distance(distance);
    return take(static_cast<std::uint32_t>(text), kNamed);
  }

  std::uint32_t take(std::uint32_t text, TextReference how) {
    if (text == kNoText) throw_corrupt_texts("a guess where there is none");
    model_.take(text, how);
    return text;
  }

  void add(LayerRow& row, std::uint64_t link, std::uint32_t text, std::uint64_t first,
           std::uint64_t end) {
    if (items_left_ == 0) throw_corrupt_texts("more texts than stated");
    --items_left_;
    row[0].numbers.push_back(static_cast<std::int64_t>(link));
    row[1].texts.push_back(words_[text]);
    row[2].numbers.push_back(static_cast<std::int64_t>(first));
    row[3].numbers.push_back(static_cast<std::int64_t>(end));
  }

  const std::vector<std::string>& words_;
  TextModel model_;
  TokenReader in_;
  std::uint64_t items_left_;
  std::uint64_t next_link_ = 0;
};

std::vector<std::string> read_dictionary(ByteReader& bytes) {
  std::vector<std::string> words;
  KeyList part;
  for (std::uint64_t parts = bytes.varint(); parts > 0; --parts) {
    NamesChunk::open(bytes.take(bytes.varint())).decode(part);
    for (std::size_t i = 0; i < part.size(); ++i) words.emplace_back(part[i]);
    if (words.size() > kTextItemsMax) throw_corrupt_texts("too many texts");
  }
  return words;
}

}  // namespace

std::string encode_texts(std::span<const LayerRow> nodes) {
  std::uint64_t items = 0;
  for (const LayerRow& row : nodes) items += item_count(row);
  assert(items <= kTextItemsMax);
  std::string bytes;
  append_varint(bytes, nodes.size());
  append_varint(bytes, items);
  if (items == 0) return bytes;
  const std::vector<std::string_view> words = words_of(nodes);
  append_dictionary(bytes, words);
  TextWriter writer(words);
  for (const LayerRow& row : nodes) writer.write(row);
  const EncodedTokens encoded = writer.finish();
  return bytes + encoded.tables + encoded.stream;
}

std::vector<LayerRow> decode_texts(std::string_view chunk) {
  ByteReader bytes(chunk, "texts");
  const std::uint64_t nodes = bytes.varint();
  const std::uint64_t items = bytes.varint();
  if (nodes == 0 || nodes > kChunkNodesMax) throw_corrupt_texts("too many or no nodes");
  if (items > kTextItemsMax) throw_corrupt_texts("too many texts");
  std::vector<LayerRow> rows(nodes);
  if (items == 0) return rows;
  const std::vector<std::string> words = read_dictionary(bytes);
  const TokenTables tables = TokenTables::open(bytes, kTextContextCount);
  TextReader(words, tables, bytes.take(bytes.remaining()), items).read(rows);
  return rows;
}

}  // namespace webstrata
