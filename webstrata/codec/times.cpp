// Tested by tests/codec/times_test.cpp.

#include "webstrata/codec/times.h"

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"

namespace webstrata {

struct TimesChunk::State {
  TimeLists lists;
};

std::string encode_times(const TimeLists& lists) {
  std::string bytes;
  append_varint(bytes, lists.node_count());
  for (std::size_t node = 0; node < lists.node_count(); ++node) {
    append_varint(bytes, lists.list(node).size());
    for (const Time time : lists.list(node)) append_u64(bytes, static_cast<std::uint64_t>(time));
  }
  return bytes;
}

TimesChunk TimesChunk::open(std::string_view bytes) {
  ByteReader reader(bytes, "times");
  auto state = std::make_unique<State>();
  const std::uint64_t node_count = reader.varint();
  for (std::uint64_t node = 0; node < node_count; ++node) {
    for (std::uint64_t left = reader.varint(); left > 0; --left) {
      state->lists.times.push_back(static_cast<Time>(reader.u64()));
    }
    state->lists.ends.push_back(static_cast<std::uint32_t>(state->lists.times.size()));
  }
  return TimesChunk(std::move(state));
}

TimesChunk::TimesChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
TimesChunk::TimesChunk(TimesChunk&&) noexcept = default;
TimesChunk& TimesChunk::operator=(TimesChunk&&) noexcept = default;
TimesChunk::~TimesChunk() = default;

std::size_t TimesChunk::node_count() const noexcept { return state_->lists.node_count(); }
std::uint64_t TimesChunk::time_count() const noexcept { return state_->lists.times.size(); }

std::size_t TimesChunk::count(std::size_t node) const { return state_->lists.list(node).size(); }

void TimesChunk::times(std::size_t node, std::vector<Time>& out) const {
  const auto list = state_->lists.list(node);
  out.assign(list.begin(), list.end());
}

void TimesChunk::decode(TimeLists& out) const { out = state_->lists; }

std::size_t TimesChunk::memory_bytes() const noexcept {
  return state_->lists.ends.size() * 4 + state_->lists.times.size() * 8;
}

}  // namespace webstrata
