// SPDX-License-Identifier: Apache-2.0

// WACZ: a ZIP with WARC files under archive/, and indexes of them under indexes/.
//
// Only the WARC files are read, because everything else is derived from them. Where a WACZ has none
// (some are published as an index only) the indexes are read instead. A stored entry is read in
// place; a deflated one, which the format advises against, is inflated while it is read. Only a
// WACZ that comes through a pipe, or is compressed itself, goes into a temporary file.
// Tested by tests/capture/wacz_reader_test.cpp.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "webstrata/base/error.h"
#include "webstrata/capture/formats/inner_reader.h"
#include "webstrata/capture/formats/temporary_file.h"
#include "webstrata/capture/formats/zip_directory.h"
#include "webstrata/capture/formats/zip_inflate.h"
#include "webstrata/capture/stream/input_place.h"

namespace webstrata {
namespace {

bool is_folder(const ZipEntry& entry) { return entry.name.ends_with('/'); }

std::vector<ZipEntry> entries_under(const std::vector<ZipEntry>& entries, std::string_view folder) {
  std::vector<ZipEntry> found;
  for (const ZipEntry& entry : entries) {
    if (entry.name.starts_with(folder) && !is_folder(entry)) found.push_back(entry);
  }
  return found;
}

// A ZipNum .idx only repeats part of its shards, which are entries too.
bool is_index_of_index(const ZipEntry& entry) { return entry.name.ends_with(".idx"); }

class WaczReader : public CaptureReader {
 public:
  explicit WaczReader(const ReadContext& context) : context_(context) {}

  bool next(Capture& capture) override {
    if (!zip_) open_zip();
    for (;;) {
      if (inner_) {
        const bool found = inner_->next(capture);
        record_count_ = records_before_ + inner_->record_count();
        if (found) return true;
        records_before_ = record_count_;
        inner_.reset();
      }
      if (next_entry_ == entries_.size()) return false;
      open_entry(entries_[next_entry_++]);
    }
  }

 private:
  void open_zip() {
    const bool is_plain = context_.in.compression() == Compression::None;
    if (is_plain && context_.in.memory()) {
      memory_ = context_.in.memory();
    } else if (is_plain && look_at_input(context_.in.path()).can_be_entered) {
      path_ = context_.in.path();
    } else {
      spool();
    }
    zip_ = memory_ ? RandomAccess(*memory_) : RandomAccess(path_);
    find_entries();
  }

  // A ZIP from a pipe, or one that is itself compressed, must be stored before it can be read.
  void spool() {
    whole_.emplace();
    for (auto bytes = context_.in.peek(1); !bytes.empty(); bytes = context_.in.peek(1)) {
      whole_->write(bytes);
      context_.in.skip(bytes.size());
    }
    path_ = whole_->path();
  }

  void find_entries() {
    const std::vector<ZipEntry> all = read_zip_directory(*zip_, context_.report);
    entries_ = entries_under(all, "archive/");
    if (!entries_.empty()) return;
    entries_ = entries_under(all, "indexes/");
    std::erase_if(entries_, is_index_of_index);
    if (entries_.empty()) {
      context_.report.damaged(0, "not a WACZ: the ZIP holds neither archive/ nor indexes/");
    }
  }

  void open_entry(const ZipEntry& entry) {
    if (entry.is_encrypted) return tell(entry, "is encrypted");
    const auto data_offset = find_zip_data(*zip_, entry, context_.report);
    if (!data_offset) return;
    switch (entry.method) {
      case ZipMethod::Stored:
        return open_stored(entry, *data_offset);
      case ZipMethod::Deflated:
        return open_deflated(entry, *data_offset);
      default:
        return tell(entry, "is packed with a method that is not known here");
    }
  }

  void tell(const ZipEntry& entry, const std::string& what) {
    context_.report.damaged(entry.header_offset, "ZIP entry " + entry.name + " " + what);
  }

  void open_stored(const ZipEntry& entry, std::uint64_t data_offset) {
    if (memory_) {
      open_memory(entry, memory_->substr(data_offset, entry.compressed_size));
      return;
    }
    const auto open = [&](Report& report) {
      return std::make_unique<InputStream>(path_, report, data_offset, entry.compressed_size);
    };
    inner_.emplace(context_, entry.name, open, data_offset);
  }

  void open_deflated(const ZipEntry& entry, std::uint64_t data_offset) {
    const auto open = [&](Report& report) {
      return std::make_unique<InputStream>(
          inflate_zip_entry(*zip_, data_offset, entry, context_.report), report, entry.size);
    };
    inner_.emplace(context_, entry.name, open);
  }

  void open_memory(const ZipEntry& entry, std::string_view bytes) {
    const auto open = [bytes](Report& report) {
      return std::make_unique<InputStream>(InMemory{bytes}, report);
    };
    inner_.emplace(context_, entry.name, open);
  }

  ReadContext context_;
  std::optional<std::string_view> memory_;  // the ZIP, if it is in memory
  std::filesystem::path path_;              // else
  std::optional<TemporaryFile> whole_;
  std::optional<RandomAccess> zip_;
  std::vector<ZipEntry> entries_;
  std::size_t next_entry_ = 0;
  std::optional<InnerReader> inner_;
  std::uint64_t records_before_ = 0;  // in the entries that are done
};

}  // namespace

bool recognises_wacz(std::string_view first_bytes) {
  return first_bytes.starts_with("PK\3\4") || first_bytes.starts_with("PK\5\6");
}

std::unique_ptr<CaptureReader> open_wacz_reader(const ReadContext& context) {
  return std::make_unique<WaczReader>(context);
}

}  // namespace webstrata
