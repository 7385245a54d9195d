// SPDX-License-Identifier: Apache-2.0

// Tables, columns and streams of tables: the protocols by which other libraries take them.
// Tested by tests/python/arrow_test.py.

#include <nanobind/ndarray.h>

#include "python/core/bindings.h"
#include "webstrata/arrow/export.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

using arrow::Column;
using arrow::Table;
using arrow::TableStream;

template <typename Structure>
void destroy(PyObject* capsule) {
  auto* structure =
      static_cast<Structure*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  if (structure->release != nullptr) structure->release(structure);
  delete structure;
}

// A capsule whose structure `fill` fills; nobody who takes it over has to know us.
template <typename Structure, typename Fill>
nb::object capsule_of(const char* name, Fill fill) {
  auto structure = std::make_unique<Structure>();
  fill(structure.get());
  const nb::object capsule = nb::steal(PyCapsule_New(structure.get(), name, destroy<Structure>));
  if (!capsule.is_valid()) throw nb::python_error();
  structure.release();
  return capsule;
}

template <typename Owner>
nb::object schema_capsule(const Owner& owner) {
  return capsule_of<ArrowSchema>("arrow_schema",
                                 [&](ArrowSchema* out) { arrow::export_schema(owner, out); });
}

template <typename Owner>
nb::tuple array_capsules(const Owner& owner) {
  return nb::make_tuple(schema_capsule(owner),
                        capsule_of<ArrowArray>("arrow_array", [&](ArrowArray* out) {
                          arrow::export_array(owner, out);
                        }));
}

// Another library may wait for a table without giving up the GIL, which a file object that is being
// read may need.
class WaitingWithoutGil : public TableStream {
 public:
  explicit WaitingWithoutGil(std::shared_ptr<TableStream> stream) : stream_(std::move(stream)) {}
  [[nodiscard]] Table schema() const override { return stream_->schema(); }
  std::optional<Table> next() override {
    if (PyGILState_Check() == 0) return stream_->next();
    const nb::gil_scoped_release release;
    return stream_->next();
  }

 private:
  std::shared_ptr<TableStream> stream_;
};

nb::object stream_capsule(std::shared_ptr<TableStream> stream) {
  const auto waiting = std::make_shared<WaitingWithoutGil>(std::move(stream));
  return capsule_of<ArrowArrayStream>(
      "arrow_array_stream", [&](ArrowArrayStream* out) { arrow::export_stream(waiting, out); });
}

// The type of the numbers in a column; times are numbers of 64 bits here.
nb::dlpack::dtype dtype_of(const Column& column) {
  using Code = nb::dlpack::dtype_code;
  const char letter = column.format[0] == 't' ? 'l' : column.format[0];
  switch (letter) {
    case 'c':
      return nb::dtype<std::int8_t>();
    case 'C':
      return nb::dtype<std::uint8_t>();
    case 's':
      return nb::dtype<std::int16_t>();
    case 'i':
      return nb::dtype<std::int32_t>();
    case 'I':
      return nb::dtype<std::uint32_t>();
    case 'l':
      return nb::dtype<std::int64_t>();
    case 'L':
      return nb::dtype<std::uint64_t>();
    case 'g':
      return nb::dtype<double>();
    default:
      return {static_cast<std::uint8_t>(Code::Float), 0, 0};
  }
}

using View = nb::ndarray<nb::numpy, nb::ro>;

// The column's own memory.
View numpy_view(const Column& column) {
  const auto type = dtype_of(column);
  if (type.bits == 0) {
    throw Error(ErrorKind::BadInput, column.name +
                                         ": only columns of numbers are NumPy arrays; "
                                         "use pylist(), or a table's to_pandas()");
  }
  const std::size_t shape[] = {static_cast<std::size_t>(column.length)};
  auto owner = std::make_unique<arrow::Buffer>(column.buffers[1]);
  const nb::capsule keeper(
      owner.get(), [](void* buffer) noexcept { delete static_cast<arrow::Buffer*>(buffer); });
  return {owner.release()->get(), 1, shape, keeper, nullptr, type};
}

nb::object value_at(const Column& column, std::int64_t row);

nb::object number_at(const Column& column, std::int64_t row) {
  const auto at = static_cast<std::size_t>(row);
  switch (column.format[0]) {
    case 'c':
      return nb::cast(column.values<std::int8_t>()[at]);
    case 'C':
      return nb::cast(column.values<std::uint8_t>()[at]);
    case 's':
      return nb::cast(column.values<std::int16_t>()[at]);
    case 'i':
      return nb::cast(column.values<std::int32_t>()[at]);
    case 'I':
      return nb::cast(column.values<std::uint32_t>()[at]);
    case 'L':
      return nb::cast(column.values<std::uint64_t>()[at]);
    case 'g':
      return nb::cast(column.values<double>()[at]);
    default:
      return nb::cast(column.values<std::int64_t>()[at]);
  }
}

nb::object list_at(const Column& column, std::int64_t row) {
  const auto* offsets = static_cast<const std::int64_t*>(column.buffers[1].get());
  nb::list items;
  for (std::int64_t i = offsets[row]; i < offsets[row + 1]; ++i) {
    items.append(value_at(column.children.front(), i));
  }
  return items;
}

nb::object struct_at(const Column& column, std::int64_t row) {
  nb::list fields;
  for (const Column& child : column.children) fields.append(value_at(child, row));
  return nb::tuple(fields);
}

nb::object value_at(const Column& column, std::int64_t row) {
  if (column.is_null(row)) return nb::none();
  if (column.dictionary) {
    Column numbers = column;
    numbers.dictionary = nullptr;
    return value_at(*column.dictionary, nb::cast<std::int64_t>(number_at(numbers, row)));
  }
  if (column.format == "U") return text_of(column.text(row));
  if (column.format == "+L") return list_at(column, row);
  if (column.format == "+s") return struct_at(column, row);
  if (column.format == "b") {
    const auto* bits = static_cast<const std::uint8_t*>(column.buffers[1].get());
    return nb::cast((bits[row / 8] >> (row % 8) & 1) != 0);
  }
  return number_at(column, row);
}

nb::list pylist(const Column& column, std::int64_t first, std::optional<std::int64_t> end) {
  nb::list values;
  const std::int64_t last = std::min(end.value_or(column.length), column.length);
  for (std::int64_t row = std::max<std::int64_t>(first, 0); row < last; ++row) {
    values.append(value_at(column, row));
  }
  return values;
}

void bind_column(nb::module_& module) {
  nb::class_<Column>(module, "Column")
      .def_ro("name", &Column::name)
      .def_ro("format", &Column::format)
      .def_ro("null_count", &Column::null_count)
      .def("named", &Column::named, "name"_a)
      .def(
          "standing_for",
          [](const Column& numbers, const Column& dictionary) {
            return arrow::dictionary_column(numbers, std::make_shared<const Column>(dictionary));
          },
          "dictionary"_a)
      .def("__len__", [](const Column& column) { return column.length; })
      .def("numpy", numpy_view)
      .def("pylist", pylist, "first"_a = 0, "end"_a = nb::none())
      .def("__arrow_c_schema__", [](const Column& column) { return schema_capsule(column); })
      .def(
          "__arrow_c_array__",
          [](const Column& column, const nb::object&) { return array_capsules(column); },
          "requested_schema"_a = nb::none());
  module.def(
      "text_column",
      [](std::string_view name, const std::vector<std::optional<std::string>>& texts) {
        arrow::TextBuilder builder;
        for (const auto& text : texts) text ? builder.add(*text) : builder.add_null();
        return builder.finish(name);
      },
      "name"_a, "texts"_a);
}

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "Table")
      .def(
          "__init__",
          [](Table* table, std::vector<Column> columns) { new (table) Table{std::move(columns)}; },
          "columns"_a)
      .def_ro("columns", &Table::columns)
      .def("__len__", &Table::row_count)
      .def(
          "column",
          [](const Table& table, std::string_view name) {
            if (const Column* column = table.find(name)) return *column;
            std::string names;
            for (const Column& column : table.columns) names += " " + column.name;
            throw Error(ErrorKind::NotFound,
                        "no column " + std::string(name) + " in this table; it has" + names);
          },
          "name"_a)
      .def("__arrow_c_schema__", [](const Table& table) { return schema_capsule(table); })
      .def(
          "__arrow_c_array__",
          [](const Table& table, const nb::object&) { return array_capsules(table); },
          "requested_schema"_a = nb::none())
      .def(
          "__arrow_c_stream__",
          [](const Table& table, const nb::object&) {
            return stream_capsule(arrow::stream_of(table));
          },
          "requested_schema"_a = nb::none());
}

}  // namespace

void bind_tables(nb::module_& module) {
  bind_column(module);
  bind_table(module);
  nb::class_<TableStream>(module, "TableStream")
      .def("schema", &TableStream::schema)
      .def("next", &TableStream::next, nb::call_guard<nb::gil_scoped_release>())
      .def("__arrow_c_schema__",
           [](const TableStream& stream) { return schema_capsule(stream.schema()); })
      .def(
          "__arrow_c_stream__",
          [](std::shared_ptr<TableStream> stream, const nb::object&) {
            return stream_capsule(std::move(stream));
          },
          "requested_schema"_a = nb::none());
}

}  // namespace webstrata
