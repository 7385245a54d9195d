// SPDX-License-Identifier: Apache-2.0

// Requests for bytes of remote inputs: a thread drives all of them, and whoever reads waits for the
// bytes of one. So the next bytes arrive while the last are being parsed.
//
//   const auto wire = Wire::shared();
//   const auto transfer = wire->start({.url = "https://host/x.warc.gz", .headers = {"Range:
//   bytes=0-99"}}); if (transfer->head().status == 206) transfer->read(buffer, sizeof buffer);
//
// The thread and its connections end with the last user of the wire. Any thread may call.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace webstrata {

struct WireRequest {
  std::string url;
  std::vector<std::string> headers = {};  // "Name: value"
  std::string user = {};                  // "user:password", or empty
  bool follows_redirects = false;
  std::string ca_file = {};  // certificates to trust instead of the system's
  // What may arrive before it is read. Then the server has to wait.
  std::size_t buffered_bytes_max = std::size_t{4} << 20;
  unsigned connect_seconds = 15;
  unsigned stall_seconds = 30;  // without a byte
};

// Status and headers of the last answer; all empty if none came.
struct WireHead {
  long status = 0;
  std::map<std::string, std::string> fields;  // names in lower case

  [[nodiscard]] std::string field(const std::string& name) const;
};

// How a transfer ended.
struct WireEnd {
  // Broken: it may work next time. Unreachable, Refused: perhaps. Secure, Hopeless: it will not.
  enum class Kind { Complete, Broken, Unreachable, Refused, Secure, Hopeless };
  Kind kind = Kind::Complete;
  std::string reason;  // libcurl's words
};

// One request and its answer. Destroying it ends it.
class Transfer {
 public:
  virtual ~Transfer() = default;
  // All three wait. They throw Error(Cancelled) if check_file_interruption() does.
  virtual const WireHead& head() = 0;
  // Some bytes of the body; 0 at its end, which end() explains.
  virtual std::size_t read(char* to, std::size_t size) = 0;
  virtual const WireEnd& end() = 0;
};

class Wire {
 public:
  virtual ~Wire() = default;
  // The wire of this process, made when nobody has it. Throws Error(Io).
  static std::shared_ptr<Wire> shared();

  virtual std::unique_ptr<Transfer> start(WireRequest request) = 0;
  // Room for bytes that are read ahead, by all together: false if there is none. To be returned.
  virtual bool reserve(std::size_t bytes) = 0;
  virtual void give_back(std::size_t bytes) = 0;
};

}  // namespace webstrata
