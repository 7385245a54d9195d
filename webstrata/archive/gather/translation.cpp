// SPDX-License-Identifier: Apache-2.0

// Words are kept in pages of 64 KB. Half of the memory holds the first pages, which are never
// evicted; all later pages are in a scratch file, and the other half is a direct-mapped cache of
// them. A dropped key gets the uid before it, and a separate bitmap marks it as dropped.
// Tested by tests/archive/translation_test.cpp.

#include "webstrata/archive/gather/translation.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/limit_error.h"

namespace webstrata {

// Words in pages of 64 KB. The pages that fit stay in memory; from then on the rest is on disk, and
// the memory serves as a cache.
class Translation::Words {
 public:
  static constexpr std::size_t kPageWords = 1 << 13;
  using Page = std::vector<std::uint64_t>;

  Words(std::filesystem::path spill, std::size_t memory_bytes)
      : spill_(std::move(spill)),
        pages_max_(std::max<std::size_t>(4, memory_bytes / (kPageWords * sizeof(std::uint64_t)))) {}
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void push(std::uint64_t word) {
    if (open_.empty()) open_.reserve(kPageWords);
    open_.push_back(word);
    ++size_;
    if (open_.size() == kPageWords) close_page();
  }
  void finish() {
    open_.resize(kPageWords);
    close_page();
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  [[nodiscard]] std::uint64_t operator[](std::uint64_t place) {
    return page(place / kPageWords)[place % kPageWords];
  }

 private:
  struct Cached {
    std::uint64_t number = ~std::uint64_t{0};
    Page page;
  };

  void close_page() {
    if (kept_.size() < pages_max_ / 2) {
      kept_.push_back(std::exchange(open_, {}));
      return;
    }
    if (descriptor_ < 0) open_spill();
    const std::string_view bytes(reinterpret_cast<const char*>(open_.data()),
                                 open_.size() * sizeof(std::uint64_t));
    write_all(descriptor_, bytes, spill_.string());
    open_.clear();
  }

  void open_spill() {
    descriptor_ = ::open(spill_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor_ < 0) fail();
    cache_.resize(pages_max_ - pages_max_ / 2);
  }

  const Page& page(std::uint64_t number) {
    if (number < kept_.size()) return kept_[number];
    Cached& slot = cache_[number % cache_.size()];
    if (slot.number != number) {
      slot.page.resize(kPageWords);
      const std::size_t bytes = kPageWords * sizeof(std::uint64_t);
      const auto offset = static_cast<off_t>((number - kept_.size()) * bytes);
      if (::pread(descriptor_, slot.page.data(), bytes, offset) != static_cast<ssize_t>(bytes)) {
        fail();
      }
      slot.number = number;
    }
    return slot.page;
  }

  [[noreturn]] void fail() const {
    throw Error(ErrorKind::Io, fmt::format("{}: {}", spill_.string(), reason_of(errno)));
  }

  std::filesystem::path spill_;
  std::size_t pages_max_;
  std::vector<Page> kept_;
  Page open_;
  std::vector<Cached> cache_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

Translation::Translation(std::filesystem::path spill, std::size_t memory_bytes)
    : words_(std::make_unique<Words>(std::move(spill), memory_bytes)) {}
Translation::Translation(Translation&&) noexcept = default;
Translation::~Translation() = default;

void Translation::add(Uid uid) {
  is_identity_ = is_identity_ && uid == size_;
  open_.push_back(uid);
  last_ = uid;
  ++size_;
  if (!dropped_.empty() && dropped_.size() * 64 < size_) dropped_.push_back(0);
  if (open_.size() == kGroup) close_group();
}

void Translation::add_dropped() {
  const std::uint64_t number = size_;
  add(last_);
  is_identity_ = false;
  dropped_.resize(size_ / 64 + 1);
  dropped_[number / 64] |= std::uint64_t{1} << (number % 64);
}

void Translation::close_group() {
  if (open_.empty()) return;
  const Uid first = open_.front();
  const unsigned width = static_cast<unsigned>(std::bit_width(open_.back() - first));
  groups_.push_back({first, words_->size(), width});
  std::uint64_t word = 0;
  unsigned filled = 0;
  for (const Uid uid : open_) {
    const std::uint64_t value = uid - first;
    if (width == 0) break;
    word |= value << filled;
    filled += width;
    if (filled >= 64) {
      words_->push(word);
      filled -= 64;
      word = filled == 0 ? 0 : value >> (width - filled);
    }
  }
  words_->push(word);
  open_.clear();
}

void Translation::finish() {
  close_group();
  words_->finish();
}

Uid Translation::operator[](std::uint64_t number) const {
  if (is_identity_) return number;
  const Group& group = groups_[number / kGroup];
  const std::uint64_t bit = (number % kGroup) * group.width;
  const std::uint64_t place = group.start + bit / 64;
  const unsigned shift = bit % 64;
  std::uint64_t value = group.width == 0 ? 0 : (*words_)[place] >> shift;
  if (shift + group.width > 64) value |= (*words_)[place + 1] << (64 - shift);
  const std::uint64_t mask =
      group.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << group.width) - 1;
  return group.first + (value & mask);
}

}  // namespace webstrata
