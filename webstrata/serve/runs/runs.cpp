// SPDX-License-Identifier: Apache-2.0

// Whether a run changed is seen from the names, sizes and times of its files: those of the ledger's
// folder, or the one file. Reading happens outside the lock; of two readers the later one wins.
// Tested by tests/serve/runs_test.cpp.

#include "webstrata/serve/runs/runs.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/fetch/ledger/ledger_view.h"

namespace webstrata::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kWatched{10};
// A reading may take at most this part of the time.
constexpr int kShare = 10;

void append_stamp(std::string& stamp, const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto time = fs::last_write_time(file, error);
  stamp +=
      fmt::format("{} {} {}\n", file.filename().string(), size, time.time_since_epoch().count());
}

std::string stamp_of_run(const fs::path& path) {
  std::string stamp;
  std::error_code error;
  if (!is_job(path)) {
    append_stamp(stamp, path);
    return stamp;
  }
  stamp = is_job_running(path) ? "running\n" : "idle\n";
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(path / "ledger", error), end; !error && entry != end;
       entry.increment(error)) {
    files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) append_stamp(stamp, file);
  return stamp;
}

bool is_run_name(std::string_view name) {
  return !name.empty() && name.front() != '.' && name.size() <= 128 &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.';
         });
}

// "week" of "runs/week", "week.tsv" or "week.json"; a folder keeps all of its name.
std::string name_of_run(const fs::path& path) {
  const fs::path last = path.has_filename() ? path.filename() : path.parent_path().filename();
  return is_job(path) ? last.string() : last.stem().string();
}

std::vector<RunPlace> runs_in(const fs::path& folder) {
  std::vector<RunPlace> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = name_of_run(entry->path());
    if (is_run_name(name) && is_run(entry->path())) found.push_back({name, entry->path()});
  }
  return found;
}

RunPlace parse_run(const std::string& word) {
  const std::size_t equals = word.find('=');
  const bool is_named =
      equals != std::string::npos && is_run_name(word.substr(0, equals)) && !fs::exists(word);
  const fs::path path = is_named ? word.substr(equals + 1) : word;
  std::string name = is_named ? word.substr(0, equals) : name_of_run(path);
  if (!is_run_name(name)) {
    refuse(
        fmt::format("{}: the name in addresses is made of letters, digits, '-', '_' and '.'; "
                    "choose one: NAME={}",
                    word, word));
  }
  return {std::move(name), path};
}

}  // namespace

Runs::Runs(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const bool is_folder = fs::is_directory(word) && !is_job(word);
    if (is_folder) {
      folders_.emplace_back(word);
      continue;
    }
    RunPlace place = parse_run(word);
    open_run(place.path);  // a mistake is better seen now than by the first reader
    const bool is_taken = std::any_of(named_.begin(), named_.end(), [&](const RunPlace& other) {
      return other.name == place.name;
    });
    if (is_taken) {
      refuse(fmt::format("two runs are called {}; name one of them: NAME={}", place.name,
                         place.path.string()));
    }
    named_.push_back(std::move(place));
  }
}

// Of two with the same name the one that was named comes first, and then the first folder.
std::vector<RunPlace> Runs::places() const {
  std::vector<RunPlace> all = named_;
  for (const fs::path& folder : folders_) {
    const auto more = runs_in(folder);
    all.insert(all.end(), more.begin(), more.end());
  }
  const auto by_name = [](const RunPlace& a, const RunPlace& b) { return a.name < b.name; };
  std::stable_sort(all.begin(), all.end(), by_name);
  const auto same = [](const RunPlace& a, const RunPlace& b) { return a.name == b.name; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

std::optional<RunPlace> Runs::find(std::string_view name) const {
  for (const RunPlace& place : named_) {
    if (place.name == name) return place;
  }
  for (const fs::path& folder : folders_) {
    for (const RunPlace& place : runs_in(folder)) {
      if (place.name == name) return place;
    }
  }
  return std::nullopt;
}

std::shared_ptr<const SeenRun> Runs::current(const RunPlace& place) {
  const std::string stamp = stamp_of_run(place.path);
  {
    const std::lock_guard lock(mutex_);
    const auto known = entries_.find(place.name);
    const bool is_current =
        known != entries_.end() && known->second.seen && known->second.stamp == stamp;
    if (is_current) return known->second.seen;
  }
  const Clock::time_point begun = Clock::now();
  auto read = std::make_shared<SeenRun>();
  read->name = place.name;
  read->summary = open_run(place.path)->summary();
  const Clock::time_point ended = Clock::now();
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[place.name];
  read->version = entry.seen ? entry.seen->version + 1 : 1;
  entry.place = place;
  entry.seen = std::move(read);
  entry.stamp = stamp;
  entry.not_before = ended + kShare * (ended - begun);
  return entry.seen;
}

std::shared_ptr<const SeenRun> Runs::look(const RunPlace& place) {
  auto seen = current(place);
  last_seen(place.name);
  return seen;
}

std::shared_ptr<const SeenRun> Runs::last_seen(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(name);
  if (entry == entries_.end()) return nullptr;
  entry->second.asked = Clock::now();
  return entry->second.seen;
}

std::vector<RunPlace> Runs::watched() {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  std::erase_if(entries_, [&](const auto& item) { return now - item.second.asked > kWatched; });
  std::vector<RunPlace> found;
  for (const auto& [name, entry] : entries_) {
    if (now >= entry.not_before) found.push_back(entry.place);
  }
  return found;
}

void Runs::refresh() noexcept {
  for (const RunPlace& place : watched()) {
    try {
      current(place);
    } catch (const std::exception&) {  // the next question says what is wrong
    }
  }
}

}  // namespace webstrata::serve
