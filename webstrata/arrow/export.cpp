// SPDX-License-Identifier: Apache-2.0

// Each exported structure owns what it points to through `private_data`: a copy of the column
// (whose buffers are shared) and the arrays of pointers that the interface wants. Tested by
// tests/arrow/export_test.cpp and tests/python/arrow_test.py.

#include "webstrata/arrow/export.h"

#include <cerrno>
#include <exception>
#include <string>

namespace webstrata::arrow {
namespace {

template <typename Structure>
void release_if_there(Structure* structure) {
  if (structure != nullptr && structure->release != nullptr) structure->release(structure);
}

struct SchemaKeeper {
  std::string format;
  std::string name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
  ArrowSchema dictionary = {};
};

struct ArrayKeeper {
  std::vector<Buffer> owners;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  ArrowArray dictionary = {};
};

// A consumer may have moved children away; those have a null `release` by then.
template <typename Structure, typename Keeper>
void release(Structure* structure) {
  for (std::int64_t i = 0; i < structure->n_children; ++i) release_if_there(structure->children[i]);
  release_if_there(structure->dictionary);
  delete static_cast<Keeper*>(structure->private_data);
  structure->release = nullptr;
}

template <typename Structure, typename Keeper, typename Export>
void export_children(const Column& column, Keeper& keeper, Structure* out, Export export_one) {
  keeper.children.resize(column.children.size());
  for (std::size_t i = 0; i < column.children.size(); ++i) {
    export_one(column.children[i], &keeper.children[i]);
    keeper.pointers.push_back(&keeper.children[i]);
  }
  out->n_children = static_cast<std::int64_t>(keeper.children.size());
  out->children = keeper.pointers.data();
  if (column.dictionary) {
    export_one(*column.dictionary, &keeper.dictionary);
    out->dictionary = &keeper.dictionary;
  }
}

Column as_column(const Table& table) {
  Column column = struct_column("", table.columns);
  column.length = table.row_count();
  column.is_nullable = false;
  return column;
}

class OneTable : public TableStream {
 public:
  explicit OneTable(Table table) : table_(std::move(table)) {}
  [[nodiscard]] Table schema() const override { return schema_; }
  std::optional<Table> next() override { return std::exchange(table_, std::nullopt); }

 private:
  std::optional<Table> table_;
  Table schema_ = *table_;
};

struct StreamKeeper {
  std::shared_ptr<TableStream> stream;
  std::string error;
};

StreamKeeper& keeper_of(ArrowArrayStream* stream) {
  return *static_cast<StreamKeeper*>(stream->private_data);
}

// Exceptions may not leave a C interface.
template <typename Step>
int guarded(ArrowArrayStream* stream, Step step) {
  try {
    step(*keeper_of(stream).stream);
    return 0;
  } catch (const std::exception& error) {
    keeper_of(stream).error = error.what();
  } catch (...) {
    keeper_of(stream).error = "stopped";
  }
  return EIO;
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return guarded(stream, [out](TableStream& tables) { export_schema(tables.schema(), out); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return guarded(stream, [out](TableStream& tables) {
    *out = {};  // a released array marks the end
    if (const auto table = tables.next()) export_array(*table, out);
  });
}

const char* get_last_error(ArrowArrayStream* stream) { return keeper_of(stream).error.c_str(); }

void release_stream(ArrowArrayStream* stream) {
  delete &keeper_of(stream);
  stream->release = nullptr;
}

}  // namespace

void export_schema(const Column& column, ArrowSchema* out) {
  auto keeper = std::make_unique<SchemaKeeper>();
  keeper->format = column.format;
  keeper->name = column.name;
  *out = {};
  export_children(column, *keeper, out,
                  [](const Column& child, ArrowSchema* schema) { export_schema(child, schema); });
  out->format = keeper->format.c_str();
  out->name = keeper->name.c_str();
  out->flags = column.is_nullable ? ARROW_FLAG_NULLABLE : 0;
  out->release = release<ArrowSchema, SchemaKeeper>;
  out->private_data = keeper.release();
}

void export_array(const Column& column, ArrowArray* out) {
  auto keeper = std::make_unique<ArrayKeeper>();
  keeper->owners = column.buffers;
  for (const Buffer& buffer : keeper->owners) keeper->buffers.push_back(buffer.get());
  *out = {};
  export_children(column, *keeper, out,
                  [](const Column& child, ArrowArray* array) { export_array(child, array); });
  out->length = column.length;
  out->null_count = column.null_count;
  out->n_buffers = static_cast<std::int64_t>(keeper->buffers.size());
  out->buffers = keeper->buffers.data();
  out->release = release<ArrowArray, ArrayKeeper>;
  out->private_data = keeper.release();
}

void export_schema(const Table& table, ArrowSchema* out) { export_schema(as_column(table), out); }

void export_array(const Table& table, ArrowArray* out) { export_array(as_column(table), out); }

std::shared_ptr<TableStream> stream_of(Table table) {
  return std::make_shared<OneTable>(std::move(table));
}

void export_stream(std::shared_ptr<TableStream> stream, ArrowArrayStream* out) {
  *out = {};
  out->private_data = new StreamKeeper{std::move(stream), {}};
  out->get_schema = get_schema;
  out->get_next = get_next;
  out->get_last_error = get_last_error;
  out->release = release_stream;
}

}  // namespace webstrata::arrow
