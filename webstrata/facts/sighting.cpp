// Tested by tests/facts/sighting_test.cpp.

#include "webstrata/facts/sighting.h"

#include <array>

namespace webstrata {

std::string_view to_string(SightingKind kind) noexcept {
  constexpr std::array<std::string_view, 4> kNames = {"response", "revisit", "probe", "index"};
  return kNames[static_cast<std::size_t>(kind)];
}

void Sighting::clear() {
  for (std::string* text : {&url, &spelling, &digest, &text_digest, &mime, &redirect_target,
                            &refers_to_url, &file, &crawl}) {
    text->clear();
  }
  time = 0;
  kind = SightingKind::Response;
  status.reset();
  outcome = Outcome::Unknown;
  text_length.reset();
  title_hash.reset();
  truncated = false;
  revisit_profile = RevisitProfile::None;
  refers_to_time.reset();
  offset.reset();
  length.reset();
}

void Capture::clear() {
  sighting.clear();
  links_known = false;
  links.clear();
  title.clear();
  text.clear();
  text_known = false;
}

}  // namespace webstrata
