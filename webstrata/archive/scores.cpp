// The file: "wsSCORES", the number of nodes, and a little-endian double for each; one fixed NaN
// stands for what is not known. A column that replaces another gets a file of its own, so that
// nobody's file changes while it is read.
// Tested by tests/archive/scores_test.cpp.

#include "webstrata/archive/scores.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "webstrata/archive/generations.h"
#include "webstrata/archive/translation.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "wsSCORES";
constexpr std::size_t kNameMax = 64;
constexpr std::uint64_t kMissingBits = 0x7ff8000000000000;

// Writes a column, value after value.
class ColumnWriter {
 public:
  ColumnWriter(fs::path path, std::uint64_t node_count)
      : path_(std::move(path)), writer_(FileWriter::create(path_)) {
    buffer_ = kMagic;
    append_u64(buffer_, node_count);
  }
  void add(double score) {
    append_u64(buffer_, is_missing(score) ? kMissingBits : std::bit_cast<std::uint64_t>(score));
    if (buffer_.size() < kBufferBytes) return;
    writer_.write(buffer_);
    buffer_.clear();
  }
  LayerFile finish() {
    writer_.write(buffer_);
    writer_.commit();
    const MappedFile written = MappedFile::open(path_);
    return {path_.filename(), written.bytes().size(), checksum64(written.bytes())};
  }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
  fs::path path_;
  FileWriter writer_;
  std::string buffer_;
};

// An open column, checked.
class ColumnReader {
 public:
  ColumnReader(const fs::path& path, const LayerFile& file)
      : name_(path.string()), mapping_(MappedFile::open(path)), in_(mapping_.bytes(), name_) {
    if (checksum64(mapping_.bytes()) != file.checksum) {
      throw Error(ErrorKind::Corrupt,
                  fmt::format("{}: its checksum differs; compute these scores again", name_));
    }
    const bool is_ours = in_.take(kMagic.size()) == kMagic;
    const std::uint64_t count = in_.u64();
    if (!is_ours || count != in_.remaining() / 8) {
      throw Error(ErrorKind::Corrupt, fmt::format("{}: is not a column of scores", name_));
    }
  }
  ColumnReader(const ColumnReader&) = delete;
  ColumnReader& operator=(const ColumnReader&) = delete;

  [[nodiscard]] std::uint64_t remaining() const { return in_.remaining() / 8; }
  double next() { return std::bit_cast<double>(in_.u64()); }

 private:
  std::string name_;
  MappedFile mapping_;
  ByteReader in_;
};

void check_name(std::string_view name) {
  const bool is_good =
      !name.empty() && name.size() <= kNameMax && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
      });
  if (is_good) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("'{}' cannot name scores: take 1 to {} letters, digits, '-' and '_'",
                          name, kNameMax));
}

// A file name that no column of the generation has had.
std::string free_name(const fs::path& folder, std::string_view name) {
  for (int number = 0;; ++number) {
    std::string file = fmt::format("scores.{}.{}", name, number);
    if (!fs::exists(folder / file)) return file;
  }
}

std::vector<double> read_column(const fs::path& folder, const LayerFile& file) {
  ColumnReader column(folder / file.name, file);
  std::vector<double> values(column.remaining());
  for (double& value : values) value = column.next();
  return values;
}

// The uids of a merge are in the order of those before, so one pass does it.
LayerFile write_translated(ColumnReader& column, const Translation& translation,
                           std::uint64_t node_count, const fs::path& path) {
  ColumnWriter writer(path, node_count);
  Uid next = 0;
  for (std::uint64_t node = 0; column.remaining() > 0; ++node) {
    const double value = column.next();
    if (translation.is_dropped(node)) continue;
    for (const Uid uid = translation[node]; next < uid; ++next) writer.add(missing_score());
    writer.add(value);
    ++next;
  }
  for (; next < node_count; ++next) writer.add(missing_score());
  return writer.finish();
}

// Nobody misses a file that is not listed; the next writer sweeps what stays.
void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

void replace_column(const WriterLock& lock, Manifest manifest, const std::string& name,
                    std::optional<LayerFile> file) {
  const fs::path folder = lock.archive() / generation_name(manifest.generation);
  const auto old = manifest.scores.find(name);
  const std::string old_name = old == manifest.scores.end() ? "" : old->second.name;
  if (old != manifest.scores.end()) manifest.scores.erase(old);
  const std::string new_name = file ? file->name : "";
  if (file) manifest.scores.emplace(name, std::move(*file));
  manifest.save(lock.archive());
  if (!old_name.empty() && old_name != new_name) remove_quietly(folder / old_name);
}

}  // namespace

double missing_score() noexcept { return std::bit_cast<double>(kMissingBits); }

bool is_missing(double score) noexcept { return std::isnan(score); }

void save_scores(const fs::path& archive, std::string_view name, std::uint64_t generation,
                 std::span<const double> values) {
  check_name(name);
  const WriterLock lock = WriterLock::take(archive);
  Manifest manifest = lock.manifest().value();
  if (manifest.generation != generation) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: was updated while '{}' was computed; compute it again",
                            archive.string(), name));
  }
  if (values.size() != manifest.counts.nodes) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} scores for {} nodes", values.size(), manifest.counts.nodes));
  }
  const fs::path folder = archive / generation_name(generation);
  ColumnWriter writer(folder / free_name(folder, name), values.size());
  for (const double value : values) writer.add(value);
  replace_column(lock, std::move(manifest), std::string(name), writer.finish());
}

bool remove_scores(const fs::path& archive, std::string_view name) {
  const WriterLock lock = WriterLock::take(archive);
  Manifest manifest = lock.manifest().value();
  const std::string column(name);
  if (!manifest.scores.contains(column)) return false;
  replace_column(lock, std::move(manifest), column, std::nullopt);
  return true;
}

std::vector<std::string> score_names(const Archive& archive) {
  std::vector<std::string> names;
  for (const auto& [name, file] : archive.manifest().scores) names.push_back(name);
  return names;
}

std::vector<double> load_scores(const Archive& archive, std::string_view name) {
  const Manifest& manifest = archive.manifest();
  const fs::path folder = archive.path() / generation_name(manifest.generation);
  const std::string column(name);
  const auto known = manifest.scores.find(column);
  if (known != manifest.scores.end() && fs::exists(folder / known->second.name)) {
    return read_column(folder, known->second);
  }
  // Saved, or replaced, since the archive was opened.
  const Manifest now = Manifest::load(archive.path());
  const auto found = now.scores.find(column);
  if (now.generation == manifest.generation && found != now.scores.end()) {
    return read_column(folder, found->second);
  }
  const auto names = score_names(archive);
  throw Error(ErrorKind::NotFound,
              fmt::format("{}: has no scores named '{}' ({})", archive.path().string(), name,
                          names.empty() ? std::string("none are saved")
                                        : fmt::format("there are: {}", fmt::join(names, ", "))));
}

std::map<std::string, LayerFile> carry_scores(const fs::path& from,
                                              const std::map<std::string, LayerFile>& columns,
                                              const Translation& translation,
                                              std::uint64_t node_count, const fs::path& into) {
  std::map<std::string, LayerFile> carried;
  const bool is_same =
      translation.is_identity() && !translation.drops() && translation.size() == node_count;
  for (const auto& [name, file] : columns) {
    const bool is_linked =
        is_same && ::link((from / file.name).c_str(), (into / file.name).c_str()) == 0;
    if (is_linked) {
      carried.emplace(name, file);
      continue;
    }
    ColumnReader column(from / file.name, file);
    carried.emplace(
        name, write_translated(column, translation, node_count, into / free_name(into, name)));
  }
  return carried;
}

}  // namespace webstrata
