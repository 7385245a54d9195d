// SPDX-License-Identifier: Apache-2.0

// Inputs whose bytes another thread hands over while they are read: file objects of Python.
//
//   FedInputs inputs({"x.warc.gz"});
//   std::thread feeder([&] {
//     while (const auto number = inputs.next()) inputs.give(*number, more_bytes());
//   });
//   InputStream in(inputs.names().front(), report);
//   ...
//   inputs.close();
//
// Bytes are requested only for inputs that are being read, a little ahead, so memory is bounded. An
// input can be read once and in order, like a pipe.

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "webstrata/capture/stream/byte_producer.h"

namespace webstrata {

class FedInputs {
 public:
  // What sightings are to call the files.
  explicit FedInputs(const std::vector<std::string>& file_names);
  FedInputs(const FedInputs&) = delete;
  FedInputs& operator=(const FedInputs&) = delete;
  ~FedInputs();

  // Under these InputStream finds them, as long as this lives.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  // Waits until an input wants bytes; empty once closed.
  std::optional<std::size_t> next();
  // Hands bytes over; none mean that the input has ended.
  void give(std::size_t number, std::string bytes);
  // The input cannot be read on: its reader throws Error(Io) with the reason.
  void fail(std::size_t number, std::string reason);
  // Readers that still want bytes throw Error(Cancelled).
  void close();

  struct State;

 private:
  std::shared_ptr<State> state_;
  std::vector<std::string> names_;
};

// Null if no such input is being fed. Throws Error(BadInput) if it has been opened before.
std::unique_ptr<ByteProducer> open_fed_input(const std::filesystem::path& name);

}  // namespace webstrata
