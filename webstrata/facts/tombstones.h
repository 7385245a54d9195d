// SPDX-License-Identifier: Apache-2.0

// What was forgotten and must stay out of later updates, plans, seeds and crawls.
//
// A list of names to forget would remember them. So tombstones are hashes under a secret key, which
// the archive keeps in a file of its own: with both, a name can be recognised when it is seen
// again; the list alone does not reveal what is in it, except for the length of prefixes.
//
// An archive into which others were joined also has their lists. They stay under the keys of those
// archives, because hashes cannot be renewed without the names.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/siphash.h"
#include "webstrata/base/time.h"
#include "webstrata/facts/forget.h"
#include "webstrata/facts/forget_patterns.h"

namespace webstrata {

// A tombstone as far as it can be shown: the name itself cannot be read back.
struct TombstoneView {
  PatternKind kind = PatternKind::Url;
  std::string hash;        // 32 hex digits
  std::uint64_t size = 0;  // of a prefix: its length in bytes, as it is compared
  std::optional<TimeInterval> during;
};

class Tombstones {
 public:
  explicit Tombstones(const SecretKey& key) : key_(key) {}

  // Throws Error(Corrupt) if the bytes are damaged or a list was made under another key.
  static Tombstones parse(std::string_view bytes, std::span<const SecretKey> keys);
  static Tombstones parse(std::string_view bytes, const SecretKey& key) {
    return parse(bytes, std::span(&key, 1));
  }
  // Whether the key of every list is among `keys`, as far as the bytes can be read.
  static bool is_made_under(std::string_view bytes, std::span<const SecretKey> keys);
  static bool is_made_under(std::string_view bytes, const SecretKey& key) {
    return is_made_under(bytes, std::span(&key, 1));
  }
  // The number of tombstones, without a key. Throws Error(Corrupt).
  static std::uint64_t count_of(std::string_view bytes);
  // The same set gives the same bytes, whatever the order of additions.
  [[nodiscard]] std::string serialise() const;

  // Throws Error(BadInput) if the text is not a URL or a host. False if it was already there.
  bool add(const Forget& forget);
  // Undoes `add` for the same request; a request without times undoes all times. False if there was
  // nothing to undo.
  bool remove(const Forget& forget);

  // Adds the lists of another archive. False if there was nothing new.
  bool join(const Tombstones& other);
  // The keys of all lists, its own first.
  [[nodiscard]] std::vector<SecretKey> keys() const;

  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  [[nodiscard]] std::vector<TombstoneView> views() const;
  // Those that were made by the same request, whatever its times, and those that cover all that it
  // names. Throws Error(BadInput) if the text is not a URL or a host.
  [[nodiscard]] std::vector<TombstoneView> views(const Forget& forget) const;

  // Whether what was seen of the exact key (url/key.h) at `time` must stay out; without a time,
  // whether the key must stay out as a whole.
  [[nodiscard]] bool covers(std::string_view key, std::optional<Time> time) const;
  // Whether something of the key must stay out, as a whole or at some times.
  [[nodiscard]] bool touches(std::string_view key) const;

 private:
  struct Entry {
    PatternKind kind = PatternKind::Url;
    KeyedHash hash;
    std::uint64_t size = 0;  // of a prefix; else 0
    // No interval means all times, and includes the name.
    bool is_dated = false;
    Time first = 0;
    Time last = 0;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  static Tombstones parse_list(std::string_view bytes, std::span<const SecretKey> keys);
  static TombstoneView view_of(const Entry& entry);
  [[nodiscard]] std::string serialise_list() const;
  bool unite(const Tombstones& list);  // of the same key
  bool remove_here(const Forget& forget);
  template <typename Visit>
  void each_of(PatternKind kind, std::string_view bytes, Visit visit) const;
  [[nodiscard]] KeyedHash hash(PatternKind kind, std::string_view bytes) const noexcept;
  [[nodiscard]] std::vector<Entry> entries_of(const Forget& forget) const;
  void take_census();
  template <typename IsMeant>
  [[nodiscard]] bool any_entry(std::string_view key, IsMeant is_meant) const;
  void add_views(const Forget& forget, std::vector<TombstoneView>& views) const;

  SecretKey key_;
  std::vector<Entry> entries_;  // sorted
  PatternCensus census_;
  std::vector<Tombstones> joined_;  // of other archives, by their keys; each without any of its own
};

}  // namespace webstrata
