// Tested by tests/cli/probe_test.py, and with kills by tests/fetch/probe_kill_test.py.

#include "webstrata/cli/probe_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/archive/scratch_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/cli/command.h"
#include "webstrata/cli/words.h"
#include "webstrata/fetch/agent.h"
#include "webstrata/fetch/forgotten.h"
#include "webstrata/fetch/probe_files.h"

namespace webstrata {
namespace {

constexpr Moment kTurnMs = 500;
// Files that were written for `update` and that no update has had yet, one per line.
constexpr std::string_view kFilesSetting = "files for update";

Confirm confirm_of(const ProbeFlags& flags) {
  const auto confirm = parse_confirm(flags.confirm);
  if (confirm) return *confirm;
  throw Error(ErrorKind::BadInput,
              fmt::format("--confirm {}: say checks and time, such as 3x3d", flags.confirm));
}

ProbeRule rule_of(const ProbeFlags& flags) {
  if (flags.rule == "evidence") return ProbeRule::Evidence;
  if (flags.rule == "paper") return ProbeRule::Paper;
  throw Error(ErrorKind::BadInput, fmt::format("--rule {}: evidence or paper", flags.rule));
}

RequestLimits limits_of(const ProbeFlags& flags) {
  RequestLimits limits;
  limits.total_ms_max = parse_duration_flag("--timeout", flags.timeout);
  limits.connect_ms_max = std::min(limits.connect_ms_max, limits.total_ms_max);
  limits.body_bytes_max = parse_bytes_flag("--body", flags.body);
  return limits;
}

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

void declare_probe(FlagSet& app, ProbeFlags& flags) {
  declare_fetch(app, flags.fetch);
  app.add_option("--confirm", flags.confirm,
                 "Checks, and over how long, until an unreachable page is gone (default 3x3d)")
      ->type_name("NxTIME");
  app.add_flag("--wait", flags.wait, "Stay for the checks that --confirm asks for");
  app.add_option("--rule", flags.rule,
                 "evidence (default), or paper: 200 without \"Page Not Found\", \"Error 404\"")
      ->type_name("RULE");
  app.add_option("--job", flags.job, "Keep the ledger in this folder, and go on with it later")
      ->type_name("FOLDER");
  app.add_option("--out", flags.out, "Write WARC and sightings for `update` into this folder")
      ->type_name("FOLDER");
  app.add_option("--timeout", flags.timeout, "For one request (default 60s)")->type_name("TIME");
  app.add_option("--body", flags.body, "Read no more of a page (default 1M)")->type_name("BYTES");
  app.add_option("--requests", flags.requests,
                 "At most so many requests, robots.txt and twins included")
      ->positive()
      ->type_name("N");
}

void check(const ProbeFlags& flags) {
  confirm_of(flags);
  rule_of(flags);
  limits_of(flags);
  politeness_of(flags.fetch);
  transport_of(flags.fetch);
}

struct ProbeRun::State {
  SystemClock clock;
  std::optional<ScratchFolder> scratch;  // of a job that nobody wants to keep
  std::shared_ptr<const Archive> known;
  CurlTransport web;
  Ledger ledger;
  std::unique_ptr<Prober> prober;
  std::optional<ProbeFiles> files;
  std::filesystem::path out;
  std::vector<std::filesystem::path> earlier;  // of runs whose files no update has had

  State(const ProbeFlags& flags, std::shared_ptr<const Archive> archive)
      : known(std::move(archive)),
        web(transport_of(flags.fetch), clock),
        ledger(Ledger::open_or_create(
            flags.job.empty() ? scratch.emplace(std::filesystem::temp_directory_path()).path()
                              : std::filesystem::path(flags.job),
            clock.now(), clock.machine_start())),
        out(flags.out) {
    ledger.set_rules(politeness_of(flags.fetch), {.requests = flags.requests});
    ProbeOptions options;
    options.product = product_token(agent_of(flags.fetch));
    options.limits = limits_of(flags);
    options.confirm = confirm_of(flags);
    options.waits = flags.wait;
    options.judge.rule = rule_of(flags);
    options.judge.seed = flags.seed;
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

ProbeRun::ProbeRun(const ProbeFlags& flags, std::shared_ptr<const Archive> known)
    : state_(std::make_unique<State>(flags, std::move(known))) {}
ProbeRun::~ProbeRun() = default;

void ProbeRun::probe(const std::vector<std::string>& urls,
                     const std::function<void(const Probed&)>& tell) {
  Prober& prober = *state_->prober;
  for (const std::string& url : urls) prober.add(url);
  while (!prober.is_done()) {
    const bool is_over = interruption().cancelled();
    if (is_over) prober.drain();
    for (const Probed& probed : prober.turn(state_->clock.now() + kTurnMs)) {
      tell(probed);
    }
    if (is_over && prober.in_flight() == 0) {
      finish();
      interruption().check();
    }
  }
}

std::vector<std::filesystem::path> ProbeRun::finish() {
  if (!state_->files) return {};
  state_->files->close();
  return state_->all_files();
}

void ProbeRun::forget_files() {
  if (!state_->files) return;
  state_->ledger.set_setting(kFilesSetting, "");
  state_->ledger.commit(state_->clock.now());
}

std::uint64_t ProbeRun::requests() const { return state_->ledger.totals().requests; }

}  // namespace webstrata
