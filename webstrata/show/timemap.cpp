// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/ask_test.py.

#include "webstrata/show/timemap.h"

#include <fmt/format.h>

namespace webstrata {
namespace {

std::string_view relation_of(std::size_t position, std::size_t count) {
  if (count == 1) return "first last memento";
  if (position == 0) return "first memento";
  return position + 1 == count ? "last memento" : "memento";
}

}  // namespace

std::string memento_url(const Sighting& sighting) {
  return sighting.kind == SightingKind::Probe ? std::string() : sighting.url;
}

void append_timemap(std::string& out, std::string_view original, std::span<const Memento> mementos,
                    std::string_view replay) {
  out += fmt::format("<{}>; rel=\"original\"", original);
  if (!replay.empty()) {
    out += fmt::format(",\n<{}timemap/link/{}>; rel=\"self\"; type=\"application/link-format\"",
                       replay, original);
    if (!mementos.empty()) {
      out += fmt::format("; from=\"{}\"; until=\"{}\"", to_rfc1123(mementos.front().time),
                         to_rfc1123(mementos.back().time));
    }
  }
  for (std::size_t i = 0; i < mementos.size(); ++i) {
    out += fmt::format(",\n<{}{}/{}>; rel=\"{}\"; datetime=\"{}\"", replay,
                       to_timestamp14(mementos[i].time), mementos[i].url,
                       relation_of(i, mementos.size()), to_rfc1123(mementos[i].time));
  }
  out += "\n";
}

}  // namespace webstrata
