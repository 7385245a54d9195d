// SPDX-License-Identifier: Apache-2.0

// Archives for tests: small blocks and parts, so that a small crawl has many of them.

#pragma once

#include <filesystem>
#include <vector>

#include "webstrata/archive/writer.h"

namespace webstrata {

inline ArchiveOptions small_archive_options() {
  ArchiveOptions options;
  options.block_bits = 3;
  options.part_blocks = 2;
  return options;
}

inline void give_captures(ArchiveWriter& writer, const std::vector<Capture>& crawl) {
  auto batch = writer.make_batch();
  for (const Capture& capture : crawl) batch->add(capture);
  writer.take(std::move(batch));
}

inline void build_archive(const std::filesystem::path& archive, const std::vector<Capture>& crawl,
                          const ArchiveOptions& options = small_archive_options()) {
  WriteOptions write;
  write.work.threads = 1;
  ArchiveWriter writer = ArchiveWriter::create(archive, options, write);
  give_captures(writer, crawl);
  writer.commit();
}

inline void update_archive(const std::filesystem::path& archive,
                           const std::vector<Capture>& crawl) {
  WriteOptions write;
  write.work.threads = 1;
  ArchiveWriter writer = ArchiveWriter::update(archive, write);
  give_captures(writer, crawl);
  writer.commit();
}

}  // namespace webstrata
