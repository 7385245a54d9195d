// Lists of targets as gaps; the whole chunk is decoded when it is opened.
//
// Tested by tests/codec/links_test.cpp.

#include "webstrata/codec/links.h"

#include <utility>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/token_coder.h"

namespace webstrata {
namespace {

enum Context : std::uint32_t { kDegree, kFirst, kGap, kContextCount };

[[noreturn]] void throw_corrupt(const char* message) {
  throw Error(ErrorKind::Corrupt, std::string("links: ") + message);
}

}  // namespace

std::string encode_links(const LinkLists& lists, LinksEffort /*effort*/) {
  TokenWriter writer(kContextCount);
  for (std::size_t node = 0; node < lists.node_count(); ++node) {
    const auto list = lists.list(node);
    writer.put(kDegree, list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      writer.put(i == 0 ? kFirst : kGap, i == 0 ? list[0] : list[i] - list[i - 1] - 1);
    }
  }
  const auto encoded = writer.finish();
  std::string bytes;
  append_varint(bytes, lists.node_count());
  append_varint(bytes, lists.targets.size());
  return bytes + encoded.tables + encoded.stream;
}

struct LinksChunk::State {
  LinkLists lists;
};

LinksChunk::LinksChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
LinksChunk::LinksChunk(LinksChunk&&) noexcept = default;
LinksChunk& LinksChunk::operator=(LinksChunk&&) noexcept = default;
LinksChunk::~LinksChunk() = default;

LinksChunk LinksChunk::open(std::string_view bytes, Uid first) {
  ByteReader reader(bytes, "links");
  const auto node_count = reader.varint();
  const auto link_count = reader.varint();
  if (node_count > kChunkNodesMax || link_count > kChunkItems) throw_corrupt("too many links");
  const auto tables = TokenTables::open(reader, kContextCount);
  TokenReader tokens(tables, reader.take(reader.remaining()));
  auto state = std::make_unique<State>();
  state->lists.first = first;
  std::vector<Uid> list;
  for (std::uint64_t node = 0; node < node_count; ++node) {
    const auto degree = tokens.get(kDegree);
    if (degree > link_count - state->lists.targets.size()) throw_corrupt("too many links");
    list.clear();
    for (std::uint64_t i = 0; i < degree; ++i) {
      list.push_back(i == 0 ? tokens.get(kFirst) : list.back() + tokens.get(kGap) + 1);
      if (i > 0 && list[i] <= list[i - 1]) throw_corrupt("targets do not ascend");
    }
    state->lists.add(list);
  }
  if (state->lists.targets.size() != link_count) throw_corrupt("too few links");
  return LinksChunk(std::move(state));
}

std::size_t LinksChunk::node_count() const noexcept { return state_->lists.node_count(); }
std::uint64_t LinksChunk::link_count() const noexcept { return state_->lists.targets.size(); }

void LinksChunk::targets(std::size_t node, std::vector<Uid>& out) const {
  const auto list = state_->lists.list(node);
  out.assign(list.begin(), list.end());
}

std::size_t LinksChunk::degree(std::size_t node) const { return state_->lists.list(node).size(); }
void LinksChunk::decode(LinkLists& out) const { out = state_->lists; }

std::size_t LinksChunk::memory_bytes() const noexcept {
  return sizeof(State) + state_->lists.ends.capacity() * sizeof(std::uint32_t) +
         state_->lists.targets.capacity() * sizeof(Uid);
}

}  // namespace webstrata
