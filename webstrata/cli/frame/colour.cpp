// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/colour_test.py, in a terminal of its own.

#include "webstrata/cli/frame/colour.h"

#include <unistd.h>

#include <fmt/format.h>

#include "webstrata/base/environment.h"

namespace webstrata {
namespace {

ColourWish wished = ColourWish::Auto;

// Codes of ECMA-48 that every terminal with colours knows.
std::string_view code_of(Tone tone) {
  switch (tone) {
    case Tone::Plain:
      return "";
    case Tone::Heading:
      return "\x1b[1m";
    case Tone::Warning:
      return "\x1b[33m";
    case Tone::Error:
      return "\x1b[1;31m";
  }
  return "";
}

}  // namespace

void set_colour(ColourWish wish) noexcept { wished = wish; }

bool is_coloured(int descriptor) noexcept {
  if (wished != ColourWish::Auto) return wished == ColourWish::Always;
  return environment("NO_COLOR").empty() && environment("TERM") != "dumb" &&
         ::isatty(descriptor) == 1;
}

std::string coloured(std::string_view text, Tone tone, int descriptor) {
  if (tone == Tone::Plain || !is_coloured(descriptor)) return std::string(text);
  return fmt::format("{}{}\x1b[0m", code_of(tone), text);
}

}  // namespace webstrata
