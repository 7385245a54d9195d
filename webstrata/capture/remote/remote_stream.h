// SPDX-License-Identifier: Apache-2.0

// The bytes of a remote file in order, from any place.
//
// Several ranges are requested at once, ahead of the reader, more and larger ones the longer it
// reads on. A connection that breaks is made again, and continues at the byte where it broke.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "webstrata/capture/remote/remote_file.h"

namespace webstrata {

class RemoteStream {
 public:
  // `likely_end` is where the reader will probably stop: what comes before is requested at once,
  // what comes after only when it is needed.
  RemoteStream(std::shared_ptr<RemoteFile> file, std::uint64_t begin,
               std::uint64_t likely_end = UINT64_MAX);
  RemoteStream(const RemoteStream&) = delete;
  RemoteStream& operator=(const RemoteStream&) = delete;
  ~RemoteStream();

  // Reads until `to` is full or the file ends. Throws Error(Io), Error(Cancelled).
  std::size_t read(char* to, std::size_t size);
  // Any place; forward in what was requested already costs no new request.
  void seek(std::uint64_t offset);
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] const RemoteFile& file() const noexcept { return *file_; }

 private:
  // A request for bytes [begin, end).
  struct Block {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::unique_ptr<Transfer> transfer;
    bool is_judged = false;
    std::size_t reserved = 0;  // of the room for reading ahead
  };

  std::size_t read_some(char* to, std::size_t size);
  std::size_t read_first_bytes(char* to, std::size_t size);
  std::size_t read_block(char* to, std::size_t size);
  std::size_t read_whole(char* to, std::size_t size);
  void request_ahead();
  [[nodiscard]] std::uint64_t next_block_bytes() const;
  void drop_blocks();
  void drop_front();
  void skip_forward(std::uint64_t offset);

  std::shared_ptr<RemoteFile> file_;
  std::uint64_t offset_;
  std::uint64_t likely_end_;
  Attempts attempts_;

  // With ranges.
  std::deque<Block> blocks_;     // adjacent; the first one has offset_
  std::uint64_t requested_ = 0;  // the end of the last
  std::size_t block_bytes_;      // of the next
  unsigned parallel_ = 1;
  // Without.
  std::unique_ptr<Transfer> whole_;
  std::uint64_t whole_offset_ = 0;
  bool is_judged_ = false;
  bool is_ended_ = false;
  bool is_given_ = false;  // bytes to the reader
};

}  // namespace webstrata
