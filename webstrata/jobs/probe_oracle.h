// SPDX-License-Identifier: Apache-2.0

// The web as LiveRank's oracle: real requests answer which pages live (`liverank --probe`).

#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "webstrata/jobs/probe_job.h"
#include "webstrata/liverank/oracle.h"
#include "webstrata/liverank/population.h"
#include "webstrata/liverank/truth.h"

namespace webstrata {

class ProbeOracle {
 public:
  // `pages` outlives it; `known` is the archive to compare with, or null. Throws Error(BadInput)
  // for targets that requests cannot tell.
  ProbeOracle(const ProbeJobOptions& options, std::shared_ptr<const Archive> known,
              const Population& pages, Target target);

  // A whole batch at once: many hosts are busy while each is treated politely.
  std::vector<Finding> ask(std::span<const Node> batch);
  // What is known now, as a truth to compare with: pages that were not asked are unknown.
  [[nodiscard]] Truth truth() const;
  // Every page that was asked about, in that order, with the evidence for its outcome.
  [[nodiscard]] std::vector<Probed> asked() const;
  // url <tab> outcome, in the order of asking: what --truth reads.
  [[nodiscard]] std::string found_lines() const;
  // The files for `update`.
  std::vector<std::filesystem::path> finish() { return probes_.finish(); }
  void forget_files() { probes_.forget_files(); }
  [[nodiscard]] std::uint64_t requests() const { return probes_.requests(); }

 private:
  const Population& pages_;
  Target target_;
  ProbeJob probes_;
  std::vector<Finding> findings_;  // one per page
  std::vector<Node> asked_;
  std::map<Node, Probed> judged_;
  std::map<Node, std::vector<std::string>> moved_to_;
};

}  // namespace webstrata
