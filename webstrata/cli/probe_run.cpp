// Tested by tests/cli/probe_test.py.

#include "webstrata/cli/probe_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/archive/forget.h"
#include "webstrata/archive/scratch_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/json.h"
#include "webstrata/capture/warc_writer.h"
#include "webstrata/cli/command.h"
#include "webstrata/cli/words.h"
#include "webstrata/fetch/agent.h"
#include "webstrata/fetch/forgotten.h"

namespace webstrata {
namespace {

constexpr Moment kTurnMs = 500;

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
  std::filesystem::path out;
  std::optional<WarcWriter> warc;
  std::vector<std::filesystem::path> files;
  std::string sightings;

  State(const ProbeFlags& flags, std::shared_ptr<const Archive> archive)
      : known(std::move(archive)),
        web(transport_of(flags.fetch), clock),
        ledger(Ledger::open_or_create(
            flags.job.empty() ? scratch.emplace(std::filesystem::temp_directory_path()).path()
                              : std::filesystem::path(flags.job),
            clock.now())),
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
      auto tombstones = load_tombstones(known->path(), known->manifest());
      if (tombstones) options.is_forgotten = forgotten_by(std::move(*tombstones), clock);
    }
    if (!out.empty()) {
      std::filesystem::create_directories(out);
      warc.emplace(WarcWriterOptions{.folder = out, .prefix = "PROBE"});
      options.on_answer = [this](const Response& response) { write(response); };
    }
    prober = std::make_unique<Prober>(web, clock, ledger, std::move(options));
  }

  void write(const Response& response) {
    const Time time = seconds_of(response.finished);
    const WarcPlace place = warc->write_response({.url = response.url,
                                                  .time = time,
                                                  .http = archived_answer(response),
                                                  .ip = response.address,
                                                  .truncated = to_string(response.truncated)});
    warc->write_request({.url = response.url, .time = time, .http = response.request_head},
                        place.record_id);
    const auto file = out / place.file;
    if (files.empty() || files.back() != file) files.push_back(file);
  }

  // A second behind the answer: of one second an archive believes the answer.
  void write_sighting(const Probed& probed) {
    const Judgement& judgement = probed.judgement;
    if (judgement.outcome == Outcome::Unknown) return;
    JsonWriter json(sightings);
    json.begin_object().field("url", probed.url);
    json.field("time", to_rfc3339(seconds_of(std::max(judgement.time + 1000, clock.now()))));
    json.field("kind", "probe").field("outcome", to_string(judgement.outcome));
    if (judgement.status != 0) json.field("status", judgement.status);
    if (judgement.outcome == Outcome::Moved) json.field("redirect", judgement.target);
    json.end_object();
    sightings += '\n';
  }
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
      if (!state_->out.empty()) state_->write_sighting(probed);
      tell(probed);
    }
    if (is_over && prober.in_flight() == 0) {
      finish();
      interruption().check();
    }
  }
}

std::vector<std::filesystem::path> ProbeRun::finish() {
  State& state = *state_;
  if (state.warc) {
    state.warc->close();
    const auto path = state.out / fmt::format("probes-{}.jsonl", to_timestamp14(now()));
    write_file(path, state.sightings);
    state.files.push_back(path);
  }
  return state.files;
}

std::uint64_t ProbeRun::requests() const { return state_->ledger.totals().requests; }

}  // namespace webstrata
