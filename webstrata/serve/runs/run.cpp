// SPDX-License-Identifier: Apache-2.0

// What a run is shows at its beginning: a job has a ledger, the other kinds are files with a first
// line or first fields of their own.
// Tested by tests/serve/runs_test.cpp.

#include "webstrata/serve/runs/run.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/fetch/ledger/ledger_view.h"

namespace webstrata::serve {
namespace {

constexpr std::string_view kCampaignHead = "webstrata liverank ";
constexpr std::size_t kHeadBytes = 4096;

std::string head_of_file(const std::filesystem::path& path) {
  std::string head(kHeadBytes, '\0');
  head.resize(FileReader::open(path).read(head.data(), head.size()));
  return head;
}

bool begins_campaign(std::string_view head) { return head.starts_with(kCampaignHead); }
bool begins_seeds(std::string_view head) {
  return head.starts_with('{') && head.find("\"method\":") != std::string_view::npos &&
         head.find("\"seeds\":") != std::string_view::npos;
}

}  // namespace

std::string_view to_string(RunKind kind) noexcept {
  switch (kind) {
    case RunKind::Crawl:
      return "crawl";
    case RunKind::Probe:
      return "probe";
    case RunKind::Campaign:
      return "campaign";
    case RunKind::Seeds:
      return "seeds";
  }
  return "";
}

bool is_run(const std::filesystem::path& path) {
  if (is_job(path)) return true;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  try {
    const std::string head = head_of_file(path);
    return begins_campaign(head) || begins_seeds(head);
  } catch (const Error&) {  // it was just deleted, or may not be read
    return false;
  }
}

std::unique_ptr<const Run> open_run(const std::filesystem::path& path) {
  if (is_job(path)) return open_job_run(path);
  if (!std::filesystem::exists(path)) {
    throw Error(ErrorKind::NotFound, fmt::format("{}: no such run", path.string()));
  }
  if (std::filesystem::is_regular_file(path)) {
    const std::string head = head_of_file(path);
    if (begins_campaign(head)) return open_campaign_run(path);
    if (begins_seeds(head)) return open_seeds_run(path);
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: not a job, not the state of a campaign, and not a list of "
                          "seeds as JSON",
                          path.string()));
}

}  // namespace webstrata::serve
