// SPDX-License-Identifier: Apache-2.0

// The interface of a reader of one format, and the options of all readers.
//
// A reader turns a stream of bytes into facts, one call of next() each. It never throws because
// of the bytes: damage goes to the Report, and reading continues after it. readers.h lists them.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "webstrata/base/report.h"
#include "webstrata/capture/stream/input_stream.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {

class KeywordMatcher;

// Which text counts as being around a link (docs/topics.md).
enum class LinkWindow : std::uint8_t {
  Context,  // its text, and `context_chars` characters before and after it
  Anchor,   // its text alone
};

struct ReadOptions {
  LinkKinds kinds = kGraphKinds;   // links of other kinds are left out
  bool with_anchor_text = false;   // Link::text
  bool with_context = false;       // Link::context, `context_chars` characters on either side
  std::size_t context_chars = 50;  // so that the window is 100 characters besides the link
  bool with_title = false;         // Capture::title
  bool with_text = false;          // Capture::text
  // Counted around every link, in LinkSet::mentions(); null: nothing is counted.
  const KeywordMatcher* keywords = nullptr;
  LinkWindow link_window = LinkWindow::Context;
  bool keep_other_schemes = false;  // mailto:, javascript:, ... kept verbatim
  std::string crawl = {};           // name of the crawl, goes into every sighting
};

// What a reader is given.
struct ReadContext {
  InputStream& in;
  const ReadOptions& options;
  Report& report;
  std::string file_name;  // base name, goes into every sighting
};

class CaptureReader {
 public:
  virtual ~CaptureReader() = default;
  // Clears `capture` and fills it with the next fact; false at the end.
  virtual bool next(Capture& capture) = 0;
  // Records (of any kind) read so far, including those that give no fact.
  [[nodiscard]] std::uint64_t record_count() const noexcept { return record_count_; }

 protected:
  std::uint64_t record_count_ = 0;
};

struct ReaderEntry {
  std::string_view name;     // "warc"
  std::string_view summary;  // one line for the help text
  // Looks at the first bytes (decompressed; up to kRecogniseBytes of them).
  bool (*recognises)(std::string_view first_bytes);
  // `context` is copied; what it points to outlives the reader.
  std::unique_ptr<CaptureReader> (*open)(const ReadContext& context);
};
inline constexpr std::size_t kRecogniseBytes = 1 << 16;

}  // namespace webstrata
