// SPDX-License-Identifier: Apache-2.0

// Every level makes a key from parts of the URL (host, directories, words of the file name,
// extension), in which digits may count as alike, and numbers the keys by their checksum, so no
// texts are stored. A name that is not a URL is treated as a file name without a host.
// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/url_groups.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "webstrata/base/checksum.h"
#include "webstrata/url/host.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr std::array<std::string_view, kUrlLevels> kNames = {
    "host", "directory 1", "directory 2", "directory", "name in host",
    "name", "first word",  "last word",   "extension", "host family"};
constexpr std::string_view kWordEnds = "-_.";
// Lengths in bytes. How they were chosen was not written down; they are the same for all data sets
// (docs/METHODS.md, "LORE and auto"), and LORE learns how much each level is worth.
constexpr std::size_t kNameInHostLength = 5;
constexpr std::size_t kNameLength = 12;
constexpr std::size_t kHostFamilyLength = 6;
constexpr std::size_t kExtensionLength = 6;  // with its dot; what is longer is hardly one

// The parts of a URL that the levels use. A name that is not a URL is a file name without a host.
struct NameParts {
  std::string_view origin;  // "http://a.example:8080"
  std::string_view host;
  std::string_view directory;  // "/a/b"; empty at the top
  std::string_view file;       // with its query
};

NameParts parts_of(std::string_view name, Url& url) {
  if (!parse_url(name, url) || !url.is_web()) return {{}, {}, {}, name};
  const std::string_view path = url.path();
  const std::size_t slash = path.rfind('/');
  const std::string_view href = url.href();
  const std::size_t file = static_cast<std::size_t>(path.data() - href.data()) + slash + 1;
  const std::size_t origin = static_cast<std::size_t>(path.data() - href.data());
  return {href.substr(0, origin), url.host(), path.substr(0, slash), href.substr(file)};
}

// "/a" of "/a/b/c" for a depth of 1.
std::string_view upper(std::string_view directory, std::uint32_t depth) {
  std::size_t end = 0;
  for (; depth > 0 && end != std::string_view::npos; --depth) end = directory.find('/', end + 1);
  return directory.substr(0, end);
}

void append_with_digits_alike(std::string& out, std::string_view text, std::size_t letters_max) {
  bool was_digit = false;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (is_digit && was_digit) continue;
    if (letters_max-- == 0) return;
    out += is_digit ? '#' : c;
    was_digit = is_digit;
  }
}

std::string_view last_word(std::string_view file) {
  const std::string_view stem = file.substr(0, file.rfind('.'));
  const std::size_t cut = stem.find_last_of(kWordEnds);
  return cut == std::string_view::npos ? std::string_view() : stem.substr(cut + 1);
}

std::string_view extension(std::string_view file) {
  const std::string_view plain = file.substr(0, file.find('?'));
  const std::size_t dot = plain.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : plain.substr(dot, kExtensionLength);
}

void append_key(UrlLevelKind kind, const NameParts& parts, std::string& key) {
  switch (kind) {
    case UrlLevelKind::Host:
      key += parts.host;
      break;
    case UrlLevelKind::Directory1:
      key.append(parts.host) += upper(parts.directory, 1);
      break;
    case UrlLevelKind::Directory2:
      key.append(parts.host) += upper(parts.directory, 2);
      break;
    case UrlLevelKind::Directory:
      key.append(parts.host) += parts.directory;
      break;
    case UrlLevelKind::NameInHost:
      key.append(parts.host) += '|';
      append_with_digits_alike(key, parts.file, kNameInHostLength);
      break;
    case UrlLevelKind::Name:
      key += parts.file.substr(0, kNameLength);
      break;
    case UrlLevelKind::FirstWord:
      key += parts.file.substr(0, parts.file.find_first_of(kWordEnds));
      break;
    case UrlLevelKind::LastWord:
      key += last_word(parts.file);
      break;
    case UrlLevelKind::Extension:
      key += extension(parts.file);
      break;
    case UrlLevelKind::HostFamily:
      append_with_digits_alike(key, parts.host, kHostFamilyLength);
      break;
  }
}

// Numbers keys by their checksum: among 2^32 pages two different keys collide once in a billion
// runs.
class Numbering {
 public:
  void add(std::string_view key, UrlLevel& level) {
    const auto [place, is_new] =
        numbers_.try_emplace(checksum64(key), static_cast<std::uint32_t>(level.sizes.size()));
    if (is_new) level.sizes.push_back(0);
    ++level.sizes[place->second];
    level.group_of.push_back(place->second);
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace

std::vector<UrlLevel> url_levels(const Snapshot& pages, UrlLevel* origins) {
  if (!pages.has_names()) return {};
  Numbering origin_numbering;
  if (origins != nullptr) origins->name = "origin";
  std::vector<UrlLevel> levels(kUrlLevels);
  std::vector<Numbering> numberings(kUrlLevels);
  for (std::size_t i = 0; i < kUrlLevels; ++i) {
    levels[i].name = kNames[i];
    levels[i].group_of.reserve(pages.node_count());
  }
  Url url;
  std::string key;
  for (Node page = 0; page < pages.node_count(); ++page) {
    const std::string name = pages.name(page);
    const NameParts parts = parts_of(name, url);
    if (origins != nullptr) origin_numbering.add(parts.origin, *origins);
    for (std::size_t i = 0; i < kUrlLevels; ++i) {
      key.clear();
      append_key(static_cast<UrlLevelKind>(i), parts, key);
      numberings[i].add(key, levels[i]);
    }
  }
  return levels;
}

std::string site_of_url(std::string_view name, std::uint32_t depth) {
  Url url;
  const NameParts parts = parts_of(name, url);
  return std::string(parts.host).append(upper(parts.directory, depth));
}

UrlLevel url_directories(const Snapshot& pages, std::uint32_t depth) {
  UrlLevel level{"site", {}, {}};
  Numbering numbering;
  for (Node page = 0; page < pages.node_count(); ++page) {
    numbering.add(site_of_url(pages.name(page), depth), level);
  }
  return level;
}

UrlLevel url_domains(const Snapshot& pages) {
  UrlLevel level{"domain", {}, {}};
  Numbering numbering;
  Url url;
  for (Node page = 0; page < pages.node_count(); ++page) {
    const std::string name = pages.name(page);
    const std::string_view host = parts_of(name, url).host;
    const std::string_view domain = registered_domain(host);
    numbering.add(!domain.empty() ? domain : host.empty() ? name : host, level);
  }
  return level;
}

}  // namespace webstrata
