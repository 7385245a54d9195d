// SPDX-License-Identifier: Apache-2.0

// Java and Rust disagree in details: the Rust library has one code for blocks and their count, and
// reads the parameter of zeta codes under another name than it writes. The file written here is
// read the same way by both.
// Tested by tests/graph/bvgraph_test.cpp.

#include "webstrata/graph/bv/properties.h"

#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"

namespace webstrata::bv {
namespace {

using Entries = std::map<std::string, std::string, std::less<>>;

constexpr std::pair<std::string_view, Code> kCodeNames[] = {
    {"DELTA", Code::Delta},   {"GAMMA", Code::Gamma},
    {"GOLOMB", Code::Golomb}, {"SKEWED_GOLOMB", Code::SkewedGolomb},
    {"UNARY", Code::Unary},   {"ZETA", Code::Zeta},
    {"NIBBLE", Code::Nibble},
};

// Longer names first: "BLOCK_COUNT_" is not "BLOCKS_".
constexpr std::pair<std::string_view, Code Codes::*> kFieldNames[] = {
    {"OUTDEGREES_", &Codes::outdegrees},    {"REFERENCES_", &Codes::references},
    {"BLOCK_COUNT_", &Codes::block_counts}, {"BLOCKS_", &Codes::blocks},
    {"INTERVALS_", &Codes::intervals},      {"RESIDUALS_", &Codes::residuals},
    {"OFFSETS_", &Codes::offsets},
};

Entries parse_entries(std::string_view text) {
  Entries entries;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#' || line.front() == '!') continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    entries[std::string(trim(line.substr(0, equals)))] = trim(line.substr(equals + 1));
  }
  return entries;
}

std::uint64_t number(const Entries& entries, std::string_view name,
                     std::optional<std::uint64_t> otherwise = std::nullopt) {
  const auto found = entries.find(name);
  if (found == entries.end()) {
    if (otherwise) return *otherwise;
    throw Error(ErrorKind::Corrupt, fmt::format("the properties do not say '{}'", name));
  }
  const std::string& text = found->second;
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) {
    throw Error(ErrorKind::Corrupt, fmt::format("'{}={}' is not a number", name, text));
  }
  return value;
}

std::string text_of(const Entries& entries, std::string_view name) {
  const auto found = entries.find(name);
  return found == entries.end() ? std::string() : found->second;
}

// "RESIDUALS_ZETA" sets one code. Returns which.
Code Codes::*apply_flag(std::string_view flag, Codes& codes) {
  for (const auto& [field_name, field] : kFieldNames) {
    if (!flag.starts_with(field_name)) continue;
    for (const auto& [code_name, code] : kCodeNames) {
      if (flag.substr(field_name.size()) != code_name) continue;
      codes.*field = code;
      return field;
    }
  }
  throw Error(ErrorKind::BadInput, fmt::format("the compression flag '{}' is not known", flag));
}

Codes parse_flags(std::string_view text, bool is_rust) {
  Codes codes;
  bool has_block_count = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('|'), text.size());
    const std::string_view flag = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (flag.empty()) continue;
    has_block_count |= apply_flag(flag, codes) == &Codes::block_counts;
  }
  // The Rust library has one code for blocks and their number; Java has two.
  if (is_rust && !has_block_count) codes.block_counts = codes.blocks;
  return codes;
}

std::string format_flags(const Codes& codes, bool name_zeta) {
  const Codes defaults;
  std::string text;
  for (const auto& [field_name, field] : kFieldNames) {
    // If only the code of blocks is given, readers differ in the code of block counts; giving both
    // is unambiguous.
    const Code otherwise = field == &Codes::block_counts ? codes.blocks : defaults.*field;
    const bool must_name = name_zeta && field == &Codes::residuals;
    if (codes.*field == otherwise && !must_name) continue;
    for (const auto& [code_name, code] : kCodeNames) {
      if (code != codes.*field) continue;
      text += fmt::format("{}{}{}", text.empty() ? "" : "|", field_name, code_name);
    }
  }
  return text;
}

void check_class(const Entries& entries) {
  const std::string graph_class = text_of(entries, "graphclass");
  // Old files say "class it.unimi.dsi.webgraph.BVGraph".
  if (graph_class.ends_with("webgraph.BVGraph")) return;
  throw Error(ErrorKind::BadInput, fmt::format("'{}' is not a BVGraph", graph_class));
}

BitOrder order_of(const Entries& entries) {
  const std::string order = text_of(entries, "endianness");
  if (order.empty() || order == "big") return BitOrder::BigEndian;
  if (order == "little") return BitOrder::LittleEndian;
  throw Error(ErrorKind::BadInput, fmt::format("the endianness '{}' is not known", order));
}

}  // namespace

Properties parse_properties(std::string_view text) {
  const Entries entries = parse_entries(text);
  check_class(entries);
  Properties properties;
  properties.order = order_of(entries);
  if (number(entries, "version", 0) > 1) {
    throw Error(ErrorKind::BadInput, "a version of BVGraph above 1 is not known");
  }
  properties.nodes = number(entries, "nodes");
  properties.links = number(entries, "arcs");
  properties.window = number(entries, "windowsize", 7);
  properties.chain_max = number(entries, "maxrefcount", 3);
  properties.interval_length = number(entries, "minintervallength", 4);
  const std::uint64_t zeta_k = number(entries, "zetak", 3);
  if (zeta_k == 0 || zeta_k > kBitsMax) throw Error(ErrorKind::Corrupt, "zetak is out of range");
  properties.zeta_k = static_cast<unsigned>(zeta_k);
  properties.codes =
      parse_flags(text_of(entries, "compressionflags"), entries.contains("endianness"));
  return properties;
}

std::string format_properties(const Properties& properties, std::uint64_t bit_count) {
  const bool is_big = properties.order == BitOrder::BigEndian;
  const auto per = [&](std::uint64_t count) {
    return count == 0 ? 0 : static_cast<double>(bit_count) / static_cast<double>(count);
  };
  return fmt::format(
      "#BVGraph properties\n"
      "graphclass=it.unimi.dsi.webgraph.BVGraph\n"
      "version={}\n"
      "endianness={}\n"
      "nodes={}\n"
      "arcs={}\n"
      "windowsize={}\n"
      "maxrefcount={}\n"
      "minintervallength={}\n"
      "zetak={}\n"
      "zeta_k={}\n"
      "compressionflags={}\n"
      "bitsperlink={:.3f}\n"
      "bitspernode={:.3f}\n"
      "length={}\n",
      is_big ? 0 : 1, is_big ? "big" : "little", properties.nodes, properties.links,
      properties.window, properties.chain_max, properties.interval_length, properties.zeta_k,
      properties.zeta_k,
      // The Rust library writes "zetak" but reads "zeta_k", and only if zeta codes are named.
      format_flags(properties.codes, properties.zeta_k != 3), per(properties.links),
      per(properties.nodes), bit_count);
}

}  // namespace webstrata::bv
