// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/dated_network.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tests/archive/building.h"
#include "tests/temporary_folder.h"

namespace webstrata {
namespace {

using Spells = std::vector<TimeInterval>;

// Keeps what it is given.
class Recorder : public NetworkWriter {
 public:
  void node(const DatedNode& node) override {
    labels.emplace_back(node.label);
    node_spells[std::string(node.label)] = {node.spells.begin(), node.spells.end()};
  }
  void link(const DatedLink& link) override {
    spells[labels[link.source] + " " + labels[link.target]] = {link.spells.begin(),
                                                               link.spells.end()};
  }
  void finish() override { is_finished = true; }

  std::vector<std::string> labels;
  std::map<std::string, Spells> node_spells;
  std::map<std::string, Spells> spells;
  bool is_finished = false;
};

Capture capture_of(const std::string& url, Time time, const std::vector<std::string>& targets) {
  Capture capture;
  capture.sighting.url = url;
  capture.sighting.time = time;
  capture.sighting.status = 200;
  capture.sighting.outcome = Outcome::Alive;
  capture.links_known = true;
  for (const std::string& target : targets) {
    Link link;
    link.target = target;
    link.kinds = LinkKind::Navigation;
    capture.links.add(link);
  }
  return capture;
}

const std::string kA = "http://a.example/1";
const std::string kB = "http://a.example/2";
const std::string kC = "http://c.example/";

// The link to c is there, there, gone, and back; a second page of the host links to it meanwhile.
class DatedNetworkTest : public testing::Test {
 protected:
  DatedNetworkTest() {
    build(folder_.path() / "a.ws",
          {capture_of(kA, 100, {kC}), capture_of(kA, 200, {kC}), capture_of(kA, 300, {kB}),
           capture_of(kA, 400, {kC}), capture_of(kB, 150, {kC}), capture_of(kB, 250, {kC})});
  }
  [[nodiscard]] Recorder written(const SnapshotRequest& request) const {
    Recorder recorder;
    write_dated_network(Archive::open(folder_.path() / "a.ws"), request, recorder);
    EXPECT_TRUE(recorder.is_finished);
    return recorder;
  }
  TemporaryFolder folder_;
};

TEST_F(DatedNetworkTest, ASpellEndsWhereACaptureLacksTheLink) {
  const Recorder ever = written({});
  EXPECT_EQ(ever.spells.at(kA + " " + kC), (Spells{{100, 200}, {400, 400}}));
  EXPECT_EQ(ever.spells.at(kA + " " + kB), (Spells{{300, 300}}));
  EXPECT_EQ(ever.spells.at(kB + " " + kC), (Spells{{150, 250}}));
  EXPECT_EQ(ever.node_spells.at(kA), (Spells{{100, 400}}));
  EXPECT_EQ(ever.node_spells.at(kB), (Spells{{150, 300}}));  // captured until 250, linked to at 300
  EXPECT_EQ(ever.node_spells.at(kC), (Spells{{100, 400}}));  // never captured
}

TEST_F(DatedNetworkTest, SpellsOfHostsAreUnited) {
  const Recorder hosts = written({.view = {.level = Level::Host, .inner_links = false}});
  EXPECT_EQ(hosts.spells.size(), 1);
  EXPECT_EQ(hosts.spells.at("a.example c.example"), (Spells{{100, 250}, {400, 400}}));
}

TEST_F(DatedNetworkTest, OnlyCapturesOfTheTimeCount) {
  const Recorder at = written({.time = GraphTime::at(220)});
  EXPECT_EQ(at.spells.at(kA + " " + kC), (Spells{{100, 200}}));
  EXPECT_EQ(at.spells.at(kB + " " + kC), (Spells{{150, 150}}));
  const Recorder during = written({.time = GraphTime::during({180, 320}, true)});
  EXPECT_EQ(during.spells.at(kA + " " + kC), (Spells{{200, 200}}));
  EXPECT_EQ(during.spells.at(kB + " " + kC), (Spells{{250, 250}}));
  // Carried over: nothing inside the time shows it, so it has the time at which it was seen.
  const Recorder late = written({.time = GraphTime::during({260, 290}, true)});
  EXPECT_EQ(late.spells.at(kB + " " + kC), (Spells{{250, 250}}));
}

}  // namespace
}  // namespace webstrata
