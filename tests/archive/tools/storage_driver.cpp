// SPDX-License-Identifier: Apache-2.0

// Makes small archives for the crash tests of the storage itself, without any crawl.
//
//   storage_driver write ARCHIVE TAG   a new archive, or a new generation of one, about TAG; the
//                                      second part of `links` is the same in all, so it is linked
//   storage_driver forget ARCHIVE TAG  the same, but returns only when no old generation is left
//   storage_driver check ARCHIVE       reads everything and prints the TAG and what is left over
//
// Exit code 2 and one line on an error.

#include <cstdio>
#include <filesystem>
#include <string>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/disk/layer_reader.h"
#include "webstrata/archive/disk/layer_writer.h"
#include "webstrata/base/error.h"

namespace {

using namespace webstrata;

constexpr std::uint32_t kPartBlocks = 2;

LayerReader open_layer(const std::filesystem::path& folder, const Manifest& manifest, Layer layer) {
  return LayerReader::open(folder, layer, kPartBlocks, manifest.layers.at(layer));
}

std::vector<LayerFile> write_names(const std::filesystem::path& folder, const std::string& tag) {
  LayerWriter writer(folder, Layer::Names, kPartBlocks);
  writer.add_block(tag, {.items = 1});
  return writer.finish();
}

std::vector<LayerFile> write_links(const std::filesystem::path& folder, const std::string& tag,
                                   const LayerReader* old) {
  LayerWriter writer(folder, Layer::Links, kPartBlocks);
  for (std::uint64_t block = 0; block < 4; ++block) {
    if (block < 2) {
      writer.add_block(tag, {.items = 2});
    } else if (old != nullptr) {
      writer.copy_block(*old, block);
    } else {
      writer.add_block("always the same", {.items = 3});
    }
  }
  return writer.finish();
}

void publish(const WriterLock& lock, const std::string& tag, bool residue) {
  std::optional<LayerReader> old;
  if (const auto before = lock.manifest()) {
    old = open_layer(lock.archive() / generation_name(before->generation), *before, Layer::Links);
  }
  GenerationDraft draft(lock);
  Manifest manifest;
  manifest.options.part_blocks = kPartBlocks;
  manifest.facts_digest = tag;
  manifest.residue = residue;
  manifest.layers[Layer::Names] = write_names(draft.folder(), tag);
  manifest.layers[Layer::Links] = write_links(draft.folder(), tag, old ? &*old : nullptr);
  draft.publish(manifest);
}

void write(const std::filesystem::path& archive, const std::string& tag, bool forget) {
  const bool exists = std::filesystem::exists(archive / kManifestName);
  const WriterLock lock = exists ? WriterLock::take(archive) : WriterLock::create(archive);
  publish(lock, tag, forget);
  if (forget) wait_for_readers(lock);
}

void check(const std::filesystem::path& archive) {
  const GenerationLease lease = GenerationLease::take(archive);
  const Manifest& manifest = lease.manifest();
  for (const auto& [layer, files] : manifest.layers) {
    const LayerReader reader = open_layer(lease.folder(), manifest, layer);
    for (std::uint64_t block = 0; block < reader.block_count(); ++block) {
      const bool tagged = reader.summary(block).items < 3;
      if (reader.block(block) != (tagged ? manifest.facts_digest : "always the same")) {
        throw Error(ErrorKind::Corrupt, reader.describe(block) + ": is of another generation");
      }
    }
  }
  std::printf("%s %zu%s\n", manifest.facts_digest.c_str(),
              old_generations(archive, manifest).size(), manifest.residue ? " residue" : "");
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::string verb = argument_count > 2 ? arguments[1] : "";
  try {
    if (verb == "check") {
      check(arguments[2]);
    } else if (argument_count == 4) {
      write(arguments[2], arguments[3], verb == "forget");
    } else {
      throw Error(ErrorKind::BadInput, "write|forget ARCHIVE TAG, or check ARCHIVE");
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "storage_driver: %s\n", error.what());
    return 2;
  }
  return 0;
}
