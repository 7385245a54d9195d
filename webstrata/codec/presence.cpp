// Tested by tests/codec/presence_test.cpp.

#include "webstrata/codec/presence.h"

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"

namespace webstrata {

struct PresenceChunk::State {
  PresenceRows rows;
};

std::string encode_presence(const PresenceRows& rows) {
  std::string bytes;
  append_varint(bytes, rows.node_count());
  for (std::size_t node = 0; node < rows.node_count(); ++node) {
    append_varint(bytes, rows.row_count(node));
    for (std::size_t row = rows.first_row(node); row < rows.row_ends[node]; ++row) {
      append_varint(bytes, rows.row(row).size());
      for (const std::uint32_t column : rows.row(row)) append_varint(bytes, column);
    }
  }
  return bytes;
}

PresenceChunk PresenceChunk::open(std::string_view bytes) {
  ByteReader reader(bytes, "presence");
  auto state = std::make_unique<State>();
  PresenceRows& rows = state->rows;
  const std::uint64_t node_count = reader.varint();
  for (std::uint64_t node = 0; node < node_count; ++node) {
    for (std::uint64_t left = reader.varint(); left > 0; --left) {
      for (std::uint64_t ones = reader.varint(); ones > 0; --ones) {
        rows.ones.push_back(static_cast<std::uint32_t>(reader.varint()));
      }
      rows.one_ends.push_back(static_cast<std::uint32_t>(rows.ones.size()));
    }
    rows.add_node(0);
  }
  return PresenceChunk(std::move(state));
}

PresenceChunk::PresenceChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
PresenceChunk::PresenceChunk(PresenceChunk&&) noexcept = default;
PresenceChunk& PresenceChunk::operator=(PresenceChunk&&) noexcept = default;
PresenceChunk::~PresenceChunk() = default;

std::size_t PresenceChunk::node_count() const noexcept { return state_->rows.node_count(); }
std::uint64_t PresenceChunk::one_count() const noexcept { return state_->rows.ones.size(); }

std::size_t PresenceChunk::row_count(std::size_t node) const {
  return state_->rows.row_count(node);
}

void PresenceChunk::row(std::size_t node, std::uint32_t width, std::size_t row,
                        std::vector<std::uint32_t>& columns) const {
  const auto ones = state_->rows.row(state_->rows.first_row(node) + row);
  if (!ones.empty() && ones.back() >= width) {
    throw Error(ErrorKind::Corrupt, "presence: a column outside the node");
  }
  columns.assign(ones.begin(), ones.end());
}

void PresenceChunk::rows(std::size_t node, std::uint32_t width, PresenceRows& out) const {
  std::vector<std::uint32_t> columns;
  for (std::size_t r = 0; r < row_count(node); ++r) {
    row(node, width, r, columns);
    out.add_row(columns);
  }
  out.add_node(width);
}

std::size_t PresenceChunk::memory_bytes() const noexcept {
  const PresenceRows& rows = state_->rows;
  return (rows.widths.size() * 2 + rows.one_ends.size() + rows.ones.size()) * 4;
}

}  // namespace webstrata
