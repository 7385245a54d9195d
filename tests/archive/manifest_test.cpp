// SPDX-License-Identifier: Apache-2.0
#include "webstrata/archive/disk/manifest.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/temporary_folder.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

Manifest full_manifest() {
  Manifest manifest;
  manifest.options = {.range_seconds = 86400,
                      .kinds = LinkKind::Navigation | LinkKind::Embed,
                      .digests = DigestMode::Bits64,
                      .effort = LinksEffort::Compact,
                      .keep_other_schemes = true,
                      .block_bits = 4,
                      .part_blocks = 2};
  manifest.generation = 7;
  manifest.counts = {10, 9, 8, 7, 6, ~0ULL, TimeInterval{-5, 1LL << 40}};
  manifest.facts_digest = "000102030405060708090a0b0c0d0e0f";
  manifest.layers[Layer::Links] = {{"links.00000", 5, 0xffffffffffffffff}, {"links.00001", 6, 0}};
  manifest.layers[Layer::InPresence] = {};
  manifest.tombstones = {{"tombstones.000003", 99, 1}};
  manifest.doomed = {3, 6};
  manifest.residue = true;
  return manifest;
}

// `line` as the manifest, with a checksum that fits.
std::string sealed(const std::string& line) {
  return line + "\n" + fmt::format("{{\"checksum\":\"{:016x}\"}}\n", checksum64(line + "\n"));
}

std::string first_line(const Manifest& manifest) {
  const std::string text = manifest.to_text();
  return text.substr(0, text.find('\n'));
}

std::string replaced(std::string text, std::string_view old, std::string_view fresh) {
  const std::size_t place = text.find(old);
  EXPECT_NE(place, std::string::npos) << old;
  return text.replace(place, old.size(), fresh);
}

ErrorKind kind_of_refusal(const std::string& text, std::string* message = nullptr) {
  try {
    Manifest::parse(text, "lib.ws/MANIFEST");
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("lib.ws/MANIFEST: "), std::string::npos);
    if (message != nullptr) *message = error.what();
    return error.kind();
  }
  ADD_FAILURE() << "was taken: " << text;
  return ErrorKind::Cancelled;
}

TEST(Manifest, IsReadAsItWasSaved) {
  const TemporaryFolder folder;
  for (const Manifest& manifest : {Manifest{}, full_manifest()}) {
    manifest.save(folder.path());
    EXPECT_EQ(Manifest::load(folder.path()), manifest);
  }
}

TEST(Manifest, IsTwoLinesOfJson) {
  const std::string text = full_manifest().to_text();
  EXPECT_EQ(text, sealed(first_line(full_manifest())));
  EXPECT_TRUE(text.starts_with(R"({"format_version":1,"encoder_revision":1,"generation":7,)"));
}

Manifest manifest_of_stack() {
  Manifest manifest = full_manifest();
  manifest.format_version = kStackFormatVersion;
  manifest.facts_digest.clear();
  manifest.strata.resize(2);
  manifest.strata[0] = {{9, 8, 7, 6, 5, 4, TimeInterval{1, 2}}, std::string(32, 'a'), {}, {}};
  manifest.strata[1].counts.nodes = 3;
  manifest.strata[1].facts_digest = std::string(32, 'b');
  manifest.strata[1].layers[Layer::Links] = {{"links.00000", 7, 8}};
  manifest.strata[1].places = {"places", 5, 6};
  return manifest;
}

TEST(Manifest, AStackListsItsStrata) {
  const Manifest manifest = manifest_of_stack();
  EXPECT_EQ(Manifest::parse(manifest.to_text(), "lib.ws/MANIFEST"), manifest);
  EXPECT_TRUE(manifest.is_stack());
  EXPECT_FALSE(manifest.of_stratum(1).is_stack());
  EXPECT_EQ(manifest.of_stratum(0).counts.nodes, 9U);
  EXPECT_EQ(manifest.of_stratum(0).layers, manifest.layers);
  EXPECT_EQ(manifest.of_stratum(1).layers, manifest.strata[1].layers);
  EXPECT_EQ(full_manifest().of_stratum(0), full_manifest());
  EXPECT_EQ(stratum_folder("g000007", 0), "g000007");
  EXPECT_EQ(stratum_folder("g000007", 2), "g000007/stratum.2");
}

TEST(Manifest, AStackThatMakesNoSenseIsDamaged) {
  Manifest of_one = manifest_of_stack();
  of_one.strata.pop_back();
  Manifest without_places = manifest_of_stack();
  without_places.strata[1].places.reset();
  Manifest of_old_format = manifest_of_stack();
  of_old_format.format_version = kFormatVersion;
  Manifest without_strata = manifest_of_stack();
  without_strata.strata.clear();
  for (const Manifest& manifest : {of_one, without_places, of_old_format, without_strata}) {
    EXPECT_EQ(kind_of_refusal(manifest.to_text()), ErrorKind::Corrupt);
  }
}

TEST(Manifest, GenerationsHaveNames) {
  EXPECT_EQ(generation_name(7), "g000007");
  EXPECT_EQ(generation_name(12345678), "g12345678");
}

TEST(Manifest, AFolderWithoutOneIsNoArchive) {
  const TemporaryFolder folder;
  for (const auto& path : {folder.path(), folder / "missing"}) {
    try {
      Manifest::load(path);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::NotFound);
    }
  }
}

TEST(Manifest, ANewerFormatIsRefusedWhateverElseItHolds) {
  std::string message;
  EXPECT_EQ(kind_of_refusal(sealed(R"({"format_version":3,"novelty":[]})"), &message),
            ErrorKind::BadInput);
  EXPECT_NE(message.find("written by a newer webstrata"), std::string::npos);
}

TEST(Manifest, UnknownLayersAreListedAndNotLost) {
  const std::string text = sealed(
      replaced(first_line(full_manifest()), R"("layers":{)", R"("layers":{"novel":[1],"x":{},)"));
  Manifest expected = full_manifest();
  expected.unknown_layers = {"novel", "x"};
  const Manifest manifest = Manifest::parse(text, "MANIFEST");
  EXPECT_EQ(manifest, expected);
  const TemporaryFolder folder;
  EXPECT_THROW(manifest.save(folder.path()), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Manifest, EveryTruncationIsNoticed) {
  const std::string text = full_manifest().to_text();
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_EQ(kind_of_refusal(text.substr(0, size)), ErrorKind::Corrupt);
  }
  EXPECT_EQ(kind_of_refusal(text + " "), ErrorKind::Corrupt);
}

TEST(Manifest, EveryFlippedBitIsNoticed) {
  std::string text = full_manifest().to_text();
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    const auto mask = static_cast<char>(1U << (bit % 8));
    text[bit / 8] ^= mask;
    EXPECT_EQ(kind_of_refusal(text), ErrorKind::Corrupt);
    text[bit / 8] ^= mask;
  }
}

TEST(Manifest, NonsenseUnderAGoodChecksumIsRefused) {
  const std::string line = first_line(full_manifest());
  EXPECT_EQ(Manifest::parse(sealed(line), "MANIFEST"), full_manifest());
  for (const auto& [old, fresh] : std::vector<std::pair<std::string, std::string>>{
           {R"("generation":7)", R"("generation":-7)"},
           {R"("generation":7)", R"("generation":"7")"},
           {R"("generation":7,)", ""},
           {R"("generation":7)", R"("generation":6)"},  // the current one is doomed
           {R"("format_version":1)", R"("format_version":0)"},
           {R"("range_seconds":86400)", R"("range_seconds":-1)"},
           {R"("navigation+embed")", R"("navigation+magic")"},
           {R"("64bit")", R"("65bit")"},
           {R"("compact")", R"("lazy")"},
           {R"("block_bits":4)", R"("block_bits":33)"},
           {R"("part_blocks":2)", R"("part_blocks":0)"},
           {R"("part_blocks":2)", R"("part_blocks":4294967296)"},
           {R"("ffffffffffffffff")", R"("FFFFFFFFFFFFFFFF")"},
           {R"("ffffffffffffffff")", R"("ffff")"},
           {R"("links.00000")", R"("../links.00000")"},
           {R"("links.00000")", R"("")"},
           {R"("links.00000")", R"("a\u0000b")"},
           {R"([3,6])", R"([3,null])"},
           {R"("in_presence":)", R"("links":)"},
           {R"("in_presence":[])", R"("in_presence":[[]])"},
           {R"(true})", R"(1})"},
           {R"(true})", R"(true)"},
       }) {
    EXPECT_EQ(kind_of_refusal(sealed(replaced(line, old, fresh))), ErrorKind::Corrupt) << fresh;
  }
  for (const char* text : {"", "[]", "null", "{}", "{} {}"}) {
    EXPECT_EQ(kind_of_refusal(sealed(text)), ErrorKind::Corrupt) << text;
  }
}

}  // namespace
}  // namespace webstrata
