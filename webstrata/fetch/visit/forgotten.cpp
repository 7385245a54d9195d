// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/forgotten_test.cpp.

#include "webstrata/fetch/visit/forgotten.h"

#include <sys/stat.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "webstrata/archive/forget.h"
#include "webstrata/base/error.h"
#include "webstrata/url/key.h"

namespace webstrata {
namespace {

constexpr Moment kLookAgainMs = 1000;

bool covers(const Tombstones& tombstones, const Url& url, Moment now) {
  thread_local std::string key;
  key.clear();
  append_key(url, key);
  return tombstones.covers(key, std::nullopt) || tombstones.covers(key, seconds_of(now));
}

// A manifest is never modified, only replaced by another file.
using Stamp = std::tuple<dev_t, ino_t, off_t, time_t, long>;
Stamp stamp_of(const std::filesystem::path& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return {found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

class ArchiveTombstones {
 public:
  ArchiveTombstones(std::filesystem::path archive, const Clock& clock)
      : archive_(std::move(archive)), clock_(clock) {
    look();
  }

  bool covers(const Url& url) {
    const Moment now = clock_.now();
    if (now - looked_ >= kLookAgainMs || now < looked_) look();
    return tombstones_ && webstrata::covers(*tombstones_, url, now);
  }

 private:
  void look() {
    looked_ = clock_.now();
    const std::filesystem::path manifest = archive_ / "MANIFEST";
    for (Stamp stamp = stamp_of(manifest); stamp_ != stamp; stamp = stamp_of(manifest)) {
      try {
        tombstones_ = load_tombstones(archive_, Manifest::load(archive_));
        stamp_ = stamp;
      } catch (const Error&) {
        // A manifest that was replaced while its tombstones were read is not an error.
        if (stamp_of(manifest) == stamp) throw;
      }
    }
  }

  std::filesystem::path archive_;
  const Clock& clock_;
  Moment looked_ = 0;
  std::optional<Stamp> stamp_;
  std::optional<Tombstones> tombstones_;
};

}  // namespace

ForgottenUrl forgotten_by(Tombstones tombstones, const Clock& clock) {
  return [tombstones = std::move(tombstones), &clock](const Url& url) {
    return covers(tombstones, url, clock.now());
  };
}

ForgottenUrl forgotten_by_archive(const std::filesystem::path& archive, const Clock& clock) {
  return [known = std::make_shared<ArchiveTombstones>(archive, clock)](const Url& url) {
    return known->covers(url);
  };
}

}  // namespace webstrata
