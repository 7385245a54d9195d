// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/bvgraph.h"

#include <gtest/gtest.h>

#include "../temporary_folder.h"
#include "random_graph.h"
#include "tests/shared_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/graph/bv/decoder.h"
#include "webstrata/graph/bv/encoder.h"
#include "webstrata/graph/graph_text.h"

namespace webstrata {
namespace {

const std::filesystem::path kLaw = shared_folder() / "data" / "law";

#define NEED_LAW() \
  if (!std::filesystem::exists(kLaw)) GTEST_SKIP() << "no " << kLaw << " here"

// What LAW itself says the graph was in 2006, as text.
const Snapshot& old_truth() {
  static const Snapshot graph =
      read_ascii_graph(kLaw / "cnr-2000-java2006" / "cnr-2000.graph-txt.gz");
  return graph;
}

// The same crawl as LAW numbered it in 2010.
const Snapshot& cnr() {
  static const Snapshot graph =
      load_bvgraph(kLaw / "cnr-2000" / "cnr-2000", {.work = {.threads = 1}});
  return graph;
}

// (out-degree, in-degree) of all nodes: what a new numbering does not change.
std::vector<std::pair<std::uint32_t, std::uint32_t>> degrees(const Snapshot& graph) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  for (Node node = 0; node < graph.node_count(); ++node) {
    all.emplace_back(graph.out_degree(node), graph.in_degree(node));
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(BvGraph, ReadsWhatJavaWroteIn2006) {
  NEED_LAW();
  ASSERT_EQ(old_truth().node_count(), 325557U);
  ASSERT_EQ(old_truth().link_count(), 3216152U);
  EXPECT_TRUE(same_links(load_bvgraph(kLaw / "cnr-2000-java2006" / "cnr-2000"), old_truth()));
}

// webgraph_peer_test.py compares them with what the Rust library reads.
TEST(BvGraph, ReadsEveryVariantOfCnr2000) {
  NEED_LAW();
  EXPECT_EQ(degrees(cnr()), degrees(old_truth()));
  for (const char* name : {"cnr-2000-be", "cnr-2000-le", "cnr-2000-hc"}) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(same_links(load_bvgraph(kLaw / "cnr-2000-variants" / name), cnr()));
  }
  const Snapshot turned = load_bvgraph(kLaw / "cnr-2000" / "cnr-2000-t.graph");
  EXPECT_TRUE(same_links(turned, cnr().transposed()));
}

TEST(BvGraph, ThreadsMakeNoDifference) {
  NEED_LAW();
  for (const unsigned threads : {2U, 3U}) {
    const auto graph = load_bvgraph(kLaw / "cnr-2000/cnr-2000", {.work = {.threads = threads}});
    EXPECT_TRUE(same_links(graph, cnr())) << threads;
  }
}

// LAW's files are filled up with zeros to 16 bytes.
void expect_same_stream(const std::string& ours, const std::string& theirs) {
  ASSERT_LE(ours.size(), theirs.size());
  const std::string padding(theirs.size() - ours.size(), '\0');
  EXPECT_LT(padding.size(), 16U);
  EXPECT_TRUE(theirs == ours + padding);
}

TEST(BvGraph, WritesTheBytesThatWebGraphWrote) {
  NEED_LAW();
  const TemporaryFolder folder;
  for (const char* name : {"cnr-2000", "cnr-2000-t"}) {
    const auto base = kLaw / "cnr-2000" / name;
    write_bvgraph(load_bvgraph(base), folder / name, {.work = {.threads = 3}});
    for (const char* extension : {".graph", ".offsets"}) {
      expect_same_stream(read_file((folder / name).string() + extension),
                         read_file(base.string() + extension));
    }
  }
  write_bvgraph(cnr(), folder / "le", {.little_endian = true, .work = {.threads = 1}});
  expect_same_stream(read_file(folder / "le.graph"),
                     read_file(kLaw / "cnr-2000-variants" / "cnr-2000-le.graph"));
  write_bvgraph(old_truth(), folder / "java2006", {.interval_length = 3, .work = {.threads = 2}});
  expect_same_stream(read_file(folder / "java2006.graph"),
                     read_file(kLaw / "cnr-2000-java2006" / "cnr-2000.graph"));
}

TEST(BvGraph, WhatIsWrittenComesBackWhateverTheOptions) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Snapshot graph = random_graph(random, static_cast<Node>(random.below(400)), 20);
    const BvGraphWriteOptions options = {
        .window = static_cast<std::uint32_t>(random.below(12)),
        .chain_max = static_cast<std::uint32_t>(random.below(5)),
        .interval_length = static_cast<std::uint32_t>(random.below(6)),
        .zeta_k = static_cast<std::uint32_t>(1 + random.below(6)),
        .little_endian = random.chance(0.5),
    };
    const BvGraphSize size = write_bvgraph(graph, folder / "g", options);
    EXPECT_EQ(size.nodes, graph.node_count());
    EXPECT_EQ(size.links, graph.link_count());
    EXPECT_TRUE(same_links(load_bvgraph(folder / "g"), graph));
    std::filesystem::remove(folder / "g.offsets");
    EXPECT_TRUE(same_links(load_bvgraph(folder / "g.properties"), graph));
  }
}

// Encodes with any codes and any reference, good or bad: a reader must accept all.
std::string encode_freely(const Snapshot& graph, bv::Properties& properties, Random& random) {
  properties.nodes = graph.node_count();
  properties.links = graph.link_count();
  bv::ListEncoder encoder(properties);
  bv::BitBuffer bits(properties.order);
  for (Node node = 0; node < graph.node_count(); ++node) {
    const std::uint64_t back = random.below(std::min<std::uint64_t>(node, properties.window) + 1);
    const auto reference =
        back == 0 ? std::span<const Node>() : graph.successors(node - static_cast<Node>(back));
    encoder.write(node, graph.successors(node), back, reference, bits);
  }
  return bits.finish();
}

bv::Properties random_properties(Random& random) {
  constexpr bv::Code kCodes[] = {bv::Code::Delta,        bv::Code::Gamma, bv::Code::Golomb,
                                 bv::Code::SkewedGolomb, bv::Code::Unary, bv::Code::Zeta,
                                 bv::Code::Nibble};
  const auto any = [&] { return kCodes[random.below(std::size(kCodes))]; };
  bv::Properties properties;
  properties.order = random.chance(0.5) ? bv::BitOrder::BigEndian : bv::BitOrder::LittleEndian;
  properties.window = random.below(3) == 0 ? 2000 : random.below(10);
  properties.chain_max = 2147483647;
  properties.interval_length = random.below(5);
  properties.zeta_k = static_cast<unsigned>(1 + random.below(5));
  properties.codes = {any(), any(), any(), any(), any(), any(), any()};
  return properties;
}

TEST(BvGraph, EveryCodeIsReadInEveryPlace) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Snapshot graph = random_graph(random, static_cast<Node>(random.below(300)), 15);
    bv::Properties properties = random_properties(random);
    const std::string bytes = encode_freely(graph, properties, random);
    const auto reread = bv::parse_properties(bv::format_properties(properties, bytes.size() * 8));
    EXPECT_EQ(reread, properties);
    EXPECT_TRUE(same_links(decode_bvgraph(reread, bytes, {}), graph));
  }
}

TEST(BvGraph, FlippedAndMissingBitsNeverCrash) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Snapshot graph = random_graph(random, 60, 10);
    bv::Properties properties = random_properties(random);
    std::string bytes = encode_freely(graph, properties, random);
    if (random.chance(0.3)) bytes.resize(random.below(bytes.size() + 1));
    for (std::uint64_t i = random.below(4); i > 0 && !bytes.empty(); --i) {
      bytes[random.below(bytes.size())] ^= static_cast<char>(1 << random.below(8));
    }
    try {
      const Snapshot damaged = decode_bvgraph(properties, bytes, {});
      EXPECT_EQ(damaged.link_count(), graph.link_count());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << error.what();
    }
  }
}

TEST(BvGraph, OffsetsOfAnotherGraphAreNoticed) {
  const TemporaryFolder folder;
  Random random(5);
  const Snapshot graph = random_graph(random, 100000, 3);
  write_bvgraph(graph, folder / "a");
  write_bvgraph(random_graph(random, 100000, 3), folder / "b");
  EXPECT_TRUE(same_links(load_bvgraph(folder / "a", {.work = {.threads = 2}}), graph));
  std::filesystem::copy_file(folder / "b.offsets", folder / "a.offsets",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THROW(load_bvgraph(folder / "a", {.work = {.threads = 2}}), Error);
}

TEST(BvGraph, NamesComeFromAFileOfUrls) {
  const TemporaryFolder folder;
  write_bvgraph(Snapshot::from_links(2, {{0, 1}}), folder / "g");
  write_file(folder / "g.urls", "http://a.org/\nhttp://b.org/\n");
  const auto graph = load_bvgraph(folder / "g", {.urls = folder / "g.urls"});
  EXPECT_EQ(graph.name(1), "http://b.org/");
  write_file(folder / "g.urls", "http://a.org/\n");
  EXPECT_THROW(load_bvgraph(folder / "g", {.urls = folder / "g.urls"}), Error);
}

TEST(BvGraphWriter, RefusesWhatIsNoGraphAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  {
    BvGraphWriter writer(folder / "g");
    EXPECT_THROW(writer.add(std::vector<Node>{1, 1}), Error);
    writer.add(std::vector<Node>{7});
    EXPECT_THROW(writer.finish(), Error);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_THROW(BvGraphWriter(folder / "g", {.zeta_k = 0}), Error);
}

TEST(BvProperties, OtherGraphsAreRefusedByName) {
  const auto kind = [](const char* text) {
    try {
      bv::parse_properties(text);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::Io;
  };
  EXPECT_EQ(kind("graphclass=it.unimi.dsi.webgraph.EFGraph\nnodes=1\narcs=0\n"),
            ErrorKind::BadInput);
  EXPECT_EQ(kind("graphclass=it.unimi.dsi.webgraph.BVGraph\nnodes=1\n"), ErrorKind::Corrupt);
  EXPECT_EQ(kind("graphclass=it.unimi.dsi.webgraph.BVGraph\nnodes=x\narcs=0\n"),
            ErrorKind::Corrupt);
  EXPECT_EQ(kind("graphclass=it.unimi.dsi.webgraph.BVGraph\nnodes=1\narcs=0\n"
                 "compressionflags=RESIDUALS_MORSE\n"),
            ErrorKind::BadInput);
}

// Java keeps the code of block counts apart from that of blocks, Rust does not.
TEST(BvProperties, OneFlagForBlocksMeansDifferentThingsInJavaAndRust) {
  const std::string java =
      "graphclass=it.unimi.dsi.webgraph.BVGraph\r\nnodes=1\r\narcs=0\r\n"
      "compressionflags=BLOCKS_DELTA | REFERENCES_GAMMA\r\n";
  const auto codes = bv::parse_properties(java).codes;
  EXPECT_EQ(codes.blocks, bv::Code::Delta);
  EXPECT_EQ(codes.references, bv::Code::Gamma);
  EXPECT_EQ(codes.block_counts, bv::Code::Gamma);
  EXPECT_EQ(bv::parse_properties(java + "endianness=big\n").codes.block_counts, bv::Code::Delta);
}

}  // namespace
}  // namespace webstrata
