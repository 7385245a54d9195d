// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/law_test.cpp and tests/archive/translation_test.cpp.

#include "webstrata/archive/disk/scratch.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/limit_error.h"

namespace webstrata {

ScratchWriter::ScratchWriter(std::filesystem::path path, std::size_t buffer_bytes)
    : path_(std::move(path)), buffer_bytes_(buffer_bytes) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor_ < 0) {
    throw Error(ErrorKind::Io, fmt::format("{}: {}", path_.string(), reason_of(errno)));
  }
}

ScratchWriter::ScratchWriter(ScratchWriter&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      buffer_bytes_(other.buffer_bytes_),
      written_(other.written_),
      buffer_(std::move(other.buffer_)) {}

ScratchWriter::~ScratchWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ScratchWriter::flush() {
  write_all(descriptor_, buffer_, path_.string());
  written_ += buffer_.size();
  buffer_.clear();
}

ScratchReader::ScratchReader(const std::filesystem::path& path, std::size_t buffer_bytes)
    : file_(FileReader::open(path)), buffer_bytes_(buffer_bytes) {}

void ScratchReader::ask(std::size_t size) {
  if (buffer_.size() - position_ >= size || is_drained_) return;
  buffer_.erase(0, position_);
  position_ = 0;
  while (buffer_.size() < size && !is_drained_) {
    const std::size_t old_size = buffer_.size();
    buffer_.resize(old_size + std::max(size - old_size, buffer_bytes_));
    const std::size_t got = file_.read(buffer_.data() + old_size, buffer_.size() - old_size);
    buffer_.resize(old_size + got);
    is_drained_ = got == 0;
  }
}

bool ScratchReader::at_end() {
  ask(1);
  return position_ == buffer_.size();
}

std::string_view ScratchReader::take(std::size_t size) {
  ask(size);
  if (buffer_.size() - position_ < size) {
    throw Error(ErrorKind::Corrupt, "a scratch file ends too early; was it changed meanwhile?");
  }
  const std::string_view bytes = std::string_view(buffer_).substr(position_, size);
  position_ += size;
  return bytes;
}

std::uint8_t ScratchReader::u8() { return static_cast<std::uint8_t>(take(1)[0]); }

std::uint64_t ScratchReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (position_ == buffer_.size()) ask(1);
    const std::uint8_t byte =
        position_ < buffer_.size() ? static_cast<std::uint8_t>(buffer_[position_++]) : u8();
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  throw Error(ErrorKind::Corrupt, "a number in a scratch file is too long");
}

}  // namespace webstrata
