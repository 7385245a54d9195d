// SPDX-License-Identifier: Apache-2.0

// The merge in pieces gives the bytes of the merge in one: random small crawls go through every
// step as the tasks of a cluster do them, with tiny blocks, parts and ranges of keys, and the layer
// files are compared with those of ArchiveWriter.

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/archive/random_facts.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/ask/scores.h"
#include "webstrata/archive/gather/run_gatherer.h"
#include "webstrata/base/error.h"
#include "webstrata/cluster/draft.h"
#include "webstrata/cluster/key_task.h"
#include "webstrata/cluster/page_task.h"
#include "webstrata/cluster/read_task.h"

namespace webstrata::cluster {
namespace {

constexpr std::size_t kMemory = std::size_t{1} << 20;

// One job: the steps of the driver and its tasks, in order.
class ToyCluster {
 public:
  ToyCluster(ClusterDraft draft, std::filesystem::path scratch, Random& random)
      : draft_(std::move(draft)), scratch_(std::move(scratch)), random_(random) {}

  void add_run(const RunFiles& run) { runs_.push_back(run); }
  [[nodiscard]] std::filesystem::path new_folder() {
    const auto folder = draft_.work_folder() / std::to_string(next_folder_++);
    std::filesystem::create_directory(folder);
    return folder;
  }
  [[nodiscard]] const ClusterDraft& draft() const { return draft_; }

  void run() {
    number_keys();
    write_names();
    write_pages();
    write_in_links();
    join();
    carry_scores();
    draft_.publish();
  }

 private:
  struct Key {
    std::string key;
    std::int64_t run = 0;
    std::uint64_t number = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  using PlacedPacket = std::pair<std::size_t, KeyPacket>;  // with its range

  // Sorts the keys of all runs and cuts them into ranges, as the cluster does.
  void number_keys() {
    std::vector<Key> keys;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      RunKeys reader(runs_[run]);
      BinaryColumn column;
      std::uint64_t number = 0;
      while (reader.next(column)) {
        for (std::size_t i = 0; i < column.size(); ++i) {
          const auto start = static_cast<std::size_t>(column.offsets[i]);
          const auto end = static_cast<std::size_t>(column.offsets[i + 1]);
          keys.push_back(
              {column.bytes.substr(start, end - start), static_cast<std::int64_t>(run), number++});
        }
      }
    }
    std::sort(keys.begin(), keys.end());
    KeyNumbering numbering;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const bool may_cut = i > 0 && keys[i].key != keys[i - 1].key;
      if (may_cut && random_.chance(0.1)) numbering = end_range(numbering);
      numbering.add(keys[i].key, keys[i].run, keys[i].number);
    }
    end_range(numbering);
  }

  KeyNumbering end_range(KeyNumbering& numbering) {
    for (KeyPacket& packet : numbering.finish()) {
      packets_.emplace_back(before_.size(), std::move(packet));
    }
    before_.push_back(node_count_);
    node_count_ += numbering.size();
    return {};
  }

  [[nodiscard]] std::uint64_t block_count() const {
    const std::uint32_t bits = draft_.options().block_bits;
    return (node_count_ + (std::uint64_t{1} << bits) - 1) >> bits;
  }
  [[nodiscard]] BlockRequest request(const std::filesystem::path& folder,
                                     std::uint64_t block) const {
    return {folder, draft_.options(), block, node_count_};
  }
  void keep(const std::filesystem::path& folder, std::uint64_t block, const LayerFiles& files) {
    for (const auto& [layer, parts] : files) {
      ASSERT_EQ(parts.size(), 1U);
      blocks_[{layer, block}] = folder / parts[0].name;
    }
  }

  void write_names() {
    std::map<std::uint64_t, std::vector<KeyPacket>> by_block;
    for (const auto& [range, packet] : packets_) {
      if (!packet.is_names) continue;
      const std::uint32_t bits = draft_.options().block_bits;
      for (KeyPacket& cut : cut_names(packet.bytes, before_[range] + packet.first, bits)) {
        by_block[cut.first >> bits].push_back(std::move(cut));
      }
    }
    const auto folder = new_folder();
    for (const auto& [block, packets] : by_block) {
      std::vector<std::string_view> views;
      for (const KeyPacket& packet : packets) views.push_back(packet.bytes);
      keep(folder, block, cluster::write_names(request(folder, block), views));
    }
  }

  void write_pages() {
    std::vector<std::pair<Uid, std::string>> pages;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      RunTranslation translation(runs_[run].pages, scratch_, kMemory);
      for (const auto& [range, packet] : packets_) {
        if (packet.is_names || packet.run != static_cast<std::int64_t>(run)) continue;
        translation.add(packet.bytes, before_[range]);
      }
      std::vector<std::int64_t> uids;
      BinaryColumn column;
      while (translation.next(uids, column)) {
        for (std::size_t i = 0; i < uids.size(); ++i) {
          const auto start = static_cast<std::size_t>(column.offsets[i]);
          const auto end = static_cast<std::size_t>(column.offsets[i + 1]);
          pages.emplace_back(uids[i], column.bytes.substr(start, end - start));
        }
      }
    }
    // Facts about one page come in any order.
    for (std::size_t i = pages.size(); i > 1; --i) {
      std::swap(pages[i - 1], pages[random_.below(i)]);
    }
    std::stable_sort(pages.begin(), pages.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t next = 0;
    for (std::uint64_t block = 0; block < block_count(); ++block) {
      const auto folder = new_folder();
      PageBlock writer(request(folder, block));
      for (; next < pages.size() && pages[next].first >> draft_.options().block_bits == block;
           ++next) {
        writer.add(pages[next].first, pages[next].second);
        for (InFactPacket& packet : writer.take_full()) in_facts_.push_back(std::move(packet));
      }
      keep(folder, block, writer.finish());
      for (InFactPacket& packet : writer.take_full()) in_facts_.push_back(std::move(packet));
    }
    EXPECT_EQ(next, pages.size());
  }

  void write_in_links() {
    for (std::uint64_t block = 0; block < block_count(); ++block) {
      const auto folder = new_folder();
      InBlock writer(request(folder, block), scratch_, kMemory);
      for (const InFactPacket& packet : in_facts_) {
        if (packet.target_block == block) writer.add(packet.bytes);
      }
      keep(folder, block, writer.finish());
    }
  }

  void join() {
    const std::uint32_t part_blocks = draft_.options().part_blocks;
    for (const Layer layer : layers_of(draft_.options())) {
      for (std::uint64_t first = 0; first < block_count(); first += part_blocks) {
        std::vector<std::filesystem::path> blocks;
        for (std::uint64_t i = first; i < std::min(block_count(), first + part_blocks); ++i) {
          blocks.push_back(blocks_.at({layer, i}));
        }
        const auto folder = new_folder();
        draft_.take(layer, folder,
                    join_blocks(folder, layer, draft_.options(), first / part_blocks, blocks));
      }
    }
  }

  // A task for each column.
  void carry_scores() {
    if (!draft_.before()) return;
    CarryRequest request;
    request.archive = draft_.work_folder().parent_path();
    request.after_folder = draft_.folder();
    request.after = Manifest::parse(draft_.written().to_text(), "what tasks are told");
    request.memory_bytes = kMemory;
    for (const auto& [name, file] : draft_.before()->scores) {
      request.folder = new_folder();
      request.scores = {name};
      draft_.take(carry_columns(request), request.folder);
    }
    request.scores.clear();
    for (const auto& [name, file] : draft_.before()->link_scores) {
      request.folder = new_folder();
      request.link_scores = {name};
      draft_.take(carry_columns(request), request.folder);
    }
  }

  ClusterDraft draft_;
  std::filesystem::path scratch_;
  Random& random_;
  int next_folder_ = 0;
  std::vector<RunFiles> runs_;
  std::vector<PlacedPacket> packets_;
  std::vector<std::uint64_t> before_;
  std::uint64_t node_count_ = 0;
  std::vector<InFactPacket> in_facts_;
  std::map<std::pair<Layer, std::uint64_t>, std::filesystem::path> blocks_;
};

// A run out of some captures.
void add_facts(ToyCluster& cluster, const Crawl& crawl) {
  RunGatherer gatherer(cluster.draft().options(), {}, std::size_t{128} << 20, cluster.new_folder());
  auto batch = gatherer.make_batch();
  for (const Capture& capture : crawl) batch->add(capture);
  gatherer.take(std::move(batch));
  for (const RunFiles& run : gatherer.finish()) cluster.add_run(run);
}

std::vector<Crawl> in_pieces(const Crawl& crawl, std::size_t count, Random& random) {
  std::vector<Crawl> pieces(count);
  for (std::size_t i = 0; i < crawl.size(); ++i) {
    pieces[i % count].push_back(crawl[i]);
    if (random.chance(0.1)) pieces[random.below(count)].push_back(crawl[i]);  // a copy
  }
  return pieces;
}

TEST(Cluster, ThePiecesGiveTheBytesOfTheWhole) {
  const TemporaryFolder folder;
  const std::uint64_t seeds = 150;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(seed % 25 == 0 ? 400 : 12));
    ArchiveOptions options = small_archive_options();
    options.block_bits = static_cast<std::uint32_t>(2 + random.below(5));
    options.part_blocks = static_cast<std::uint32_t>(1 + random.below(4));
    options.range_seconds = random.chance(0.3) ? 0 : 1'500'000;
    const auto path = [&](const char* name) {
      return folder.path() / (std::to_string(seed) + name);
    };
    build(path("whole"), crawl, 1, 1000, options);
    const Files whole = layer_files(path("whole"));

    const std::vector<Crawl> pieces = in_pieces(crawl, 1 + random.below(4), random);
    {
      ToyCluster cluster(ClusterDraft::create(path("cluster"), options), folder.path(), random);
      for (const Crawl& piece : pieces) add_facts(cluster, piece);
      cluster.run();
    }
    ASSERT_EQ(difference(whole, layer_files(path("cluster"))), "");

    // The first piece alone, on one machine; the others as updates on the cluster.
    build(path("updated"), pieces[0], 1, 1000, options);
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      ToyCluster cluster(ClusterDraft::update(path("updated")), folder.path(), random);
      const std::uint32_t bits = options.block_bits;
      const std::uint64_t blocks =
          (cluster.draft().before()->counts.nodes + (std::uint64_t{1} << bits) - 1) >> bits;
      const std::uint64_t step = 1 + random.below(3);
      for (std::uint64_t first = 0; first < blocks; first += step) {
        cluster.add_run(read_slice(path("updated"), {0, first, std::min(blocks, first + step)},
                                   cluster.new_folder()));
      }
      add_facts(cluster, pieces[i]);
      cluster.run();
    }
    ASSERT_EQ(difference(whole, layer_files(path("updated"))), "");
    for (const char* name : {"whole", "cluster", "updated"}) {
      std::filesystem::remove_all(path(name));
    }
  }
}

// An archive with a topic: scores of nodes and of links.
void build_with_topic(const std::filesystem::path& path, const Crawl& crawl, Random& random) {
  WriteOptions write;
  write.work.threads = 1;
  ArchiveWriter writer = ArchiveWriter::create(path, small_archive_options(), write);
  give(writer, crawl, 1000);
  writer.score_columns({{"topic", "a note"}});
  ScoreBatch batch(1);
  for (const Capture& capture : crawl) {
    if (!capture.links_known || capture.sighting.outcome != Outcome::Alive) continue;
    std::vector<CaptureScores> scores(1);
    scores[0].page = static_cast<double>(random.below(9));
    for (std::size_t i = 0; i < capture.links.size(); ++i) {
      if (random.chance(0.5)) {
        scores[0].links.emplace_back(capture.links[i].target, random.unit());
      }
    }
    batch.add(capture, scores);
  }
  writer.take_scores(std::move(batch));
  writer.commit();
}

// And with a column of nodes as well.
void build_with_scores(const std::filesystem::path& path, const Crawl& crawl, Random& random) {
  build_with_topic(path, crawl, random);
  const Manifest manifest = Manifest::load(path);
  std::vector<double> values(manifest.counts.nodes);
  for (double& value : values) value = random.chance(0.2) ? missing_score() : random.unit();
  // Twice, so that the file has another number than a new one would.
  save_scores(path, "rank", manifest.generation, values);
  save_scores(path, "rank", manifest.generation, values);
}

void update_on_cluster(const std::filesystem::path& path, const Crawl& crawl,
                       const std::filesystem::path& scratch, Random& random) {
  ToyCluster cluster(ClusterDraft::update(path), scratch, random);
  const std::uint64_t nodes = cluster.draft().before()->counts.nodes;
  const std::uint32_t bits = cluster.draft().options().block_bits;
  cluster.add_run(read_slice(path, {0, 0, (nodes >> bits) + 1}, cluster.new_folder()));
  add_facts(cluster, crawl);
  cluster.run();
}

TEST(Cluster, SavedScoresMoveOnAsOnOneMachine) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl old = random_crawl(random, 1 + random.below(30));
    // Every third time no name is new: the files are linked then, with their numbers.
    const Crawl more = seed % 3 == 0 ? old : random_crawl(random, 1 + random.below(30));
    const auto alone = folder.path() / (std::to_string(seed) + "alone");
    const auto together = folder.path() / (std::to_string(seed) + "together");
    build_with_scores(alone, old, random);
    std::filesystem::copy(alone, together, std::filesystem::copy_options::recursive);
    update_at_once(alone, more);
    update_on_cluster(together, more, folder.path(), random);
    ASSERT_EQ(difference(layer_files(alone), layer_files(together)), "");
    EXPECT_EQ(Manifest::load(alone).scores, Manifest::load(together).scores);
    EXPECT_EQ(Manifest::load(alone).link_scores, Manifest::load(together).link_scores);
    EXPECT_EQ(Manifest::load(together).scores.size(), 2U);
    EXPECT_EQ(Manifest::load(together).link_scores.size(), 1U);
  }
}

// All blocks of all strata, in slices of random size.
void add_strata(ToyCluster& cluster, const std::filesystem::path& path, Random& random) {
  const Manifest before = cluster.draft().before().value();
  const std::uint32_t bits = before.options.block_bits;
  for (std::size_t stratum = 0; stratum < std::max<std::size_t>(1, before.strata.size());
       ++stratum) {
    const std::uint64_t nodes = before.of_stratum(stratum).counts.nodes;
    const std::uint64_t blocks = (nodes + (std::uint64_t{1} << bits) - 1) >> bits;
    const std::uint64_t step = 1 + random.below(3);
    for (std::uint64_t first = 0; first < blocks; first += step) {
      cluster.add_run(
          read_slice(path, {stratum, first, std::min(blocks, first + step)}, cluster.new_folder()));
    }
  }
}

TEST(Cluster, AStackIsMergedIntoTheBytesOfTheWhole) {
  const TemporaryFolder folder;
  int stacks = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Crawl crawl = random_crawl(random, 4 + random.below(seed % 20 == 0 ? 300 : 30));
    const Crawl more = seed % 3 == 0 ? Crawl() : random_crawl(random, 1 + random.below(10));
    const auto whole = folder.path() / (std::to_string(seed) + "whole");
    const auto stack = folder.path() / (std::to_string(seed) + "stack");
    Crawl all = crawl;
    all.insert(all.end(), more.begin(), more.end());
    build(whole, all);
    build_stack(stack, crawl);
    stacks += Manifest::load(stack).is_stack() ? 1 : 0;
    {
      ToyCluster cluster(ClusterDraft::update(stack), folder.path(), random);
      add_strata(cluster, stack, random);
      if (!more.empty()) add_facts(cluster, more);
      cluster.run();
    }
    EXPECT_FALSE(Manifest::load(stack).is_stack());
    ASSERT_EQ(difference(layer_files(whole), layer_files(stack)), "");
  }
  EXPECT_GT(stacks, 40);
}

// Files of all strata, by their paths in the generation.
Files stack_files(const std::filesystem::path& archive) {
  const auto generation = archive / generation_name(Manifest::load(archive).generation);
  Files files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(generation)) {
    if (!entry.is_regular_file()) continue;
    files[std::filesystem::relative(entry.path(), generation)] = read_file(entry.path());
  }
  return files;
}

TEST(Cluster, ASmallUpdateIsTheStratumOfOneMachine) {
  const TemporaryFolder folder;
  int strata = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto alone = folder.path() / (std::to_string(seed) + "alone");
    const auto together = folder.path() / (std::to_string(seed) + "together");
    build_stack(alone, random_crawl(random, 60 + random.below(60)));
    std::filesystem::copy(alone, together, std::filesystem::copy_options::recursive);
    const Crawl crawl = random_crawl(random, 1 + random.below(6));
    const bool is_changed = update(alone, crawl).is_changed;

    ClusterDraft draft = ClusterDraft::update(together);
    std::vector<RunFiles> runs;
    for (const Crawl& piece : in_pieces(crawl, 1 + random.below(3), random)) {
      const auto own = draft.work_folder() / std::to_string(runs.size());
      std::filesystem::create_directory(own);
      RunGatherer gatherer(draft.options(), {}, std::size_t{128} << 20, own);
      auto batch = gatherer.make_batch();
      for (const Capture& capture : piece) batch->add(capture);
      gatherer.take(std::move(batch));
      for (const RunFiles& run : gatherer.finish()) runs.push_back(run);
    }
    const auto added = draft.publish_stratum(runs, crawl.size(), std::size_t{128} << 20);
    if (!added.manifest) {
      // As one machine has done, everything is due to be merged.
      EXPECT_FALSE(Manifest::load(alone).is_stack());
      EXPECT_EQ(added.due.size(), 1U);
      continue;
    }
    EXPECT_EQ(added.manifest->generation != draft.before()->generation, is_changed);
    draft.close();
    EXPECT_EQ(Manifest::load(alone).strata, Manifest::load(together).strata);
    ASSERT_EQ(difference(stack_files(alone), stack_files(together)), "");
    strata += is_changed ? 1 : 0;
  }
  EXPECT_GT(strata, 30);
}

TEST(Cluster, AnUpdateWithKnownFactsKeepsTheGeneration) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto path = folder.path() / std::to_string(seed);
    const Crawl crawl = random_crawl(random, 1 + random.below(20));
    build_with_scores(path, crawl, random);
    const std::string manifest = read_file(path / kManifestName);
    update_on_cluster(path, {crawl.back()}, folder.path(), random);
    EXPECT_EQ(read_file(path / kManifestName), manifest);
  }
}

TEST(Cluster, RefusesToCarryScoresThatAreNotThere) {
  const TemporaryFolder folder;
  Random random(1);
  const auto path = folder.path() / "old";
  build(path, random_crawl(random, 20));
  const Manifest manifest = Manifest::load(path);
  CarryRequest request = {path, path / generation_name(manifest.generation), manifest, {}, {}, {}};
  request.folder = folder.path() / "task";
  std::filesystem::create_directory(request.folder);
  request.scores = {"rank"};
  EXPECT_THROW(carry_columns(request), Error);
}

TEST(Cluster, WithoutPublishNothingHasHappened) {
  const TemporaryFolder folder;
  Random random(1);
  { const ClusterDraft draft = ClusterDraft::create(folder.path() / "new", {}); }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "new"));

  const auto old = folder.path() / "old";
  build(old, random_crawl(random, 20));
  const Files before = layer_files(old);
  {
    ToyCluster cluster(ClusterDraft::update(old), folder.path(), random);
    cluster.add_run(read_slice(old, {0, 0, 1}, cluster.new_folder()));
    EXPECT_THROW(ClusterDraft::update(old), Error);  // one writer at a time
  }
  EXPECT_EQ(difference(before, layer_files(old)), "");
  EXPECT_TRUE(!std::filesystem::exists(old / "work") || std::filesystem::is_empty(old / "work"));
}

TEST(Cluster, RefusesABlockThatIsAnotherOne) {
  const TemporaryFolder folder;
  ArchiveOptions options;
  options.block_bits = 2;
  KeyNumbering numbering;
  for (const char* key : {"a", "b", "c", "d", "e"}) numbering.add(key, 0, key[0] - 'a');
  std::vector<KeyPacket> packets;
  for (const KeyPacket& packet : numbering.finish()) {
    if (packet.is_names) packets = cut_names(packet.bytes, 0, 2);
  }
  ASSERT_EQ(packets.size(), 2U);
  const BlockRequest request = {folder.path(), options, 1, 5};
  EXPECT_THROW(write_names(request, {packets[0].bytes}), Error);  // four keys where one is due
  std::filesystem::remove(folder.path() / "names.00001");
  write_names(request, {packets[1].bytes});
  const auto out = folder.path() / "out";
  std::filesystem::create_directory(out);
  EXPECT_THROW(join_blocks(out, Layer::Names, options, 0, {folder.path() / "names.00001"}), Error);
}

// A lost or early packet must not shift the numbers of all others.
TEST(Cluster, KeysOfARunComeOneAfterTheOther) {
  const TemporaryFolder folder;
  const std::string pair_0 = {'\0', '\0'};  // key 0 of the run is key 0 of the packet
  const std::string pair_2 = {'\2', '\0'};
  {
    RunTranslation translation("/dev/null", folder.path(), kMemory);
    EXPECT_THROW(translation.add(pair_2, 0), Error);  // 0 and 1 are missing
  }
  RunTranslation translation("/dev/null", folder.path(), kMemory);
  translation.add(pair_0, 0);
  EXPECT_THROW(translation.add(pair_0, 0), Error);  // again
}

}  // namespace
}  // namespace webstrata::cluster
