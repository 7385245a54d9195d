// SPDX-License-Identifier: Apache-2.0

// One column per field: FieldColumn chooses the Arrow type by the type of the field, so a new field
// of a sighting needs one entry in kSightingColumns. Links are a list of structs.
// common_crawl_builder.cpp makes the columns of Common Crawl's index.
// Tested by tests/arrow/capture_table_test.cpp and tests/python/read_test.py.

#include "webstrata/arrow/capture_table.h"

#include <tuple>
#include <utility>

#include "webstrata/arrow/common_crawl_builder.h"
#include "webstrata/facts/sighting_list.h"

namespace webstrata::arrow {
namespace {

// The links of all rows, in order.
class LinksBuilder {
 public:
  void add(const Capture& capture) {
    for (std::size_t i = 0; i < capture.links.size(); ++i) add(capture.links[i]);
    ends_.push_back(ends_.back() + static_cast<std::int64_t>(capture.links.size()));
    known_.add(capture.links_known);
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return url_.bytes() + kinds_.bytes() + count_.bytes() + text_.bytes() + context_.bytes();
  }
  Column finish(std::string_view name) {
    Column items =
        struct_column("item", {url_.finish("url"), kinds_.finish("kinds"), count_.finish("count"),
                               text_.finish("text"), context_.finish("context")});
    Column column = list_column(name, std::move(ends_), std::exchange(known_, {}), items);
    ends_ = {0};
    return column;
  }

 private:
  void add(const Link& link) {
    url_.add(link.target);
    kinds_.add(to_string(link.kinds));
    count_.add(link.count);
    text_.add_or_null(link.text);
    context_.add_or_null(link.context);
  }

  std::vector<std::int64_t> ends_ = {0};
  Validity known_;
  TextBuilder url_;
  TextBuilder kinds_;
  NumberBuilder<std::uint8_t> count_;
  TextBuilder text_;
  TextBuilder context_;
};

// The column of a field of a sighting, by the type of the field.
template <typename Value>
struct FieldColumn {  // an enumeration, by its name
  TextBuilder builder;
  void add(Value value) { builder.add(to_string(value)); }
};
template <>
struct FieldColumn<std::string> {
  TextBuilder builder;
  void add(const std::string& text) { builder.add_or_null(text); }
};
template <>
struct FieldColumn<bool> {
  BoolBuilder builder;
  void add(bool truth) { builder.add(truth); }
};
template <>
struct FieldColumn<Time> {
  NumberBuilder<Time> builder{kTimeFormat};
  void add(Time time) { builder.add(time); }
};
template <>
struct FieldColumn<std::optional<Time>> {
  NumberBuilder<Time> builder{kTimeFormat};
  void add(const std::optional<Time>& time) { builder.add(time); }
};
template <>
struct FieldColumn<std::optional<std::int16_t>> {
  NumberBuilder<std::int16_t> builder;
  void add(const std::optional<std::int16_t>& number) { builder.add(number); }
};
template <>
struct FieldColumn<std::optional<std::uint64_t>> {
  NumberBuilder<std::int64_t> builder;  // what other libraries handle best
  void add(const std::optional<std::uint64_t>& number) {
    builder.add(number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt);
  }
};

// A column for each field of kSightingColumns.
class SightingColumns {
 public:
  void add(const Sighting& sighting) {
    each([&](const auto& field, auto& column) { column.add(sighting.*field.member); });
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t bytes = 0;
    each([&](const auto&, auto& column) {
      if constexpr (requires { column.builder.bytes(); }) bytes += column.builder.bytes();
    });
    return bytes;
  }
  void finish(std::vector<Column>& out) {
    each(
        [&](const auto& field, auto& column) { out.push_back(column.builder.finish(field.name)); });
  }

 private:
  template <typename... Value>
  static std::tuple<FieldColumn<Value>...> columns_of(const std::tuple<SightingField<Value>...>&);

  template <typename Visit>
  void each(const Visit& visit) {
    walk(columns_, visit);
  }
  template <typename Visit>
  void each(const Visit& visit) const {
    walk(columns_, visit);
  }
  template <typename Columns, typename Visit>
  static void walk(Columns& columns, const Visit& visit) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (visit(std::get<i>(kSightingColumns), std::get<i>(columns)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<Columns>>());
  }

  decltype(columns_of(kSightingColumns)) columns_;
};

class OwnBuilder : public CaptureBuilder {
 public:
  void add(const Capture& capture) override {
    sighting_.add(capture.sighting);
    title_.add_or_null(capture.title);
    text_.add_or_null(capture.text);
    links_.add(capture);
    ++rows_;
  }
  [[nodiscard]] std::int64_t row_count() const override { return rows_; }
  [[nodiscard]] std::size_t bytes() const override {
    return sighting_.bytes() + title_.bytes() + text_.bytes() + links_.bytes();
  }
  Table finish() override {
    rows_ = 0;
    Table table;
    sighting_.finish(table.columns);
    table.columns.push_back(title_.finish("title"));
    table.columns.push_back(text_.finish("text"));
    table.columns.push_back(links_.finish("links"));
    return table;
  }

 private:
  std::int64_t rows_ = 0;
  SightingColumns sighting_;
  TextBuilder title_;
  TextBuilder text_;
  LinksBuilder links_;
};

}  // namespace

std::optional<CaptureSchema> parse_capture_schema(std::string_view name) noexcept {
  if (name == "webstrata") return CaptureSchema::Webstrata;
  if (name == "commoncrawl") return CaptureSchema::CommonCrawl;
  return std::nullopt;
}

std::unique_ptr<CaptureBuilder> make_capture_builder(CaptureSchema schema) {
  if (schema == CaptureSchema::CommonCrawl) return make_common_crawl_builder();
  return std::make_unique<OwnBuilder>();
}

}  // namespace webstrata::arrow
