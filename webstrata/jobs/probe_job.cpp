// SPDX-License-Identifier: Apache-2.0

// The order of writing is the point: answers and outcomes are written and synced (on_commit), then
// the ledger records the pages as decided, and the names of the files are kept in the ledger until
// an update has imported them. So a killed run loses nothing that the ledger calls decided.
// Tested by tests/cli/probe_test.py, and with kills by tests/fetch/probe_kill_test.py.

#include "webstrata/jobs/probe_job.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/archive/disk/scratch_folder.h"
#include "webstrata/fetch/probe/probe_files.h"
#include "webstrata/fetch/visit/forgotten.h"
#include "webstrata/fetch/wire/agent.h"

namespace webstrata {
namespace {

constexpr Moment kTurnMs = 500;
// Files that were written for `update` and that no update has had yet, one per line.
constexpr std::string_view kFilesSetting = "files for update";

std::optional<KnownPage> known_page(const Archive& archive, const std::string& url) {
  const auto uid = archive.uid(url);
  if (!uid) return std::nullopt;
  KnownPage known;
  for (const Sighting& sighting : archive.sightings(*uid)) {
    // What was taken for a page before was what the server says of any name.
    if (sighting.outcome == Outcome::SoftGone) known = {};
    if (sighting.digest.empty() || sighting.outcome != Outcome::Alive) continue;
    known = {sighting.digest, sighting.time};  // they ascend: the latest stays
  }
  return known.digest.empty() ? std::nullopt : std::optional(known);
}

}  // namespace

struct ProbeJob::State {
  SystemClock clock;
  std::optional<ScratchFolder> scratch;  // of a job that nobody wants to keep
  std::shared_ptr<const Archive> known;
  CurlTransport web;
  Ledger ledger;
  std::unique_ptr<Prober> prober;
  std::optional<ProbeFiles> files;
  std::filesystem::path out;
  const CancelToken* cancel;
  std::vector<std::filesystem::path> earlier;  // of runs whose files no update has had

  State(const ProbeJobOptions& wanted, std::shared_ptr<const Archive> archive)
      : known(std::move(archive)),
        web(wanted.transport, clock),
        ledger(Ledger::open_or_create(
            wanted.job.empty() ? scratch.emplace(std::filesystem::temp_directory_path()).path()
                               : wanted.job,
            clock.now(), clock.machine_start())),
        out(wanted.out),
        cancel(wanted.cancel) {
    ledger.set_rules(wanted.rules, {.requests = wanted.requests});
    ProbeOptions options;
    options.product = product_token(wanted.transport.agent);
    options.limits = wanted.limits;
    options.confirm = wanted.confirm;
    options.waits = wanted.waits;
    options.asks_head = wanted.asks_head;
    options.judge.rule = wanted.rule;
    options.judge.seed = wanted.seed;
    if (known) {
      options.judge.known = [this](const std::string& url) { return known_page(*known, url); };
      options.is_forgotten = forgotten_by_archive(known->path(), clock);
    }
    if (!out.empty()) {
      files.emplace(out, clock);
      remember_files();
      options.on_answer = [this](const Response& response) { files->write(response); };
      options.on_commit = [this](std::span<const Probed> decided) { write_down(decided); };
    }
    prober = std::make_unique<Prober>(web, clock, ledger, std::move(options));
  }

  // The ledger may be durable only after this.
  void write_down(std::span<const Probed> decided) {
    for (const Probed& probed : decided) files->write(probed);
    files->sync();
    note_files();
  }

  [[nodiscard]] std::vector<std::filesystem::path> all_files() const {
    std::vector<std::filesystem::path> all = earlier;
    for (const std::string& name : files->names()) {
      const auto path = out / name;
      const bool is_known = std::ranges::any_of(
          earlier, [&](const auto& other) { return other == std::filesystem::absolute(path); });
      if (!is_known) all.push_back(path);
    }
    return all;
  }

  void note_files() {
    std::string text;
    for (const auto& path : all_files()) text += std::filesystem::absolute(path).string() + '\n';
    if (text != noted) ledger.set_setting(kFilesSetting, text);
    noted = text;
  }

  // Also of a run that wrote into another folder.
  void remember_files() {
    noted = ledger.setting(kFilesSetting).value_or("");
    for (std::string_view rest = noted; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::filesystem::path path = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (std::filesystem::exists(path.string() + ".open")) complete_left(path.parent_path());
      if (std::filesystem::exists(path)) earlier.push_back(path);
    }
  }

  std::string noted;  // in kFilesSetting
};

ProbeJob::ProbeJob(const ProbeJobOptions& options, std::shared_ptr<const Archive> known)
    : state_(std::make_unique<State>(options, std::move(known))) {}
ProbeJob::~ProbeJob() = default;

void ProbeJob::probe(const std::vector<std::string>& urls,
                     const std::function<void(const Probed&)>& tell) {
  Prober& prober = *state_->prober;
  for (const std::string& url : urls) prober.add(url);
  while (!prober.is_done()) {
    const bool is_over = state_->cancel != nullptr && state_->cancel->cancelled();
    if (is_over) prober.drain();
    for (const Probed& probed : prober.turn(state_->clock.now() + kTurnMs)) {
      tell(probed);
    }
    if (is_over && prober.in_flight() == 0) {
      finish();
      state_->cancel->check();
    }
  }
}

std::vector<std::filesystem::path> ProbeJob::finish() {
  if (!state_->files) return {};
  state_->files->close();
  return state_->all_files();
}

void ProbeJob::forget_files() {
  if (!state_->files) return;
  state_->ledger.set_setting(kFilesSetting, "");
  state_->ledger.commit(state_->clock.now());
}

std::uint64_t ProbeJob::requests() const { return state_->ledger.totals().requests; }

}  // namespace webstrata
