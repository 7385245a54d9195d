// SPDX-License-Identifier: Apache-2.0

// The interface of the links codec. links_model.h describes how lists are coded, links_encoder.cpp
// and links_decoder.cpp do it.
//
// Tested by tests/codec/links_test.cpp.

#include "webstrata/codec/links.h"

#include <utility>

#include "webstrata/codec/links_decoder.h"
#include "webstrata/codec/links_encoder.h"

namespace webstrata {

std::string encode_links(const LinkLists& lists, LinksEffort effort) {
  return encode_links(lists, parameters_of(effort));
}

struct LinksChunk::State {
  LinksDecoder decoder;
};

LinksChunk::LinksChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
LinksChunk::LinksChunk(LinksChunk&&) noexcept = default;
LinksChunk& LinksChunk::operator=(LinksChunk&&) noexcept = default;
LinksChunk::~LinksChunk() = default;

LinksChunk LinksChunk::open(std::string_view bytes, Uid first) {
  return LinksChunk(std::make_unique<State>(State{LinksDecoder(bytes, first)}));
}

std::size_t LinksChunk::node_count() const noexcept { return state_->decoder.node_count(); }
std::uint64_t LinksChunk::link_count() const noexcept { return state_->decoder.link_count(); }

void LinksChunk::targets(std::size_t node, std::vector<Uid>& out) const {
  state_->decoder.targets(node, out);
}

// Copies, blocks and runs have to be followed anyway, so this is no cheaper than the targets.
std::size_t LinksChunk::degree(std::size_t node) const {
  thread_local std::vector<Uid> list;
  state_->decoder.targets(node, list);
  return list.size();
}

bool LinksChunk::has_targets(std::size_t node) const noexcept {
  return state_->decoder.has_list(node);
}

void LinksChunk::decode(LinkLists& out) const { state_->decoder.decode(out); }

std::size_t LinksChunk::memory_bytes() const noexcept { return state_->decoder.memory_bytes(); }

}  // namespace webstrata
