// SPDX-License-Identifier: Apache-2.0

// The bytes: "WSTOMB" and the version; 16 bytes that identify the key; the number of entries
// (varint); each entry: kind + 8 if it is dated (u8), hash (16 bytes), size of a prefix (varint,
// prefixes only), first and last moment (two u64, dated ones only); a checksum of all that (u64).
// Several lists, of archives that were joined, are "WSTOMB" and 2; their number (varint); of each
// its length (varint) and bytes; a checksum of all that.
// Tested by tests/facts/tombstones_test.cpp.

#include "webstrata/facts/tombstones.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "webstrata/base/bytes.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr std::string_view kMagic = "WSTOMB\x01";
constexpr std::string_view kSeveral = "WSTOMB\x02";
constexpr std::uint8_t kDated = 8;
constexpr std::uint8_t kKeyCheck = 0xff;  // in place of a kind
constexpr std::size_t kChecksumBytes = 8;

Error corrupt(const char* reason) {
  return {ErrorKind::Corrupt, std::string("tombstones: ") + reason};
}

// Each kind is hashed under its own key, so that no hash can have two meanings.
KeyedHash hash_under(SecretKey key, std::uint8_t kind, std::string_view bytes) noexcept {
  key.high ^= kind;
  return siphash128(key, bytes);
}

bool is_prefix(PatternKind kind) noexcept {
  return kind == PatternKind::Prefix || kind == PatternKind::ExactPrefix;
}

void append_hash(std::string& out, const KeyedHash& hash) {
  append_u64(out, hash.low);
  append_u64(out, hash.high);
}

KeyedHash read_hash(ByteReader& bytes) {
  KeyedHash hash;
  hash.low = bytes.u64();
  hash.high = bytes.u64();
  return hash;
}

const SecretKey* find_key(std::span<const SecretKey> keys, const KeyedHash& check) {
  for (const SecretKey& key : keys) {
    if (hash_under(key, kKeyCheck, {}) == check) return &key;
  }
  return nullptr;
}

std::string_view without_checksum(std::string_view bytes) {
  if (bytes.size() < kChecksumBytes) throw corrupt("the file ends too early");
  const std::string_view body = bytes.substr(0, bytes.size() - kChecksumBytes);
  ByteReader checksum(bytes.substr(body.size()), "tombstones");
  if (checksum.u64() != checksum64(body)) throw corrupt("the checksum differs");
  return body;
}

// The lists in a file: itself, or several. Their contents are not checked.
std::vector<std::string_view> lists_of(std::string_view bytes) {
  if (!bytes.starts_with(kSeveral)) return {bytes};
  ByteReader reader(without_checksum(bytes), "tombstones");
  reader.take(kSeveral.size());
  std::vector<std::string_view> lists;
  for (std::uint64_t count = reader.varint(); count > 0; --count) {
    lists.push_back(reader.take(reader.varint()));
  }
  if (!reader.at_end()) throw corrupt("bytes after the last list");
  if (lists.size() < 2) throw corrupt("not as many lists as it says");
  return lists;
}

}  // namespace

KeyedHash Tombstones::hash(PatternKind kind, std::string_view bytes) const noexcept {
  return hash_under(key_, static_cast<std::uint8_t>(kind), bytes);
}

std::vector<Tombstones::Entry> Tombstones::entries_of(const Forget& forget) const {
  std::vector<Entry> entries;
  for (const Pattern& pattern : patterns_of(forget)) {
    Entry entry;
    entry.kind = pattern.kind;
    entry.hash = hash(pattern.kind, pattern.bytes);
    if (is_prefix(pattern.kind)) entry.size = pattern.bytes.size();
    entry.is_dated = forget.during.has_value();
    if (forget.during) {
      entry.first = forget.during->first;
      entry.last = forget.during->last;
    }
    entries.push_back(entry);
  }
  return entries;
}

bool Tombstones::add(const Forget& forget) {
  bool is_new = false;
  for (const Entry& entry : entries_of(forget)) {
    const auto place = std::lower_bound(entries_.begin(), entries_.end(), entry);
    if (place != entries_.end() && *place == entry) continue;
    entries_.insert(place, entry);
    census_.add(entry.kind, entry.size);
    is_new = true;
  }
  return is_new;
}

bool Tombstones::remove(const Forget& forget) {
  bool is_removed = remove_here(forget);
  for (Tombstones& list : joined_) is_removed |= list.remove_here(forget);
  std::erase_if(joined_, [](const Tombstones& list) { return list.entries_.empty(); });
  return is_removed;
}

bool Tombstones::remove_here(const Forget& forget) {
  const std::size_t before = entries_.size();
  for (const Entry& entry : entries_of(forget)) {
    std::erase_if(entries_, [&](const Entry& known) {
      return forget.during ? known == entry : known.kind == entry.kind && known.hash == entry.hash;
    });
  }
  take_census();
  return entries_.size() < before;
}

void Tombstones::take_census() {
  census_ = {};
  for (const Entry& entry : entries_) census_.add(entry.kind, entry.size);
}

template <typename Visit>
void Tombstones::each_of(PatternKind kind, std::string_view bytes, Visit visit) const {
  Entry wanted;
  wanted.kind = kind;
  wanted.hash = hash(kind, bytes);
  auto entry = std::lower_bound(entries_.begin(), entries_.end(), wanted);
  for (; entry != entries_.end() && entry->kind == kind && entry->hash == wanted.hash; ++entry) {
    visit(*entry);
  }
}

template <typename IsMeant>
bool Tombstones::any_entry(std::string_view key, IsMeant is_meant) const {
  const auto is_candidate_meant = [&](PatternKind kind, std::string_view bytes) {
    bool is_found = false;
    each_of(kind, bytes, [&](const Entry& entry) { is_found |= is_meant(entry); });
    return is_found;
  };
  if (!census_.empty() && census_.any_candidate(key, is_candidate_meant)) return true;
  return std::any_of(joined_.begin(), joined_.end(),
                     [&](const Tombstones& list) { return list.any_entry(key, is_meant); });
}

bool Tombstones::covers(std::string_view key, std::optional<Time> time) const {
  return any_entry(key, [&](const Entry& entry) {
    return !entry.is_dated || (time && entry.first <= *time && *time <= entry.last);
  });
}

bool Tombstones::touches(std::string_view key) const {
  return any_entry(key, [](const Entry&) { return true; });
}

bool Tombstones::unite(const Tombstones& list) {
  std::vector<Entry> all;
  std::set_union(entries_.begin(), entries_.end(), list.entries_.begin(), list.entries_.end(),
                 std::back_inserter(all));
  const bool is_new = all.size() > entries_.size();
  entries_ = std::move(all);
  take_census();
  return is_new;
}

bool Tombstones::join(const Tombstones& other) {
  bool is_new = false;
  const auto is_before = [](const Tombstones& list, const SecretKey& key) {
    return list.key_ < key;
  };
  const auto join_list = [&](const Tombstones& list) {
    if (list.entries_.empty()) return;
    if (list.key_ == key_) {
      is_new |= unite(list);
      return;
    }
    auto place = std::lower_bound(joined_.begin(), joined_.end(), list.key_, is_before);
    if (place == joined_.end() || place->key_ != list.key_) {
      place = joined_.insert(place, Tombstones(list.key_));
    }
    is_new |= place->unite(list);
  };
  join_list(other);
  for (const Tombstones& list : other.joined_) join_list(list);
  return is_new;
}

std::vector<SecretKey> Tombstones::keys() const {
  std::vector<SecretKey> keys = {key_};
  for (const Tombstones& list : joined_) keys.push_back(list.key_);
  return keys;
}

std::size_t Tombstones::size() const noexcept {
  std::size_t size = entries_.size();
  for (const Tombstones& list : joined_) size += list.entries_.size();
  return size;
}

TombstoneView Tombstones::view_of(const Entry& entry) {
  TombstoneView view;
  view.kind = entry.kind;
  view.hash = fmt::format("{:016x}{:016x}", entry.hash.high, entry.hash.low);
  view.size = entry.size;
  if (entry.is_dated) view.during = TimeInterval{entry.first, entry.last};
  return view;
}

std::vector<TombstoneView> Tombstones::views() const {
  std::vector<TombstoneView> views;
  for (const Entry& entry : entries_) views.push_back(view_of(entry));
  for (const Tombstones& list : joined_) {
    for (const Entry& entry : list.entries_) views.push_back(view_of(entry));
  }
  return views;
}

std::vector<TombstoneView> Tombstones::views(const Forget& forget) const {
  std::vector<TombstoneView> views;
  add_views(forget, views);
  for (const Tombstones& list : joined_) list.add_views(forget, views);
  return views;
}

void Tombstones::add_views(const Forget& forget, std::vector<TombstoneView>& views) const {
  std::set<Entry> found;
  const auto add = [&](const Entry& entry) { found.insert(entry); };
  for (const Pattern& pattern : patterns_of(forget)) each_of(pattern.kind, pattern.bytes, add);
  // What covers the first page of a host covers more of it only if it means hosts; what covers a
  // prefix as a URL may mean that URL alone.
  Forget page = forget;
  if (forget.scope == ForgetScope::Host) page.text = "http://" + host_to_forget(forget) + "/";
  std::string key;
  append_key(url_to_forget(page), key);
  census_.any_candidate(key, [&](PatternKind kind, std::string_view bytes) {
    const bool means_hosts = kind == PatternKind::Domain || kind == PatternKind::Host;
    const bool means_prefix = kind == PatternKind::Prefix || kind == PatternKind::ExactPrefix;
    const bool covers_all = means_hosts || forget.scope == ForgetScope::Url ||
                            (means_prefix && forget.scope == ForgetScope::Prefix);
    if (covers_all) each_of(kind, bytes, add);
    return false;
  });
  for (const Entry& entry : found) views.push_back(view_of(entry));
}

std::string Tombstones::serialise() const {
  if (joined_.empty()) return serialise_list();
  std::string out(kSeveral);
  const auto append_list = [&](const Tombstones& list) {
    const std::string bytes = list.serialise_list();
    append_varint(out, bytes.size());
    out += bytes;
  };
  append_varint(out, 1 + joined_.size());
  append_list(*this);
  for (const Tombstones& list : joined_) append_list(list);
  append_u64(out, checksum64(out));
  return out;
}

std::string Tombstones::serialise_list() const {
  std::string out(kMagic);
  append_hash(out, hash_under(key_, kKeyCheck, {}));
  append_varint(out, entries_.size());
  for (const Entry& entry : entries_) {
    const auto kind = static_cast<std::uint8_t>(entry.kind);
    out.push_back(static_cast<char>(entry.is_dated ? kind | kDated : kind));
    append_hash(out, entry.hash);
    if (is_prefix(entry.kind)) append_varint(out, entry.size);
    if (!entry.is_dated) continue;
    append_u64(out, static_cast<std::uint64_t>(entry.first));
    append_u64(out, static_cast<std::uint64_t>(entry.last));
  }
  append_u64(out, checksum64(out));
  return out;
}

bool Tombstones::is_made_under(std::string_view bytes, std::span<const SecretKey> keys) {
  const std::vector<std::string_view> lists = lists_of(bytes);
  return std::all_of(lists.begin(), lists.end(), [&](std::string_view list) {
    ByteReader reader(list, "tombstones");
    if (reader.take(kMagic.size()) != kMagic) return true;  // parse() reports what is wrong
    return find_key(keys, read_hash(reader)) != nullptr;
  });
}

std::uint64_t Tombstones::count_of(std::string_view bytes) {
  std::uint64_t count = 0;
  for (const std::string_view list : lists_of(bytes)) {
    ByteReader reader(list, "tombstones");
    if (reader.take(kMagic.size()) != kMagic) {
      throw corrupt("not a list that this program can read");
    }
    read_hash(reader);
    count += reader.varint();
  }
  return count;
}

Tombstones Tombstones::parse(std::string_view bytes, std::span<const SecretKey> keys) {
  const std::vector<std::string_view> lists = lists_of(bytes);
  Tombstones tombstones = parse_list(lists.front(), keys);
  for (std::size_t i = 1; i < lists.size(); ++i) tombstones.join(parse_list(lists[i], keys));
  return tombstones;
}

Tombstones Tombstones::parse_list(std::string_view bytes, std::span<const SecretKey> keys) {
  ByteReader reader(without_checksum(bytes), "tombstones");
  if (reader.take(kMagic.size()) != kMagic) throw corrupt("not a list that this program can read");
  const SecretKey* const key = find_key(keys, read_hash(reader));
  if (key == nullptr) throw corrupt("made under another key; restore the key's file from a copy");
  Tombstones tombstones(*key);
  for (std::uint64_t count = reader.varint(); count > 0; --count) {
    Entry entry;
    const std::uint8_t kind = reader.u8();
    entry.is_dated = (kind & kDated) != 0;
    if ((kind & ~kDated) >= kPatternKinds) throw corrupt("an entry has an unknown kind");
    entry.kind = static_cast<PatternKind>(kind & ~kDated);
    entry.hash = read_hash(reader);
    if (is_prefix(entry.kind)) entry.size = reader.varint();
    if (entry.is_dated) {
      entry.first = static_cast<Time>(reader.u64());
      entry.last = static_cast<Time>(reader.u64());
    }
    const bool follows = tombstones.entries_.empty() || tombstones.entries_.back() < entry;
    if (!follows) throw corrupt("entries are out of order");
    tombstones.entries_.push_back(entry);
  }
  if (!reader.at_end()) throw corrupt("bytes after the last entry");
  tombstones.take_census();
  return tombstones;
}

}  // namespace webstrata
