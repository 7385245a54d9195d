// Probes as `probe` and `liverank --probe` make them: over sockets, with a ledger, and with what
// was found written down for `update`.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "webstrata/archive/archive.h"
#include "webstrata/cli/fetch_flags.h"
#include "webstrata/cli/flags.h"
#include "webstrata/fetch/prober.h"

namespace webstrata {

struct ProbeFlags {
  FetchFlags fetch;
  std::string confirm = "3x3d";
  std::string rule = "evidence";
  std::string job;
  std::string out;
  std::string timeout = "60s";
  std::string body = "1M";
  std::optional<std::uint64_t> requests;
  bool wait = false;
  std::uint64_t seed = 1;
};

// All but --seed, which other commands have already.
void declare_probe(FlagSet& app, ProbeFlags& flags);
// Throws Error(BadInput) for words that mean nothing, before anything is asked.
void check(const ProbeFlags& flags);

class ProbeRun {
 public:
  // `known` is the archive to compare with, if there is one.
  ProbeRun(const ProbeFlags& flags, std::shared_ptr<const Archive> known);
  ~ProbeRun();

  // Probes all, calling `tell` for each as it is decided. After Ctrl-C nothing new is asked, what
  // is under way comes home, files get their names, and Error(Cancelled) is thrown.
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
