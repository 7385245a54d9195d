// SPDX-License-Identifier: Apache-2.0

// The law of strata: random facts come in random updates, with forgets and merges in between. At
// every step all questions are answered as the naive reference answers them, and what compact makes
// of it has the bytes of one build.

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/forgetting.h"
#include "tests/archive/random_facts.h"
#include "tests/archive/reference.h"
#include "tests/archive/reference_comparison.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/verify.h"

namespace webstrata {
namespace {

Time some_time(Random& random) {
  return static_cast<Time>(999'000'000 + random.below(14) * 1'000'000 + random.below(2) * 500'000);
}

void expect_reference(const std::filesystem::path& path, const Crawl& facts, Random& random) {
  const Archive archive = Archive::open(path);
  const Reference reference(facts, archive.manifest().options.kinds);
  const Comparison comparison(archive, reference);
  comparison.names(random);
  comparison.pages(kFirstTime, kLastTime);
  comparison.pages(some_time(random), some_time(random));
  for (Uid uid = 0; uid < reference.names().size(); ++uid) {
    comparison.page(uid);
    comparison.moment(uid, some_time(random));
    comparison.interval(uid, some_time(random), some_time(random));
    if (testing::Test::HasFatalFailure()) return;
  }
}

// How much of what is meant to be shown did occur.
struct Occurred {
  std::size_t highest = 0;
  std::size_t forgotten = 0;  // in a stack
  std::size_t linked = 0;     // strata that a forget left alone
};

class StackLife {
 public:
  StackLife(std::filesystem::path path, std::uint64_t seed)
      : path_(std::move(path)), random_(seed), threads_(1 + static_cast<unsigned>(seed % 2)) {
    options_ = small_archive_options();
    options_.block_bits = static_cast<std::uint32_t>(2 + random_.below(5));
    options_.range_seconds = random_.chance(0.3) ? 0 : 1'500'000;
  }

  void live(Occurred& occurred) {
    const std::size_t steps = 2 + random_.below(10);
    for (std::size_t i = 0; i < steps; ++i) {
      step(i == 0, occurred);
      ASSERT_NO_FATAL_FAILURE(expect_reference(path_, facts_, random_)) << "step " << i;
      const VerifyResult verified = verify(path_, {});
      ASSERT_TRUE(verified.is_clean()) << "step " << i << ": " << verified.problems.front();
      occurred.highest = std::max(occurred.highest, Manifest::load(path_).strata.size());
      if (random_.chance(0.3)) expect_bytes();
    }
    expect_bytes();
  }

 private:
  void step(bool is_first, Occurred& occurred) {
    if (!is_first && random_.chance(0.2)) {
      forget_some(occurred);
    } else if (!is_first && random_.chance(0.1)) {
      WriteOptions write;
      write.work.threads = threads_;
      compact(path_, write);
    } else {
      add_some(is_first);
    }
  }

  void add_some(bool is_first) {
    const Crawl more = random_crawl(random_, 1 + random_.below(random_.chance(0.1) ? 60 : 12));
    if (is_first) {
      build(path_, more, threads_, 1000, options_);
    } else {
      update(path_, more, threads_,
             std::array{Merging::Later, Merging::Later, Merging::WhenDue,
                        Merging::All}[random_.below(4)]);
    }
    facts_.insert(facts_.end(), more.begin(), more.end());
    facts_ = without(facts_, forgotten_);
  }

  void forget_some(Occurred& occurred) {
    const std::vector<Forget> requests = {random_request(random_)};
    const Manifest before = Manifest::load(path_);
    const ForgetResult shown = preview_forget(path_, requests, {});
    const ForgetResult done = forget(path_, requests, {});
    expect_shown_before(shown, done);
    if (before.is_stack() && done.is_changed) ++occurred.forgotten;
    for (const Stratum& stratum : done.manifest.strata) {
      const auto is_it = [&](const Stratum& old) { return old.layers == stratum.layers; };
      if (!stratum.layers.empty() && std::ranges::any_of(before.strata, is_it)) ++occurred.linked;
    }
    forgotten_.add(requests.front());
    facts_ = without(facts_, forgotten_);
  }

  // A copy, compacted, next to one build.
  void expect_bytes() {
    const std::filesystem::path copy = path_.string() + ".copy";
    const std::filesystem::path whole = path_.string() + ".whole";
    std::filesystem::copy(path_, copy, std::filesystem::copy_options::recursive);
    WriteOptions write;
    write.work.threads = threads_;
    compact(copy, write);
    build(whole, facts_, 1, 1000, options_);
    EXPECT_EQ(difference(layer_files(copy), layer_files(whole)), "");
    EXPECT_EQ(Manifest::load(copy).counts, Manifest::load(whole).counts);
    EXPECT_EQ(Manifest::load(path_).counts, Manifest::load(whole).counts);
    std::filesystem::remove_all(copy);
    std::filesystem::remove_all(whole);
  }

  std::filesystem::path path_;
  Random random_;
  unsigned threads_;
  ArchiveOptions options_;
  Crawl facts_;
  Selection forgotten_;
};

TEST(StackLaw, UpdatesForgetsAndMergesGiveTheAnswersAndBytesOfOneBuild) {
  const std::uint64_t seeds = seed_count(120);
  Occurred occurred;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const TemporaryFolder folder;
    StackLife(folder / "lib", seed).live(occurred);
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
  std::cout << seeds << " lives, up to " << occurred.highest << " strata, " << occurred.forgotten
            << " forgets in stacks, " << occurred.linked << " strata left alone by one, "
            << comparisons << " comparisons\n";
  EXPECT_LE(occurred.highest, kStrataMax);
  if (seeds < 100) return;
  EXPECT_GE(occurred.highest, 6U);  // the test would show little otherwise
  EXPECT_GE(occurred.forgotten, 30U);
  EXPECT_GE(occurred.linked, 10U);
}

}  // namespace
}  // namespace webstrata
