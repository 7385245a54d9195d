// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/probe_test.py.

#include "webstrata/show/probe_forms.h"

#include <fmt/format.h>

#include "webstrata/base/json.h"

namespace webstrata {

std::string as_json(const Probed& probed) {
  const Judgement& judgement = probed.judgement;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("url", probed.url).field("outcome", to_string(judgement.outcome));
  json.key("status");
  if (judgement.status != 0) {
    json.value(judgement.status);
  } else {
    json.null();
  }
  json.key("target");
  if (!judgement.target.empty()) {
    json.value(std::string_view(judgement.target));
  } else {
    json.null();
  }
  if (judgement.failure != Failure::None) json.field("failure", to_string(judgement.failure));
  json.key("evidence").begin_array();
  for (const std::string& fact : judgement.evidence) json.value(std::string_view(fact));
  json.end_array();
  json.field("time", to_rfc3339(seconds_of(judgement.time)));
  if (probed.again_at) json.field("again", to_rfc3339(seconds_of(*probed.again_at)));
  json.end_object();
  return line;
}

std::string answer_of(const Judgement& judgement) {
  if (judgement.status != 0) return std::to_string(judgement.status);
  return judgement.failure == Failure::None ? "" : std::string(to_string(judgement.failure));
}

std::string evidence_of(const Judgement& judgement) {
  std::string evidence;
  for (const std::string& fact : judgement.evidence) {
    if (!evidence.empty()) evidence += "; ";
    evidence += fact;
  }
  return evidence;
}

Cells probe_columns() { return {"outcome", "status", "url", "target", "evidence"}; }

Cells probe_cells(const Probed& probed) {
  const Judgement& judgement = probed.judgement;
  return {std::string(to_string(judgement.outcome)), answer_of(judgement), probed.url,
          judgement.target, evidence_of(judgement)};
}

void ProbeSummary::add(const Probed& probed) {
  const Judgement& judgement = probed.judgement;
  ++total_;
  ++outcomes_[static_cast<std::size_t>(judgement.outcome)];
  if (judgement.failure == Failure::NameNotFound) ++host_not_found_;
  if (judgement.status == 404) ++not_found_;
  if (judgement.status == 301) ++moved_;
  // A 302 is not followed, so it is unknown whether its target lives.
  const bool ends_elsewhere = judgement.end_status >= 300 && judgement.end_status < 400;
  if (judgement.status == 301 && judgement.outcome == Outcome::Moved && !ends_elsewhere) {
    targets_.insert(judgement.target);
  }
  if (judgement.status == 200) ++success_;
  if (judgement.status == 200 && judgement.outcome == Outcome::Alive) ++true_success_;
}

std::string ProbeSummary::sums() const {
  std::string text;
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    if (outcomes_[i] == 0) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", outcomes_[i], to_string(static_cast<Outcome>(i)));
  }
  return text.empty() ? "nothing" : text;
}

std::string ProbeSummary::status_table() const {
  std::string text = "status\tpages\tshare\n";
  const auto add = [&](std::string_view name, std::uint64_t count) {
    const double share =
        total_ == 0 ? 0 : 100 * static_cast<double>(count) / static_cast<double>(total_);
    text += fmt::format("{}\t{}\t{:.2f} %\n", name, count, share);
  };
  add("404", not_found_);
  add("host not found", host_not_found_);
  add("301", moved_);
  add("redirect targets", targets_.size());
  add("200", success_);
  add("true 200", true_success_);
  add("other", total_ - not_found_ - host_not_found_ - moved_ - success_);
  add("total", total_);
  return text;
}

}  // namespace webstrata
