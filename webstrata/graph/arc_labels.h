// SPDX-License-Identifier: Apache-2.0

// Labels of the links of a BVGraph, in WebGraph's form: a graph X with X.labels, whose links are
// those of another graph. LAW's union graphs of several snapshots have one bit for each snapshot.
//
//   if (const auto links = underlying_graph("uk-union")) {
//     ArcLabels labels("uk-union");
//     labels.next();     // of the first link of the first node; then of the others, in order
//   }

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace webstrata {

// The graph that has the links, if `path` (a base name or one of its files) is a graph with labels.
// Throws Error(Corrupt) if its properties do not name one.
std::optional<std::filesystem::path> underlying_graph(const std::filesystem::path& path);

class ArcLabels {
 public:
  // Throws Error(NotFound), and Error(BadInput) for labels of another class than
  // FixedWidthIntLabel, FixedWidthLongLabel, GammaCodedIntLabel and FixedWidthIntListLabel; a list
  // of numbers is the set of these bits.
  explicit ArcLabels(const std::filesystem::path& path);
  ~ArcLabels();
  ArcLabels(ArcLabels&&) noexcept;

  // Throws Error(Corrupt) after the last.
  std::uint64_t next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
