// SPDX-License-Identifier: Apache-2.0

// Names get numbers in the order of their first appearance; when all are known they are sorted by
// their keys and the links translated. Tested by tests/graph/graph_text_test.cpp.

#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "webstrata/base/text.h"
#include "webstrata/graph/graph_text.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/graph/link_pairs.h"
#include "webstrata/graph/text_output.h"
#include "webstrata/graph/tsv_form.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

// Numbers that are names.
class NumberNames : public NodeNames {
 public:
  explicit NumberNames(std::vector<std::uint64_t> numbers) : numbers_(std::move(numbers)) {}
  [[nodiscard]] std::string name(Node node) const override {
    return std::to_string(numbers_[node]);
  }
  [[nodiscard]] std::optional<Node> find(std::string_view name) const override {
    const auto number = parse_node_number(name);
    if (!number) return std::nullopt;
    const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), *number);
    if (found == numbers_.end() || *found != *number) return std::nullopt;
    return static_cast<Node>(found - numbers_.begin());
  }

 private:
  std::vector<std::uint64_t> numbers_;  // ascending
};

// Gives keys numbers in the order of arrival.
template <typename Key>
class Interned {
 public:
  Node number(const Key& key) {
    return numbers_.try_emplace(key, static_cast<Node>(numbers_.size())).first->second;
  }
  [[nodiscard]] std::size_t size() const noexcept { return numbers_.size(); }

  // All keys, ascending; node_of[number] is the place of each.
  std::vector<Key> sorted(std::vector<Node>& node_of) {
    std::vector<std::pair<Key, Node>> entries(numbers_.begin(), numbers_.end());
    numbers_.clear();
    std::sort(entries.begin(), entries.end());
    node_of.resize(entries.size());
    std::vector<Key> keys;
    keys.reserve(entries.size());
    for (auto& [key, number] : entries) {
      node_of[number] = static_cast<Node>(keys.size());
      keys.push_back(std::move(key));
    }
    return keys;
  }

 private:
  std::unordered_map<Key, Node> numbers_;
};

class TsvReader {
 public:
  TsvReader(LineReader& lines, const WorkOptions& work) : lines_(lines), work_(work) {}

  Snapshot read() {
    refuse_unless_tsv(lines_);
    while (const auto line = lines_.next()) {
      if (lines_.line_number() % LineReader::kProgressLines == 0) tell();
      if (line->starts_with('#')) {
        note_comment(*line);
        continue;
      }
      const TsvFields fields = split_tsv(*line);
      if (fields.source.empty()) continue;
      if (!kind_) kind_ = tsv_kind_of(fields);
      Node source = number_of(fields.source);
      if (fields.target.empty()) {
        if (kind_ == TsvKind::Numbers && are_nodes_) lone_.push_back(source);
        continue;
      }
      const bool were_nodes = are_nodes_;
      const Node target = number_of(fields.target);
      if (were_nodes != are_nodes_) source = numbers_.number(source);
      links_.add(source, target);
    }
    return kind_ == TsvKind::Numbers ? finish_numbers() : finish_names();
  }

 private:
  void tell() const {
    work_.check_cancelled();
    if (!work_.progress) return;
    work_.progress({"reading links", lines_.bytes_read(), lines_.file_size(), "B"});
  }

  // "# Nodes: 875713 Edges: 5105039"
  void note_comment(std::string_view line) {
    constexpr std::string_view kNodes = "Nodes:";
    const std::size_t at = line.find(kNodes);
    if (at == std::string_view::npos) return;
    const std::string_view rest = trim(line.substr(at + kNodes.size()));
    said_nodes_ = parse_node_number(rest.substr(0, rest.find(' '))).value_or(0);
  }

  Node number_of(std::string_view text) {
    if (names_.size() + numbers_.size() >= kNodesMax) lines_.refuse("there are too many nodes");
    if (kind_ == TsvKind::Numbers) return number_of_number(text);
    if (kind_ == TsvKind::Names) return names_.number(std::string(text));
    if (!parse_url(text, url_)) {
      lines_.refuse(fmt::format("'{}' is not a URL, but those before it are", text));
    }
    key_.clear();
    append_key(url_, key_);
    return names_.number(key_);
  }

  // Numbers are nodes until one is too large for a node; from then on they are names.
  Node number_of_number(std::string_view text) {
    const auto number = parse_node_number(text);
    if (!number) lines_.refuse(fmt::format("'{}' is not a number, as those before it", text));
    if (are_nodes_ && *number >= kNodesMax) {
      are_nodes_ = false;
      links_.translate([&](Node node) { return numbers_.number(node); });
      for (const Node node : lone_) numbers_.number(node);
    }
    if (!are_nodes_) return numbers_.number(*number);
    largest_ = std::max(largest_, static_cast<Node>(*number));
    return static_cast<Node>(*number);
  }

  Snapshot finish_numbers() {
    const std::uint64_t dense_max = 64 * (2 * links_.size() + lone_.size()) + (1 << 16);
    if (are_nodes_ && largest_ < dense_max) {
      const std::uint64_t said = said_nodes_ <= dense_max ? said_nodes_ : 0;
      return links_.to_snapshot(std::max(std::uint64_t{largest_} + 1, said), work_);
    }
    if (are_nodes_) {
      links_.translate([&](Node node) { return numbers_.number(node); });
      for (const Node node : lone_) numbers_.number(node);
    }
    std::vector<Node> node_of;
    auto numbers = numbers_.sorted(node_of);
    links_.translate([&](Node number) { return node_of[number]; });
    const Snapshot graph = links_.to_snapshot(numbers.size(), work_);
    return graph.with_names(std::make_shared<NumberNames>(std::move(numbers)));
  }

  Snapshot finish_names() {
    std::vector<Node> node_of;
    NameList list;
    for (const std::string& name : names_.sorted(node_of)) list.add(name);
    links_.translate([&](Node number) { return node_of[number]; });
    const Snapshot graph = links_.to_snapshot(node_of.size(), work_);
    if (kind_ == TsvKind::Urls) {
      return graph.with_names(std::make_shared<KeyNames>(std::move(list)));
    }
    return graph.with_names(std::make_shared<NameList>(std::move(list)));
  }

  LineReader& lines_;
  const WorkOptions& work_;
  std::optional<TsvKind> kind_;  // of the first line
  bool are_nodes_ = true;        // numbers are nodes as they are
  Node largest_ = 0;
  std::vector<Node> lone_;  // nodes without a target
  Interned<std::uint64_t> numbers_;
  Interned<std::string> names_;
  LinkPairs links_;
  std::uint64_t said_nodes_ = 0;
  Url url_;
  std::string key_;
};

// Tabs and line ends would break the table.
std::string field_of(const std::string& name) {
  if (name.find_first_of("\t\n\r") == std::string::npos) return name;
  std::string field;
  for (const char byte : name) {
    const bool breaks = byte == '\t' || byte == '\n' || byte == '\r';
    field += breaks ? fmt::format("%{:02X}", byte) : std::string(1, byte);
  }
  return field;
}

}  // namespace

Snapshot read_tsv(const std::filesystem::path& path, const WorkOptions& work) {
  LineReader lines(path);
  return TsvReader(lines, work).read();
}

Snapshot parse_tsv(std::string_view text) {
  LineReader lines(InMemoryText{text});
  const WorkOptions work = {.threads = 1};
  return TsvReader(lines, work).read();
}

void write_tsv(const Snapshot& graph, const std::filesystem::path& path, const WorkOptions& work) {
  TextOutput out(path);
  std::string line;
  for (Node node = 0; node < graph.node_count(); ++node) {
    if (node % 65536 == 0) work.check_cancelled();
    if (node % 65536 == 0 && work.progress) {
      work.progress({"writing links", node, graph.node_count(), "nodes"});
    }
    if (graph.out_degree(node) == 0) continue;
    const std::string source = field_of(graph.name(node));
    for (const Node target : graph.successors(node)) {
      line = source;
      line += '\t';
      line += graph.has_names() ? field_of(graph.name(target)) : std::to_string(target);
      line += '\n';
      out.write(line);
    }
  }
  out.finish();
}

}  // namespace webstrata
