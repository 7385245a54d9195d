// SPDX-License-Identifier: Apache-2.0

// A run holds facts alone, so the rows that were derived from revisits are left out; the merge
// derives them again from all facts of the page. Where nothing is forgotten, keys and pages are
// copied in one pass each. Otherwise the pages are read twice: first to learn which names the
// remaining facts mention, which gives the names their new numbers, then to write them.
// Tested by tests/archive/join_test.cpp and tests/cli/join_test.py.

#include "webstrata/archive/join.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "webstrata/archive/forget.h"
#include "webstrata/archive/gather/translation.h"
#include "webstrata/archive/merge/generation_input.h"
#include "webstrata/archive/merge/input_merge.h"
#include "webstrata/archive/read/generation_reader.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr std::uint64_t kPagesPerCheck = 1 << 10;

// The pages of a generation without derived rows and without what is forgotten.
class RemainingPages {
 public:
  RemainingPages(const GenerationReader& generation, const IsForgotten* is_forgotten,
                 const std::vector<bool>& covered)
      : input_(open_generation(generation)),
        keys_(generation),
        is_forgotten_(is_forgotten),
        covered_(covered) {}

  // False at the end.
  bool next(std::uint64_t& number, PageFacts& page) {
    while (input_->next_page(number)) {
      input_->read_page(page);
      if (is_forgotten_ != nullptr) {
        if (covered_[number]) continue;
        remove_forgotten(key_of(number), page);
      }
      drop_derived_rows(page);
      if (!page.empty()) return true;
    }
    return false;
  }
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  std::string_view key_of(std::uint64_t number) {
    for (; keys_read_ <= number; ++keys_read_) keys_.next(key_);
    return key_;
  }

  void remove_forgotten(std::string_view key, PageFacts& page) {
    left_out_ += std::erase_if(page.sightings, [&](const SightingRecord& sighting) {
      return (*is_forgotten_)(key, sighting.time) ||
             (sighting.refers_to && covered_[*sighting.refers_to]);
    });
  }

  std::unique_ptr<FactInput> input_;
  KeyScanner keys_;
  const IsForgotten* is_forgotten_;
  const std::vector<bool>& covered_;
  std::string_view key_;
  std::uint64_t keys_read_ = 0;
  std::uint64_t left_out_ = 0;
};

std::vector<bool> covered_names(const GenerationReader& generation,
                                const IsForgotten& is_forgotten) {
  std::vector<bool> covered;
  KeyScanner keys(generation);
  for (std::string_view key; keys.next(key);) covered.push_back(is_forgotten(key, std::nullopt));
  return covered;
}

// The names that a page mentions, itself included.
void note_mentions(std::uint64_t number, const PageFacts& page, std::vector<bool>& mentioned) {
  mentioned[number] = true;
  for (const SightingRecord& sighting : page.sightings) {
    if (sighting.redirect) mentioned[*sighting.redirect] = true;
    if (sighting.refers_to) mentioned[*sighting.refers_to] = true;
  }
  for (const Uid target : page.targets) mentioned[target] = true;
}

// Calls `visit` with each page that remains. Returns the number of sightings left out.
template <typename Visit>
std::uint64_t each_page(const GenerationReader& generation, const JoinRequest& request,
                        const std::vector<bool>& covered, const Visit& visit) {
  RemainingPages pages(generation, request.is_forgotten, covered);
  PageFacts page;
  std::uint64_t number = 0;
  for (std::uint64_t seen = 0; pages.next(number, page); ++seen) {
    if (seen % kPagesPerCheck == 0) request.work.check_cancelled();
    visit(number, page);
  }
  return pages.left_out();
}

void write_all_facts(const GenerationReader& generation, const JoinRequest& request) {
  RunWriter writer(request.run);
  KeyScanner keys(generation);
  for (std::string_view key; keys.next(key);) writer.add_key(key);
  each_page(generation, request, {},
            [&](std::uint64_t number, const PageFacts& page) { writer.add_page(number, page); });
  writer.finish();
}

Report write_remaining(const GenerationReader& generation, const JoinRequest& request) {
  const std::vector<bool> covered = covered_names(generation, *request.is_forgotten);
  std::vector<bool> mentioned(covered.size());
  Report report;
  const std::uint64_t sightings = each_page(
      generation, request, covered,
      [&](std::uint64_t number, const PageFacts& page) { note_mentions(number, page, mentioned); });
  if (sightings > 0) report.count("sightings of forgotten urls", sightings);
  const auto names = std::count(covered.begin(), covered.end(), true);
  if (names > 0) report.count("forgotten urls", static_cast<std::uint64_t>(names));

  RunWriter writer(request.run);
  Translation numbers(request.scratch / fmt::format("{}.numbers", request.run.keys.stem().string()),
                      request.memory_bytes);
  Uid next = 0;
  KeyScanner keys(generation);
  std::string_view key;
  for (std::size_t number = 0; keys.next(key); ++number) {
    if (covered[number] || !mentioned[number]) {
      numbers.add_dropped();
    } else {
      writer.add_key(key);
      numbers.add(next++);
    }
  }
  numbers.finish();
  each_page(generation, request, covered, [&](std::uint64_t number, PageFacts& page) {
    translate(page, numbers);
    writer.add_page(numbers[number], page);
  });
  writer.finish();
  return report;
}

// As users write it.
std::string word_of(LinkKinds kinds) {
  if (kinds == kAllKinds) return "all";
  return kinds == kGraphKinds ? "graph" : to_string(kinds);
}

[[noreturn]] void refuse_difference(const std::filesystem::path& archive,
                                    const std::filesystem::path& other, std::string_view what,
                                    std::string_view has, std::string_view other_has) {
  throw Error(
      ErrorKind::BadInput,
      fmt::format("{}: cannot be joined: its {} is {}, that of {} is {}; export it as jsonl "
                  "and import that instead",
                  other.string(), what, other_has, archive.string(), has));
}

}  // namespace

JoinedArchive::JoinedArchive(std::filesystem::path archive)
    : path(std::move(archive)),
      lease(GenerationLease::take(path)),
      tombstones(load_tombstones(path, lease.manifest())) {
  refuse_unknown_layers(path, lease.manifest());
}

void require_same_options(const std::filesystem::path& archive, const ArchiveOptions& options,
                          const std::filesystem::path& other, const ArchiveOptions& other_options) {
  const auto require = [&](std::string_view what, std::string_view has,
                           std::string_view other_has) {
    if (has != other_has) refuse_difference(archive, other, what, has, other_has);
  };
  const auto schemes = [](const ArchiveOptions& of) {
    return of.keep_other_schemes ? "all" : "web";
  };
  const auto compact = [](const ArchiveOptions& of) {
    return of.effort == LinksEffort::Compact ? "on" : "off";
  };
  const auto layers = [](const ArchiveOptions& of) {
    std::string names;
    for (const Layer layer : of.optional_layers) {
      names += (names.empty() ? "" : ",") + std::string(to_string(layer));
    }
    return names.empty() ? "none" : names;
  };
  require("option range", range_to_string(options.range_seconds),
          range_to_string(other_options.range_seconds));
  require("option links", word_of(options.kinds), word_of(other_options.kinds));
  require("option digests", to_string(options.digests), to_string(other_options.digests));
  require("option schemes", schemes(options), schemes(other_options));
  require("option compact", compact(options), compact(other_options));
  require("list of optional layers", layers(options), layers(other_options));
}

Report write_run_of(const JoinedArchive& archive, std::size_t stratum, const JoinRequest& request) {
  const GenerationReader generation(stratum_folder(archive.lease.folder(), stratum),
                                    archive.lease.manifest().of_stratum(stratum));
  if (request.is_forgotten != nullptr) return write_remaining(generation, request);
  write_all_facts(generation, request);
  return {};
}

}  // namespace webstrata
