// SPDX-License-Identifier: Apache-2.0

// Helpers for tests of readers: read bytes or a file to the end, and keep the results.

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/shared_folder.h"
#include "webstrata/capture/formats/readers.h"

namespace webstrata {

// What one capture said, kept.
struct KeptLink {
  std::string target;
  LinkKinds kinds;
  int count = 0;
  std::string text;
  std::string context;
};
struct KeptCapture {
  Sighting sighting;
  bool links_known = false;
  std::vector<KeptLink> links;
  std::string title;
  std::string text;
};
struct Reading {
  std::string format;  // empty if no reader recognised the bytes
  std::vector<KeptCapture> captures;
  Report report;
  std::uint64_t record_count = 0;
};

inline KeptCapture keep(const Capture& capture) {
  KeptCapture kept{capture.sighting, capture.links_known, {}, capture.title, capture.text};
  for (std::size_t i = 0; i < capture.links.size(); ++i) {
    const Link link = capture.links[i];
    kept.links.push_back({std::string(link.target), link.kinds, link.count, std::string(link.text),
                          std::string(link.context)});
  }
  return kept;
}

inline void drain(InputStream& in, const ReadOptions& options, const std::string& name,
                  Reading& reading) {
  const ReaderEntry* entry = recognise(in);
  if (!entry) return;
  reading.format = entry->name;
  const auto reader = entry->open({in, options, reading.report, name});
  Capture capture;
  while (reader->next(capture)) reading.captures.push_back(keep(capture));
  reading.record_count = reader->record_count();
}

inline Reading read_bytes(std::string_view bytes, const ReadOptions& options = {}) {
  Reading reading;
  InputStream in(InMemory{bytes}, reading.report);
  drain(in, options, "input", reading);
  return reading;
}

inline Reading read_path(const std::filesystem::path& path, const ReadOptions& options = {}) {
  Reading reading;
  InputStream in(path, reading.report);
  drain(in, options, path.filename().string(), reading);
  return reading;
}

// A file of the large test data; empty if it is not there.
inline std::filesystem::path shared_file(const std::string& name) {
  const std::filesystem::path path = shared_folder() / name;
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

}  // namespace webstrata
