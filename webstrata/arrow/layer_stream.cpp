// SPDX-License-Identifier: Apache-2.0

// NodeRows walks along one direction of the layers and joins the sections of a node; the streams
// append what it yields to Arrow columns and return a table when it has about half a million items,
// so memory is bounded. Lists have 64-bit offsets. DocumentStream walks along both directions at
// once, since both are in the order of uids.
// Tested by tests/arrow/layer_stream_test.cpp.

#include "webstrata/arrow/layer_stream.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "webstrata/archive/gather/optional_facts.h"
#include "webstrata/archive/read/optional_scanner.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/base/error.h"

namespace webstrata::arrow {
namespace {

// A table is returned when it has about this many numbers and characters.
constexpr std::size_t kTableItems = std::size_t{1} << 19;

// ---- columns ------------------------------------------------------------------------------------

template <typename Value>
class Lists {
 public:
  template <typename From>
  void add(const std::vector<From>& from) {
    for (const From value : from) values_.push_back(static_cast<Value>(value));
    offsets_.push_back(static_cast<std::int64_t>(values_.size()));
  }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size() + offsets_.size(); }
  Column finish(std::string_view name) {
    Column items = number_column("item", std::exchange(values_, {}));
    return list_column(name, std::exchange(offsets_, {0}), {}, std::move(items));
  }

 private:
  std::vector<std::int64_t> offsets_ = {0};
  std::vector<Value> values_;
};

// For each node a list for each of its rows.
class RowLists {
 public:
  // `get` gives the value of an item.
  template <typename Item, typename Get>
  void add(const std::vector<std::uint32_t>& ends, const std::vector<Item>& items, const Get& get) {
    const auto first = static_cast<std::int64_t>(values_.size());
    for (const Item& item : items) values_.push_back(static_cast<std::int32_t>(get(item)));
    for (const std::uint32_t end : ends) row_offsets_.push_back(first + end);
    node_offsets_.push_back(static_cast<std::int64_t>(row_offsets_.size()) - 1);
  }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size() + row_offsets_.size(); }
  Column finish(std::string_view name) {
    Column items = number_column("item", std::exchange(values_, {}));
    Column rows = list_column("item", std::exchange(row_offsets_, {0}), {}, std::move(items));
    return list_column(name, std::exchange(node_offsets_, {0}), {}, std::move(rows));
  }

 private:
  std::vector<std::int64_t> node_offsets_ = {0};
  std::vector<std::int64_t> row_offsets_ = {0};
  std::vector<std::int32_t> values_;
};

// Keys are bytes; they happen to be ASCII.
Column as_bytes(Column text) {
  text.format = "Z";
  return text;
}

class KeyLists {
 public:
  void add(const Archive& archive, const std::vector<Uid>& nodes) {
    for (const Uid node : nodes) keys_.add(archive.key(node));
    count_ += static_cast<std::int64_t>(nodes.size());
    offsets_.push_back(count_);
  }
  [[nodiscard]] std::size_t size() const noexcept { return keys_.bytes() + offsets_.size(); }
  Column finish(std::string_view name) {
    count_ = 0;
    return list_column(name, std::exchange(offsets_, {0}), {}, as_bytes(keys_.finish("item")));
  }

 private:
  std::vector<std::int64_t> offsets_ = {0};
  std::int64_t count_ = 0;
  TextBuilder keys_;
};

class TextLists {
 public:
  void add(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) texts_.add(text);
    count_ += static_cast<std::int64_t>(texts.size());
    offsets_.push_back(count_);
  }
  Column finish(std::string_view name) {
    count_ = 0;
    return list_column(name, std::exchange(offsets_, {0}), {}, texts_.finish("item"));
  }

 private:
  std::vector<std::int64_t> offsets_ = {0};
  std::int64_t count_ = 0;
  TextBuilder texts_;
};

class SightingLists {
 public:
  void add(const std::vector<Sighting>& sightings) {
    for (const Sighting& one : sightings) {
      times_.push_back(one.time);
      kinds_.add(to_string(one.kind));
      statuses_.add(one.status ? std::optional<std::int32_t>(*one.status) : std::nullopt);
      outcomes_.add(to_string(one.outcome));
      digests_.add_or_null(one.digest);
      mimes_.add_or_null(one.mime);
      redirects_.add_or_null(one.redirect_target);
    }
    offsets_.push_back(static_cast<std::int64_t>(times_.size()));
  }
  [[nodiscard]] std::size_t size() const noexcept { return 8 * times_.size() + digests_.bytes(); }
  Column finish(std::string_view name) {
    Column fields = struct_column(
        "item", {number_column("time", std::exchange(times_, {})), kinds_.finish("kind"),
                 statuses_.finish("status"), outcomes_.finish("outcome"), digests_.finish("digest"),
                 mimes_.finish("mime"), redirects_.finish("redirect")});
    return list_column(name, std::exchange(offsets_, {0}), {}, std::move(fields));
  }

 private:
  std::vector<std::int64_t> offsets_ = {0};
  std::vector<std::int64_t> times_;
  TextBuilder kinds_;
  NumberBuilder<std::int32_t> statuses_;
  TextBuilder outcomes_;
  TextBuilder digests_;
  TextBuilder mimes_;
  TextBuilder redirects_;
};

// ---- rows of nodes ------------------------------------------------------------------------------

// The nodes of a range that have rows, one after the other; sections of a node are joined.
class NodeRows {
 public:
  NodeRows(const StackReader& stack, Direction direction, UidRange nodes)
      : scanner_(stack, direction), nodes_(nodes) {
    if (!nodes.empty()) scanner_.seek(stack.block_of(nodes.first));
  }

  // Moves on to the next node; empty at the end.
  std::optional<Uid> next() {
    if (nodes_.empty()) return std::nullopt;
    while (true) {
      auto uid = scanner_.next_node();
      for (; uid && *uid < nodes_.first; uid = scanner_.next_node()) scanner_.read(section_);
      if (!uid || *uid >= nodes_.end) return std::nullopt;
      scanner_.read(layers_);
      if (scanner_.next_node() == uid) join_sections(*uid);
      if (!layers_.times.empty()) return uid;  // not so if another stratum replaces its sources
    }
  }
  [[nodiscard]] const PageLayers& layers() const noexcept { return layers_; }

 private:
  void join_sections(Uid uid) {
    page_.clear();
    add(layers_);
    while (scanner_.next_node() == uid) {
      scanner_.read(section_);
      add(section_);
    }
    normalise(page_);
    to_layers(page_, layers_);
  }
  void add(PageLayers& section) {
    section.values.resize(section.ones.size());  // rows of in-links have none
    from_layers(section, more_);
    append(page_, more_);
  }

  StackRows scanner_;
  UidRange nodes_;
  PageLayers layers_;
  PageLayers section_;
  PageFacts page_;
  PageFacts more_;
};

std::uint32_t as_is(std::uint32_t place) { return place; }

// ---- streams ------------------------------------------------------------------------------------

class NamesStream : public TableStream {
 public:
  NamesStream(Archive archive, UidRange nodes) : archive_(std::move(archive)), nodes_(nodes) {}

  [[nodiscard]] Table schema() const override { return NamesStream(archive_, {}).table(); }
  std::optional<Table> next() override {
    if (nodes_.empty()) return std::nullopt;
    return table();
  }

 private:
  Table table() {
    std::vector<std::int64_t> uids;
    TextBuilder keys;
    TextBuilder urls;
    for (; !nodes_.empty() && keys.bytes() + urls.bytes() < 8 * kTableItems; ++nodes_.first) {
      uids.push_back(static_cast<std::int64_t>(nodes_.first));
      keys.add(archive_.key(nodes_.first));
      urls.add(archive_.url(nodes_.first));
    }
    const auto columns = entry_of(Layer::Names).columns;
    return {{number_column(columns[0].name, std::move(uids)),
             as_bytes(keys.finish(columns[1].name)), urls.finish(columns[2].name)}};
  }

  Archive archive_;
  UidRange nodes_;
};

class LayerStream : public TableStream {
 public:
  LayerStream(Archive archive, Layer layer, UidRange nodes)
      : archive_(std::move(archive)),
        layer_(layer),
        rows_(archive_.stack(), direction_of(layer), nodes) {}

  [[nodiscard]] Table schema() const override {
    return LayerStream(archive_, layer_, {}).finished();
  }
  std::optional<Table> next() override {
    while (const auto uid = rows_.next()) {
      add(*uid, rows_.layers());
      if (uids_.size() + numbers_.size() + first_.size() >= kTableItems) return finished();
    }
    if (uids_.empty()) return std::nullopt;
    return finished();
  }

 private:
  static Direction direction_of(Layer layer) {
    const bool is_in =
        layer == Layer::InLinks || layer == Layer::Ranges || layer == Layer::InPresence;
    return is_in ? Direction::In : Direction::Out;
  }

  void add(Uid uid, const PageLayers& layers) {
    uids_.push_back(static_cast<std::int64_t>(uid));
    if (layer_ == Layer::Links || layer_ == Layer::InLinks) numbers_.add(layers.links);
    if (layer_ == Layer::Times || layer_ == Layer::Ranges) numbers_.add(layers.times);
    if (layer_ == Layer::Presence || layer_ == Layer::InPresence) {
      first_.add(layers.one_ends, layers.ones, as_is);
    }
    if (layer_ != Layer::Kinds) return;
    first_.add(layers.one_ends, layers.values, [](LinkValue value) { return value.kinds; });
    second_.add(layers.one_ends, layers.values, [](LinkValue value) { return value.count; });
  }

  Table finished() {
    const auto columns = entry_of(layer_).columns;
    Table table = {{number_column(columns[0].name, std::exchange(uids_, {}))}};
    const bool has_lists_of_rows =
        layer_ == Layer::Presence || layer_ == Layer::InPresence || layer_ == Layer::Kinds;
    table.columns.push_back(has_lists_of_rows ? first_.finish(columns[1].name)
                                              : numbers_.finish(columns[1].name));
    if (layer_ == Layer::Kinds) table.columns.push_back(second_.finish(columns[2].name));
    return table;
  }

  Archive archive_;
  Layer layer_;
  NodeRows rows_;
  std::vector<std::int64_t> uids_;
  Lists<std::int64_t> numbers_;
  RowLists first_;
  RowLists second_;
};

// An optional layer, whatever it is: lists of numbers and of texts.
class OptionalStream : public TableStream {
 public:
  OptionalStream(Archive archive, Layer layer, UidRange nodes)
      : archive_(std::move(archive)),
        entry_(entry_of(layer)),
        nodes_(nodes),
        rows_(archive_.stack().stratum(0).layer(layer), entry_,
              archive_.stack().options().block_bits),
        numbers_(entry_.columns.size() - 1),
        texts_(entry_.columns.size() - 1) {}

  [[nodiscard]] Table schema() const override {
    return OptionalStream(archive_, entry_.layer, {}).finished();
  }
  std::optional<Table> next() override {
    std::size_t items = 0;
    for (; !nodes_.empty() && items < kTableItems; ++nodes_.first) {
      const LayerRow& row = archive_.stack().is_single() ? rows_.read(nodes_.first) : joined_row();
      if (item_count(row) == 0) continue;
      items += add(nodes_.first, row);
    }
    if (uids_.empty()) return std::nullopt;
    return finished();
  }

 private:
  // Of the next node, from all strata.
  const LayerRow& joined_row() {
    archive_.page(nodes_.first, page_, true);
    joined_ = row_of(entry_.layer, page_);
    return joined_;
  }

  // Gives the number of items and characters.
  std::size_t add(Uid uid, const LayerRow& row) {
    uids_.push_back(static_cast<std::int64_t>(uid));
    std::size_t items = 1;
    for (std::size_t i = 0; i < row.size(); ++i) {
      numbers_[i].add(row[i].numbers);
      texts_[i].add(row[i].texts);
      items += row[i].size();
      for (const std::string& text : row[i].texts) items += text.size();
    }
    return items;
  }

  Table finished() {
    Table table = {{number_column(entry_.columns[0].name, std::exchange(uids_, {}))}};
    for (std::size_t i = 0; i + 1 < entry_.columns.size(); ++i) {
      const LayerColumn& column = entry_.columns[i + 1];
      Column numbers = numbers_[i].finish(column.name);
      Column texts = texts_[i].finish(column.name);
      table.columns.push_back(column.type == "list<string>" ? std::move(texts)
                                                            : std::move(numbers));
    }
    return table;
  }

  Archive archive_;
  const LayerEntry& entry_;
  UidRange nodes_;
  OptionalScanner rows_;
  std::vector<std::int64_t> uids_;
  std::vector<Lists<std::int64_t>> numbers_;
  std::vector<TextLists> texts_;
  PageFacts page_;
  LayerRow joined_;
};

class DocumentStream : public TableStream {
 public:
  DocumentStream(Archive archive, UidRange nodes)
      : archive_(std::move(archive)),
        nodes_(nodes),
        out_(archive_.stack(), Direction::Out, nodes),
        in_(archive_.stack(), Direction::In, nodes),
        next_out_(out_.next()),
        next_in_(in_.next()) {}

  [[nodiscard]] Table schema() const override { return DocumentStream(archive_, {}).finished(); }
  std::optional<Table> next() override {
    if (nodes_.empty()) return std::nullopt;
    for (; !nodes_.empty() && size() < 8 * kTableItems; ++nodes_.first) add(nodes_.first);
    return finished();
  }

 private:
  void add(Uid uid) {
    keys_.add(archive_.key(uid));
    uids_.push_back(static_cast<std::int64_t>(uid));
    urls_.add(archive_.url(uid));
    const PageLayers& out = next_out_ == uid ? out_.layers() : none_;
    links_.add(archive_, out.links);
    times_.add(out.times);
    presence_.add(out.one_ends, out.ones, as_is);
    kinds_.add(out.one_ends, out.values, [](LinkValue value) { return value.kinds; });
    counts_.add(out.one_ends, out.values, [](LinkValue value) { return value.count; });
    sightings_.add(archive_.sightings(uid));
    const PageLayers& in = next_in_ == uid ? in_.layers() : none_;
    in_links_.add(archive_, in.links);
    ranges_.add(in.times);
    in_presence_.add(in.one_ends, in.ones, as_is);
    if (next_out_ == uid) next_out_ = out_.next();
    if (next_in_ == uid) next_in_ = in_.next();
  }

  [[nodiscard]] std::size_t size() const noexcept {
    return keys_.bytes() + urls_.bytes() + links_.size() + in_links_.size() + presence_.size() +
           in_presence_.size() + sightings_.size();
  }

  Table finished() {
    return {{as_bytes(keys_.finish("key")), number_column("uid", std::exchange(uids_, {})),
             urls_.finish("url"), links_.finish("links"), times_.finish("times"),
             presence_.finish("presence"), kinds_.finish("kinds"), counts_.finish("counts"),
             sightings_.finish("sightings"), in_links_.finish("in_links"), ranges_.finish("ranges"),
             in_presence_.finish("in_presence")}};
  }

  Archive archive_;
  UidRange nodes_;
  NodeRows out_;
  NodeRows in_;
  std::optional<Uid> next_out_;
  std::optional<Uid> next_in_;
  PageLayers none_;
  TextBuilder keys_;
  std::vector<std::int64_t> uids_;
  TextBuilder urls_;
  KeyLists links_;
  Lists<std::int64_t> times_;
  RowLists presence_;
  RowLists kinds_;
  RowLists counts_;
  SightingLists sightings_;
  KeyLists in_links_;
  Lists<std::int64_t> ranges_;
  RowLists in_presence_;
};

UidRange inside(const Archive& archive, UidRange nodes) {
  return {nodes.first, std::min(nodes.end, archive.node_count())};
}

}  // namespace

std::shared_ptr<TableStream> layer_stream(Archive archive, Layer layer, UidRange nodes) {
  if (layer == Layer::Sightings) {
    throw Error(ErrorKind::BadInput, "the layer of sightings is a stream of captures");
  }
  if (!archive.stack().has(layer)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("the archive has no layer {0}; build it with --{0}", to_string(layer)));
  }
  nodes = inside(archive, nodes);
  if (entry_of(layer).is_optional) {
    return std::make_shared<OptionalStream>(std::move(archive), layer, nodes);
  }
  if (layer == Layer::Names) return std::make_shared<NamesStream>(std::move(archive), nodes);
  return std::make_shared<LayerStream>(std::move(archive), layer, nodes);
}

std::shared_ptr<TableStream> document_stream(Archive archive, UidRange nodes) {
  nodes = inside(archive, nodes);
  return std::make_shared<DocumentStream>(std::move(archive), nodes);
}

}  // namespace webstrata::arrow
