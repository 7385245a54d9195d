// SPDX-License-Identifier: Apache-2.0

// A thin layer over RocksDB: changes are collected in an indexed batch, which get() sees at once
// and scans do not, and commit() writes it with one fsync. Memory is small and constant. compact()
// rewrites everything and reopens the store, so that no file keeps what was deleted.
// Tested by tests/fetch/ledger_test.cpp.

#include "webstrata/fetch/ledger/ledger_store.h"

#include <cstdarg>
#include <memory>

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/write_batch_with_index.h>

#include "webstrata/base/error.h"
#include "webstrata/base/threads.h"

namespace webstrata {
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

// RocksDB starts up to 16 threads to open its files and a handful for its background, and ends the
// program if one cannot start.
constexpr unsigned kStoreThreads = 24;

// Small and constant: a job shares its machine, and memory should go to the frontier. Throws
// Error(Io) if the store could not start its threads.
rocksdb::Options store_options() {
  require_threads(kStoreThreads);
  rocksdb::Options options;
  options.write_buffer_size = std::size_t{32} << 20;
  options.max_write_buffer_number = 3;
  options.max_background_jobs = 2;
  options.max_open_files = 256;
  options.info_log = std::make_shared<NoLog>();
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(std::size_t{64} << 20);
  table.cache_index_and_filter_blocks = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

[[noreturn]] void fail(const std::filesystem::path& folder, const rocksdb::Status& status) {
  const bool is_locked = status.IsIOError() && status.ToString().find("lock") != std::string::npos;
  if (is_locked) {
    throw Error(ErrorKind::Io,
                fmt::format("{}: another process works on this job; wait for it", folder.string()));
  }
  const ErrorKind kind = status.IsCorruption() ? ErrorKind::Corrupt : ErrorKind::Io;
  throw Error(kind, fmt::format("{}: {}", folder.string(), status.ToString()));
}

bool holds_ledger(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / "CURRENT");
}

}  // namespace

struct LedgerStore::State {
  std::filesystem::path folder;
  std::unique_ptr<rocksdb::DB> db;
  rocksdb::WriteBatchWithIndex batch{rocksdb::BytewiseComparator(), 0, true};

  void check(const rocksdb::Status& status) const {
    if (!status.ok()) fail(folder, status);
  }
};

LedgerStore::LedgerStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
LedgerStore::LedgerStore(LedgerStore&&) noexcept = default;
LedgerStore::~LedgerStore() = default;

LedgerStore LedgerStore::create(const std::filesystem::path& folder) {
  auto state = std::make_unique<State>();
  state->folder = folder;
  rocksdb::Options options = store_options();
  options.create_if_missing = true;
  rocksdb::DB* db = nullptr;
  state->check(rocksdb::DB::Open(options, folder.string(), &db));
  state->db.reset(db);
  return LedgerStore(std::move(state));
}

LedgerStore LedgerStore::open(const std::filesystem::path& folder) {
  if (!holds_ledger(folder)) {
    throw Error(ErrorKind::NotFound,
                fmt::format("{}: no job to resume", folder.parent_path().string()));
  }
  auto state = std::make_unique<State>();
  state->folder = folder;
  rocksdb::DB* db = nullptr;
  state->check(rocksdb::DB::Open(store_options(), folder.string(), &db));
  state->db.reset(db);
  return LedgerStore(std::move(state));
}

LedgerStore LedgerStore::open_to_read(const std::filesystem::path& folder) {
  if (!holds_ledger(folder)) {
    throw Error(ErrorKind::NotFound,
                fmt::format("{}: not a job (no ledger)", folder.parent_path().string()));
  }
  auto state = std::make_unique<State>();
  state->folder = folder;
  rocksdb::DB* db = nullptr;
  state->check(rocksdb::DB::OpenForReadOnly(store_options(), folder.string(), &db));
  state->db.reset(db);
  return LedgerStore(std::move(state));
}

void LedgerStore::put(std::string_view key, std::string_view value) {
  state_->check(state_->batch.Put(slice(key), slice(value)));
}

void LedgerStore::remove(std::string_view key) { state_->check(state_->batch.Delete(slice(key))); }

bool LedgerStore::is_clean() const { return state_->batch.GetWriteBatch()->Count() == 0; }

void LedgerStore::commit() {
  if (is_clean()) return;
  rocksdb::WriteOptions options;
  options.sync = true;
  state_->check(state_->db->Write(options, state_->batch.GetWriteBatch()));
  state_->batch.Clear();
}

// The store's log and its list of files, which also contain keys, are restarted when it is opened.
void LedgerStore::compact() {
  State& state = *state_;
  state.check(state.db->Flush({}));
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
  state.check(state.db->CompactRange(options, nullptr, nullptr));
  state.check(state.db->Close());
  state.db.reset();
  rocksdb::DB* db = nullptr;
  state.check(rocksdb::DB::Open(store_options(), state.folder.string(), &db));
  state.db.reset(db);
}

std::optional<std::string> LedgerStore::get(std::string_view key) const {
  std::string value;
  const rocksdb::Status status =
      state_->batch.GetFromBatchAndDB(state_->db.get(), {}, slice(key), &value);
  if (status.IsNotFound()) return std::nullopt;
  state_->check(status);
  return value;
}

void LedgerStore::scan(std::string_view prefix, const Visit& visit) const {
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(state_->db->NewIterator(options));
  for (at->Seek(slice(prefix)); at->Valid() && view(at->key()).starts_with(prefix); at->Next()) {
    if (!visit(view(at->key()).substr(prefix.size()), view(at->value()))) break;
  }
  state_->check(at->status());
}

void LedgerStore::scan_backwards(std::string_view prefix, const Visit& visit) const {
  const std::string end = std::string(prefix) + std::string(16, '\xff');
  const std::unique_ptr<rocksdb::Iterator> at(state_->db->NewIterator({}));
  for (at->SeekForPrev(slice(end)); at->Valid() && view(at->key()).starts_with(prefix);
       at->Prev()) {
    if (!visit(view(at->key()).substr(prefix.size()), view(at->value()))) break;
  }
  state_->check(at->status());
}

}  // namespace webstrata
