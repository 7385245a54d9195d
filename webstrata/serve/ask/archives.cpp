// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/service_test.cpp.

#include "webstrata/serve/ask/archives.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/base/version.h"

namespace webstrata::serve {
namespace {

// What tells one MANIFEST from another: each is a new file.
struct ManifestStamp {
  ino_t file = 0;
  off_t size = 0;
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;

  friend bool operator==(const ManifestStamp&, const ManifestStamp&) = default;
};

// Empty stamp if there is none at the moment.
ManifestStamp stamp_of(const std::filesystem::path& archive) {
  struct stat facts = {};
  if (::stat((archive / kManifestName).c_str(), &facts) != 0) return {};
  return {facts.st_ino, facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
}

bool is_name(std::string_view name) {
  return !name.empty() && name.front() != '.' && name.size() <= 64 &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.';
         });
}

}  // namespace

ArchivePlace parse_archive_place(std::string_view word) {
  const std::size_t equals = word.find('=');
  const bool is_named = equals != std::string_view::npos && is_name(word.substr(0, equals)) &&
                        !std::filesystem::exists(std::filesystem::path(word));
  if (is_named) {
    return {std::string(word.substr(0, equals)), std::filesystem::path(word.substr(equals + 1))};
  }
  std::filesystem::path path(word);
  std::filesystem::path last =
      path.has_filename() ? path.filename() : path.parent_path().filename();
  if (last == "." || last == "..")
    last = std::filesystem::absolute(path).lexically_normal().parent_path().filename();
  const std::string name = last.extension() == ".ws" ? last.stem().string() : last.string();
  if (!is_name(name)) {
    refuse(
        fmt::format("{}: the name in addresses is made of letters, digits, '-', '_' and '.'; "
                    "choose one: NAME={}",
                    word, word));
  }
  return {name, std::move(path)};
}

ServedArchive::ServedArchive(std::string name_given, Archive opened)
    : name(std::move(name_given)),
      archive(std::move(opened)),
      tag(fmt::format("{:016x}",
                      checksum64(fmt::format("{} {}", archive.manifest().to_text(), version())))) {}

struct Archives::Entry {
  ArchivePlace place;
  std::mutex mutex;
  ManifestStamp stamp;
  std::shared_ptr<const ServedArchive> served;
};

Archives::Archives(const std::vector<ArchivePlace>& places) {
  for (const ArchivePlace& place : places) {
    for (const auto& entry : entries_) {
      if (entry->place.name == place.name) {
        refuse(fmt::format("two archives are called {}; name one of them: NAME={}", place.name,
                           place.path.string()));
      }
    }
    entries_.push_back(std::make_unique<Entry>());
    entries_.back()->place = place;
    current(*entries_.back());
  }
  if (entries_.empty()) refuse("no archive was named");
}

Archives::~Archives() = default;

std::shared_ptr<const ServedArchive> Archives::current(Entry& entry) {
  const ManifestStamp stamp = stamp_of(entry.place.path);
  const std::lock_guard lock(entry.mutex);
  if (entry.served && (stamp == entry.stamp || stamp == ManifestStamp())) return entry.served;
  // The stamp is older than what is opened, if both change now: then the next look opens it again.
  entry.served =
      std::make_shared<const ServedArchive>(entry.place.name, Archive::open(entry.place.path));
  entry.stamp = stamp;
  return entry.served;
}

std::shared_ptr<const ServedArchive> Archives::find(std::string_view name) {
  for (const auto& entry : entries_) {
    if (entry->place.name == name) return current(*entry);
  }
  return nullptr;
}

const ArchivePlace* Archives::place(std::string_view name) const noexcept {
  for (const auto& entry : entries_) {
    if (entry->place.name == name) return &entry->place;
  }
  return nullptr;
}

std::vector<std::shared_ptr<const ServedArchive>> Archives::all() {
  std::vector<std::shared_ptr<const ServedArchive>> found;
  for (const auto& entry : entries_) found.push_back(current(*entry));
  return found;
}

const std::string& Archives::first_name() const { return entries_.front()->place.name; }

void Archives::refresh() noexcept {
  for (const auto& entry : entries_) {
    try {
      current(*entry);
    } catch (const std::exception&) {  // a question will say what is wrong
    }
  }
}

}  // namespace webstrata::serve
