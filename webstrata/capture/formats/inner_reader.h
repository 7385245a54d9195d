// SPDX-License-Identifier: Apache-2.0

// A file inside or next to another one, read by whichever reader recognises its bytes.
//
// Its damage goes to the outer Report with the inner file's name in front: "data.warc.gz: ...".
// The offset is then relative to that file. Containers inside containers are not followed.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "webstrata/capture/record/reader.h"

namespace webstrata {

class InnerReader {
 public:
  // Throws what `open_stream` throws. `offset_base` is the stream's offset at which the inner file
  // begins: it is subtracted from offsets, so that they count from there.
  using StreamMaker = std::function<std::unique_ptr<InputStream>(Report&)>;
  InnerReader(const ReadContext& outer, std::string name, const StreamMaker& open_stream,
              std::uint64_t offset_base = 0);
  InnerReader(const InnerReader&) = delete;
  InnerReader& operator=(const InnerReader&) = delete;

  // False at the end; the outer Report is then complete.
  bool next(Capture& capture);
  [[nodiscard]] std::uint64_t record_count() const noexcept;

 private:
  void hand_over_report();

  Report report_;
  Report& outer_report_;
  std::string name_;
  std::string base_name_;
  std::uint64_t offset_base_;
  std::unique_ptr<InputStream> in_;
  std::unique_ptr<CaptureReader> reader_;  // null if no reader knows the bytes
  bool ended_ = false;
};

}  // namespace webstrata
