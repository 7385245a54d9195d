// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/ask_test.py, tests/cli/archive_law_test.py, tests/python/export_test.py.

#include "webstrata/show/archive_lines.h"

#include <fmt/format.h>

#include "webstrata/archive/ask/link_scores.h"
#include "webstrata/archive/ask/page_captures.h"
#include "webstrata/archive/ask/scores.h"
#include "webstrata/base/time.h"
#include "webstrata/capture/capture_lines.h"

namespace webstrata {
namespace {

constexpr Uid kNodesBetweenProgress = 1024;

void show_progress(const Archive& archive, const WorkOptions& work, Uid uid) {
  if (uid % kNodesBetweenProgress != 0) return;
  work.check_cancelled();
  if (work.progress) work.progress({"exporting", uid, archive.node_count(), "urls"});
}

void each_capture(const Archive& archive, const WorkOptions& work, const TakeLines& take,
                  const std::function<void(std::string&, const Capture&)>& append) {
  std::string lines;
  for (Uid uid = 0; uid < archive.node_count(); ++uid) {
    show_progress(archive, work, uid);
    visit_captures(archive, uid, [&](const Capture& capture) {
      lines.clear();
      append(lines, capture);
      take(lines);
    });
  }
}

}  // namespace

void jsonl_lines(const Archive& archive, const WorkOptions& work, const TakeLines& take) {
  each_capture(archive, work, take,
               [](std::string& out, const Capture& capture) { append_jsonl(out, capture); });
}

void cdxj_lines(const Archive& archive, Dialect dialect, const WorkOptions& work,
                const TakeLines& take) {
  each_capture(archive, work, take, [dialect](std::string& out, const Capture& capture) {
    append_cdxj(out, capture, dialect);
  });
}

void uid_lines(const Archive& archive, const WorkOptions& work, const TakeLines& take) {
  PageFacts facts;
  std::string lines;
  for (Uid uid = 0; uid < archive.node_count(); ++uid) {
    show_progress(archive, work, uid);
    archive.page(uid, facts);
    lines.clear();
    for (std::size_t row = 0; row < facts.row_count(); ++row) {
      lines += fmt::format("{}\t{}", uid, to_rfc3339(facts.times[row]));
      for (std::size_t i = facts.row_start(row); i < facts.row_ends[row]; ++i) {
        lines += fmt::format("\t{}", facts.targets[i]);
      }
      lines += '\n';
    }
    if (!lines.empty()) take(lines);
  }
}

void score_lines(const Archive& archive, const std::string& name, const TakeLines& take) {
  const std::vector<double> scores = load_scores(archive, name);
  for (Uid uid = 0; uid < scores.size(); ++uid) {
    if (!is_missing(scores[uid])) take(fmt::format("{}\t{}\n", archive.url(uid), scores[uid]));
  }
  if (!archive.manifest().link_scores.contains(name)) return;
  visit_link_scores(archive, name, [&](const LinkScoreRow& row) {
    const std::string source = archive.url(row.source);
    for (const LinkScore& link : row.links) {
      take(fmt::format("{}\t{}\t{}\n", source, archive.url(link.target), link.value));
    }
  });
}

}  // namespace webstrata
