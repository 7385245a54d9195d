// SPDX-License-Identifier: Apache-2.0

// The names of a Snapshot's nodes: URLs, hosts, domains. They may come from an archive, from a list
// of URLs next to a graph file, or be absent.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/base/work.h"

namespace webstrata {

// Threads may share one.
class NodeNames {
 public:
  virtual ~NodeNames() = default;
  [[nodiscard]] virtual std::string name(Node node) const = 0;
  // Empty if no node has that name.
  [[nodiscard]] virtual std::optional<Node> find(std::string_view name) const = 0;
};

// Names in memory, each stored as its difference from the previous one (a full one every 16).
class NameList : public NodeNames {
 public:
  void add(std::string_view name);
  [[nodiscard]] Node size() const noexcept { return size_; }
  [[nodiscard]] std::string name(Node node) const override;
  // A binary search if the names were added in ascending bytewise order, otherwise a linear one.
  [[nodiscard]] std::optional<Node> find(std::string_view name) const override;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  class Cursor;
  [[nodiscard]] std::string_view group_head(std::size_t group) const noexcept;
  [[nodiscard]] std::optional<Node> find_in_group(std::size_t group, std::string_view name) const;

  Node size_ = 0;
  bool is_sorted_ = true;
  std::string last_;
  std::string bytes_;
  std::vector<std::uint64_t> groups_;  // where each group of 16 begins
};

// A name for each node from a text file, one per line, plain or gzip, as LAW publishes `.urls.gz`.
// Throws Error(BadInput) if they are not `node_count`.
std::shared_ptr<const NameList> load_name_list(const std::filesystem::path& path, Node node_count,
                                               const WorkOptions& work = {});

// Exact keys (url/key.h) in ascending order, shown as their URLs.
class KeyNames : public NodeNames {
 public:
  explicit KeyNames(NameList keys) : keys_(std::move(keys)) {}
  [[nodiscard]] std::string name(Node node) const override;
  // Any spelling that normalises to the URL.
  [[nodiscard]] std::optional<Node> find(std::string_view url) const override;

 private:
  NameList keys_;
};

}  // namespace webstrata
