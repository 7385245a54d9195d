// Tested by tests/codec/kinds_test.cpp.

#include "webstrata/codec/kinds.h"

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"

namespace webstrata {

struct KindsChunk::State {
  PresenceRows rows;
  std::vector<LinkValue> values;
};

std::string encode_kinds(const PresenceRows& rows, std::span<const LinkValue> values) {
  std::string bytes;
  append_varint(bytes, rows.node_count());
  for (std::size_t node = 0; node < rows.node_count(); ++node) {
    append_varint(bytes, rows.row_count(node));
    for (std::size_t row = rows.first_row(node); row < rows.row_ends[node]; ++row) {
      append_varint(bytes, rows.row(row).size());
      for (std::size_t one = rows.first_one(row); one < rows.one_ends[row]; ++one) {
        bytes += static_cast<char>(values[one].kinds);
        bytes += static_cast<char>(values[one].count);
      }
    }
  }
  return bytes;
}

KindsChunk KindsChunk::open(std::string_view bytes) {
  ByteReader reader(bytes, "kinds");
  auto state = std::make_unique<State>();
  const std::uint64_t node_count = reader.varint();
  for (std::uint64_t node = 0; node < node_count; ++node) {
    for (std::uint64_t left = reader.varint(); left > 0; --left) {
      for (std::uint64_t ones = reader.varint(); ones > 0; --ones) {
        LinkValue value;
        value.kinds = reader.u8();
        value.count = reader.u8();
        state->values.push_back(value);
      }
      state->rows.one_ends.push_back(static_cast<std::uint32_t>(state->values.size()));
    }
    state->rows.add_node(0);
  }
  return KindsChunk(std::move(state));
}

KindsChunk::KindsChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
KindsChunk::KindsChunk(KindsChunk&&) noexcept = default;
KindsChunk& KindsChunk::operator=(KindsChunk&&) noexcept = default;
KindsChunk::~KindsChunk() = default;

std::size_t KindsChunk::node_count() const noexcept { return state_->rows.node_count(); }

void KindsChunk::row(std::size_t node, std::uint32_t, std::size_t row,
                     std::span<const std::uint32_t> columns, std::vector<LinkValue>& out) const {
  const std::size_t place = state_->rows.first_row(node) + row;
  const std::size_t first = state_->rows.first_one(place);
  if (state_->rows.one_ends[place] - first != columns.size()) {
    throw Error(ErrorKind::Corrupt, "kinds: the rows have other lengths");
  }
  const auto start = state_->values.begin() + static_cast<std::ptrdiff_t>(first);
  out.assign(start, start + static_cast<std::ptrdiff_t>(columns.size()));
}

void KindsChunk::rows(std::size_t node, const PresenceRows& rows,
                      std::vector<LinkValue>& out) const {
  std::vector<LinkValue> values;
  for (std::size_t r = 0; r < rows.row_count(0); ++r) {
    row(node, rows.widths[0], r, rows.row(r), values);
    out.insert(out.end(), values.begin(), values.end());
  }
}

std::size_t KindsChunk::memory_bytes() const noexcept {
  return state_->values.size() * 2 + state_->rows.one_ends.size() * 4;
}

}  // namespace webstrata
