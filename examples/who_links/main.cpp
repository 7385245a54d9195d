// SPDX-License-Identifier: Apache-2.0

// Who linked to a page at a time: who_links ARCHIVE URL TIME

#include <cstdio>
#include <optional>

#include <webstrata/archive/ask/archive.h>
#include <webstrata/base/error.h>
#include <webstrata/base/time.h>

int main(int argument_count, char** arguments) {
  if (argument_count != 4) {
    std::fprintf(stderr, "usage: who_links ARCHIVE URL TIME\n");
    return 2;
  }
  try {
    const auto archive = webstrata::Archive::open(arguments[1]);
    const auto page = archive.uid(arguments[2]);
    const auto time = webstrata::parse_interval(arguments[3]);
    if (!page || !time) {
      std::fprintf(stderr, "no such page, or no such date\n");
      return 1;
    }
    for (const webstrata::LinkAt& link : archive.in_links_at(*page, time->last)) {
      std::printf("%s\n", archive.url(link.node).c_str());
    }
    return 0;
  } catch (const webstrata::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
