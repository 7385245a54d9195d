// SPDX-License-Identifier: Apache-2.0

// Building archives in tests, and comparing their layer files.

#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/archive/small_archive.h"
#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/writer.h"
#include "webstrata/base/file.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {

using Crawl = std::vector<Capture>;
using Files = std::map<std::string, std::string>;

inline void give(ArchiveWriter& writer, const Crawl& crawl, std::size_t batch_size) {
  for (std::size_t start = 0; start < crawl.size(); start += batch_size) {
    auto batch = writer.make_batch();
    for (std::size_t i = start; i < std::min(crawl.size(), start + batch_size); ++i) {
      batch->add(crawl[i]);
    }
    writer.take(std::move(batch));
  }
}

inline void build(const std::filesystem::path& archive, const Crawl& crawl, unsigned threads = 1,
                  std::size_t batch_size = 1000, ArchiveOptions options = small_archive_options()) {
  WriteOptions write;
  write.work.threads = threads;
  ArchiveWriter writer = ArchiveWriter::create(archive, options, write);
  give(writer, crawl, batch_size);
  writer.commit();
}

inline WriteSummary update(const std::filesystem::path& archive, const Crawl& crawl,
                           unsigned threads = 1, Merging merging = Merging::WhenDue) {
  WriteOptions write;
  write.work.threads = threads;
  write.merging = merging;
  ArchiveWriter writer = ArchiveWriter::update(archive, write);
  give(writer, crawl, 7);
  return writer.commit();
}

// Writes what is new as a stratum of its own.
inline WriteSummary stack_up(const std::filesystem::path& archive, const Crawl& crawl,
                             unsigned threads = 1) {
  return update(archive, crawl, threads, Merging::Later);
}

// Merges everything into one stratum, with the bytes of one build.
inline WriteSummary update_at_once(const std::filesystem::path& archive, const Crawl& crawl,
                                   unsigned threads = 1) {
  return update(archive, crawl, threads, Merging::All);
}

// The same facts as build() gives, in a stack: a base of half of them, then ever smaller strata.
inline void build_stack(const std::filesystem::path& archive, const Crawl& crawl,
                        ArchiveOptions options = small_archive_options()) {
  std::size_t first = (crawl.size() + 1) / 2;
  build(archive, Crawl(crawl.begin(), crawl.begin() + static_cast<std::ptrdiff_t>(first)), 1, 1000,
        options);
  while (first < crawl.size()) {
    const std::size_t size = (crawl.size() - first + 1) * 2 / 3;
    const auto begin = crawl.begin() + static_cast<std::ptrdiff_t>(first);
    stack_up(archive, Crawl(begin, begin + static_cast<std::ptrdiff_t>(size)));
    first += size;
  }
}

inline Files layer_files(const std::filesystem::path& archive) {
  const Manifest manifest = Manifest::load(archive);
  Files files;
  for (const auto& entry :
       std::filesystem::directory_iterator(archive / generation_name(manifest.generation))) {
    files[entry.path().filename()] = read_file(entry.path());
  }
  files["digest"] = manifest.facts_digest;
  return files;
}

// Names of the files that differ.
inline std::string difference(const Files& a, const Files& b) {
  std::string names;
  for (const auto& [name, bytes] : a) {
    if (!b.contains(name) || b.at(name) != bytes) names += name + " ";
  }
  for (const auto& [name, bytes] : b) {
    if (!a.contains(name)) names += name + " ";
  }
  return names;
}

}  // namespace webstrata
