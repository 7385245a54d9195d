// SPDX-License-Identifier: Apache-2.0

// A thin layer over RocksDB. Memory is small and constant: filters and indexes are in the cache of
// blocks too. Tested by tests/frontier/frontier_test.cpp.

#include "webstrata/frontier/store/frontier_store.h"

#include <cstdarg>

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include "webstrata/base/error.h"
#include "webstrata/base/threads.h"

namespace webstrata::frontier {
namespace {

rocksdb::Slice slice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view view(const rocksdb::Slice& bytes) { return {bytes.data(), bytes.size()}; }

// RocksDB's own log would be one more file that fails on a full disk, and its writer then aborts
// the process. Errors that matter are returned as a Status.
class NoLog : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char* /*format*/, va_list /*arguments*/) override {}
};

// RocksDB ends the program if one of its threads cannot start.
constexpr unsigned kStoreThreads = 24;

rocksdb::Options store_options() {
  require_threads(kStoreThreads);
  rocksdb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = std::size_t{32} << 20;
  options.max_write_buffer_number = 3;
  options.max_background_jobs = 2;
  options.max_open_files = 256;
  options.max_total_wal_size = std::size_t{128} << 20;  // a restart reads no more than this
  options.info_log = std::make_shared<NoLog>();
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(std::size_t{64} << 20);
  table.cache_index_and_filter_blocks = true;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));  // most URLs asked for are new
  // In parts: the filter or the index of a whole file is larger than a shard of the cache (1 MB),
  // so it would never be kept, and every look-up would read it again.
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

[[noreturn]] void fail(const std::filesystem::path& folder, const rocksdb::Status& status) {
  const bool is_locked = status.IsIOError() && status.ToString().find("lock") != std::string::npos;
  if (is_locked) {
    throw Error(ErrorKind::Io,
                fmt::format("{}: another process serves this frontier; stop it first",
                            folder.parent_path().string()));
  }
  const ErrorKind kind = status.IsCorruption() ? ErrorKind::Corrupt : ErrorKind::Io;
  throw Error(kind, fmt::format("{}: {}", folder.string(), status.ToString()));
}

// The first key after all that begin with `prefix`.
std::string end_of(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && end.back() == '\xff') end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(end.back() + 1);
  return end;
}

}  // namespace

struct Changes::State {
  rocksdb::WriteBatch batch;
};

Changes::Changes() : state_(std::make_unique<State>()) {}
Changes::Changes(Changes&&) noexcept = default;
Changes& Changes::operator=(Changes&&) noexcept = default;
Changes::~Changes() = default;

void Changes::put(std::string_view key, std::string_view value) {
  state_->batch.Put(slice(key), slice(value));
}
void Changes::remove(std::string_view key) { state_->batch.Delete(slice(key)); }
void Changes::remove_all(std::string_view prefix) {
  state_->batch.DeleteRange(slice(prefix), slice(end_of(prefix)));
}
bool Changes::empty() const { return state_->batch.Count() == 0; }
std::size_t Changes::size() const { return static_cast<std::size_t>(state_->batch.Count()); }

struct FrontierStore::State {
  std::filesystem::path folder;
  std::unique_ptr<rocksdb::DB> db;

  void check(const rocksdb::Status& status) const {
    if (!status.ok()) fail(folder, status);
  }
};

FrontierStore::FrontierStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
FrontierStore::FrontierStore(FrontierStore&&) noexcept = default;
FrontierStore::~FrontierStore() = default;

FrontierStore FrontierStore::open(const std::filesystem::path& folder) {
  auto state = std::make_unique<State>();
  state->folder = folder;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  rocksdb::DB* db = nullptr;
  state->check(rocksdb::DB::Open(store_options(), folder.string(), &db));
  state->db.reset(db);
  return FrontierStore(std::move(state));
}

void FrontierStore::write(Changes& changes) {
  if (changes.empty()) return;
  state_->check(state_->db->Write({}, &changes.state_->batch));
  changes.state_->batch.Clear();
}

void FrontierStore::sync() { state_->check(state_->db->SyncWAL()); }

std::optional<std::string> FrontierStore::get(std::string_view key) const {
  std::string value;
  const rocksdb::Status status = state_->db->Get({}, slice(key), &value);
  if (status.IsNotFound()) return std::nullopt;
  state_->check(status);
  return value;
}

void FrontierStore::scan(std::string_view prefix, std::string_view from, const Visit& visit) const {
  const std::string end = end_of(prefix);
  const rocksdb::Slice bound = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &bound;
  const std::unique_ptr<rocksdb::Iterator> at(state_->db->NewIterator(options));
  for (at->Seek(slice(from.empty() ? prefix : from)); at->Valid(); at->Next()) {
    if (!visit(view(at->key()), view(at->value()))) break;
  }
  state_->check(at->status());
}

}  // namespace webstrata::frontier
