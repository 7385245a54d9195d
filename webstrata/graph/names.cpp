// SPDX-License-Identifier: Apache-2.0

// Front coding: each name is varint(shared bytes), varint(other bytes), the other bytes. The head
// of a group is complete, so that a search can compare heads without decoding.
// Tested by tests/graph/names_test.cpp.

#include "webstrata/graph/names.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr Node kGroupNames = 16;

std::size_t shared_prefix(std::string_view a, std::string_view b) noexcept {
  const std::size_t size = std::min(a.size(), b.size());
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + size, b.begin()).first -
                                  a.begin());
}

}  // namespace

// Walks through the names of a group.
class NameList::Cursor {
 public:
  explicit Cursor(std::string_view bytes) : reader_(bytes, "names") {}
  const std::string& next() {
    name_.resize(reader_.varint());
    name_ += reader_.take(reader_.varint());
    return name_;
  }

 private:
  ByteReader reader_;
  std::string name_;
};

void NameList::add(std::string_view name) {
  if (size_ == ~Node{0}) throw Error(ErrorKind::BadInput, "more than 4294967295 names");
  const bool is_head = size_ % kGroupNames == 0;
  if (is_head) groups_.push_back(bytes_.size());
  if (size_ > 0 && name < last_) is_sorted_ = false;
  const std::size_t shared = is_head ? 0 : shared_prefix(last_, name);
  append_varint(bytes_, shared);
  append_varint(bytes_, name.size() - shared);
  bytes_ += name.substr(shared);
  last_ = name;
  ++size_;
}

std::string NameList::name(Node node) const {
  assert(node < size_);
  Cursor cursor(std::string_view(bytes_).substr(groups_[node / kGroupNames]));
  for (Node i = 0; i < node % kGroupNames; ++i) cursor.next();
  return cursor.next();
}

std::string_view NameList::group_head(std::size_t group) const noexcept {
  ByteReader reader(std::string_view(bytes_).substr(groups_[group]), "names");
  reader.varint();
  return reader.take(reader.varint());
}

std::optional<Node> NameList::find_in_group(std::size_t group, std::string_view name) const {
  Cursor cursor(std::string_view(bytes_).substr(groups_[group]));
  const auto first = static_cast<Node>(group * kGroupNames);
  for (Node node = first; node < size_ && node - first < kGroupNames; ++node) {
    if (cursor.next() == name) return node;
  }
  return std::nullopt;
}

std::optional<Node> NameList::find(std::string_view name) const {
  if (!is_sorted_) {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      if (const auto node = find_in_group(group, name)) return node;
    }
    return std::nullopt;
  }
  // The last group whose head is not above the name.
  std::size_t low = 0;
  std::size_t high = groups_.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (group_head(middle) <= name) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == 0 ? std::nullopt : find_in_group(low - 1, name);
}

std::size_t NameList::memory_bytes() const noexcept {
  return bytes_.capacity() + groups_.capacity() * sizeof(groups_[0]);
}

std::shared_ptr<const NameList> load_name_list(const std::filesystem::path& path, Node node_count,
                                               const WorkOptions& work) {
  auto names = std::make_shared<NameList>();
  LineReader lines(path);
  while (const auto line = lines.next()) {
    if (names->size() == node_count)
      lines.refuse(fmt::format("there are only {} nodes", node_count));
    names->add(*line);
    if (names->size() % 65536 != 0) continue;
    work.check_cancelled();
    if (work.progress) work.progress({"reading names", lines.bytes_read(), lines.file_size(), "B"});
  }
  if (names->size() != node_count) {
    lines.refuse(fmt::format("there are {} names for {} nodes", names->size(), node_count));
  }
  return names;
}

std::string KeyNames::name(Node node) const {
  return url_of_key(keys_.name(node)).value_or(std::string());
}

std::optional<Node> KeyNames::find(std::string_view url) const {
  Url parsed;
  if (!parse_url(url, parsed)) return std::nullopt;
  std::string key;
  append_key(parsed, key);
  return keys_.find(key);
}

}  // namespace webstrata
