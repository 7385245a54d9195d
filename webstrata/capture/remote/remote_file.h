// SPDX-License-Identifier: Apache-2.0

// A file on another machine: http://, https:// or s3://.
//
//   const auto file = RemoteFile::open("https://data.example.org/x.warc.gz");
//   RemoteStream stream(file, 0);  // remote_stream.h
//
// Its identity (size, ETag, time of change) is that of the first answer. Every later answer is
// compared with it, so bytes of two versions are never mixed: a file that changes while it is read
// is an Error. A server that knows no ranges is read from the start, in one go.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/base/error.h"
#include "webstrata/capture/remote/s3_settings.h"
#include "webstrata/capture/remote/wire.h"

namespace webstrata {

struct RemoteOptions {
  unsigned attempts_max = 6;      // in a row, without a byte
  unsigned first_pause_ms = 200;  // doubled after every attempt
  unsigned connect_seconds = 15;
  unsigned stall_seconds = 30;
  std::size_t first_bytes = std::size_t{256} << 10;  // of the first request, and of small ones
  std::size_t block_bytes = std::size_t{4} << 20;    // of a request at most
  unsigned parallel_max = 4;                         // requests of one stream
};

// What is wrong with an answer.
struct Trouble {
  std::string reason;
  ErrorKind kind = ErrorKind::Io;
  bool may_pass = false;      // another attempt is worthwhile
  unsigned attempts_max = 0;  // fewer than usual; 0: as usual
  unsigned wait_ms = 0;       // as the server wants
};

// Attempts in a row: waits after each failure, longer and longer, and gives up at last.
class Attempts {
 public:
  Attempts(const RemoteOptions& options, std::string name);
  // Waits, or throws Error with the name of the file.
  void failed(const Trouble& trouble);
  void succeeded() noexcept { failed_ = 0; }

 private:
  RemoteOptions options_;
  std::string name_;
  unsigned failed_ = 0;
};

class RemoteFile {
 public:
  // The same object for everyone as long as somebody has it, so that all readers of a file see one
  // version. Throws Error(NotFound), Error(Io), Error(BadInput).
  static std::shared_ptr<RemoteFile> open(const std::string& name);
  // One that is not shared.
  static std::shared_ptr<RemoteFile> open(const std::string& name, const RemoteOptions& options);
  RemoteFile(const std::string& name, const RemoteOptions& options);

  [[nodiscard]] const std::string& shown() const noexcept { return shown_; }
  [[nodiscard]] const RemoteOptions& options() const noexcept { return options_; }
  [[nodiscard]] Wire& wire() const noexcept { return *wire_; }
  // Empty if the server does not say.
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept { return size_; }
  // Whether it can be read from any place.
  [[nodiscard]] bool has_ranges() const noexcept { return has_ranges_; }
  // Those that came with the first answer, if it has ranges.
  [[nodiscard]] std::string_view first_bytes() const noexcept { return first_bytes_; }

  // Bytes [begin, end); all of a file without ranges.
  [[nodiscard]] std::unique_ptr<Transfer> request(std::uint64_t begin, std::uint64_t end) const;
  // Whether the answer is what was requested. Waits for its head.
  [[nodiscard]] std::optional<Trouble> judge(Transfer& answer, std::uint64_t begin) const;
  // Why a transfer ended before all its bytes had arrived.
  [[nodiscard]] Trouble trouble_at_end(Transfer& answer) const;

 private:
  struct Identity {
    std::string etag;
    std::string changed;  // Last-Modified
  };

  void find();
  std::optional<Trouble> take_first(Transfer& answer);
  std::optional<Trouble> take_part(Transfer& answer);
  std::optional<Trouble> take_error(Transfer& answer);
  [[nodiscard]] Trouble trouble_of(Transfer& answer, const std::string& body) const;
  [[nodiscard]] std::optional<Trouble> compare(const WireHead& head) const;
  [[nodiscard]] WireRequest address() const;

  std::string name_;
  std::string shown_;
  RemoteOptions options_;
  std::optional<S3Settings> s3_;
  std::shared_ptr<Wire> wire_;
  std::optional<std::uint64_t> size_;
  bool has_ranges_ = false;
  bool is_found_ = false;
  Identity identity_;
  std::string first_bytes_;
};

}  // namespace webstrata
