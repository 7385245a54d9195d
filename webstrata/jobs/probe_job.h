// SPDX-License-Identifier: Apache-2.0

// A probe as a job: over sockets, with a ledger that a later run continues, and with what was found
// written down for `update`.
//
//   ProbeJob job({.transport = {.agent = "me/1.0 (+https://me.example)"}, .out = "found"},
//   nullptr); job.probe(urls, [](const Probed& probed) { … probed.judgement.outcome … }); const
//   auto files = job.finish();

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/base/progress.h"
#include "webstrata/fetch/probe/prober.h"
#include "webstrata/fetch/rules/politeness.h"
#include "webstrata/fetch/wire/curl_transport.h"

namespace webstrata {

struct ProbeJobOptions {
  CurlTransportOptions transport = {};  // the agent must name a contact
  PolitenessRules rules = {};
  Confirm confirm = {};
  ProbeRule rule = ProbeRule::Evidence;
  bool asks_head = false;  // HEAD where its answer is enough (ProbeOptions)
  RequestLimits limits = {};
  std::optional<std::uint64_t> requests = {};  // robots.txt and twins included; empty: no limit
  bool waits = false;                          // stays for the checks that `confirm` asks for
  std::uint64_t seed = 1;
  std::filesystem::path job = {};  // folder of the ledger; empty: one that is deleted at the end
  std::filesystem::path out = {};  // folder for WARC and sightings; empty: none are written
  const CancelToken* cancel = nullptr;
};

class ProbeJob {
 public:
  // `known` is the archive to compare with, if there is one.
  ProbeJob(const ProbeJobOptions& options, std::shared_ptr<const Archive> known);
  ~ProbeJob();

  // Probes all, calling `tell` for each as it is decided. Once cancelled, nothing new is
  // asked, what is in flight finishes, files get their names, and Error(Cancelled) is thrown.
  void probe(const std::vector<std::string>& urls, const std::function<void(const Probed&)>& tell);
  // What was found is complete: files for `update` get their names. Returns them, with those that
  // an earlier run of the job left when it was killed.
  std::vector<std::filesystem::path> finish();
  // They were updated from, or the user knows of them: the next run need not return them.
  void forget_files();
  [[nodiscard]] std::uint64_t requests() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
