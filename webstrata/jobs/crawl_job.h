// SPDX-License-Identifier: Apache-2.0

// A crawl as a job: a folder with a ledger and WARC files, which any later run can continue.
//
//   CrawlJob job = CrawlJob::begin("job", {"http://www.example.org/"}, settings);
//   const CrawlResult result = job.run(&cancel, [](const CrawlNews& news) { … });
//
//   CrawlJob again = CrawlJob::resume("job", [](CrawlJobSettings& settings) {
//     settings.budget.requests = 1000;  // the rest is as it was
//   });

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "webstrata/base/progress.h"
#include "webstrata/fetch/crawl/crawl.h"
#include "webstrata/jobs/crawl_settings.h"

namespace webstrata {

class CrawlJob {
 public:
  // Connects to the frontier that the settings name.
  using PlanMaker = std::function<std::shared_ptr<SharedPlan>(const CrawlJobSettings&)>;

  // Seeds are normalised URLs, one at least unless the job takes part in a
  // frontier. Settings are checked before the folder is made. Throws
  // Error(BadInput), Error(NotFound), and what Ledger::create throws.
  static CrawlJob begin(const std::filesystem::path& folder, const std::vector<std::string>& seeds,
                        const CrawlJobSettings& settings, const PlanMaker& make_plan = {});
  // With the job's own settings, as `change` leaves them. Throws what Ledger::open throws,
  // Error(BadInput) if the settings are of an unknown version.
  static CrawlJob resume(const std::filesystem::path& folder,
                         const std::function<void(CrawlJobSettings&)>& change = {},
                         const PlanMaker& make_plan = {});
  CrawlJob(CrawlJob&&) noexcept;
  ~CrawlJob();

  [[nodiscard]] const CrawlJobSettings& settings() const noexcept;
  // Once. When cancelled, nothing new is asked, answers in flight are waited for, and the result
  // says that it was stopped.
  CrawlResult run(const CancelToken* cancel = nullptr,
                  const std::function<void(const CrawlNews&)>& tell = {});

 private:
  struct State;
  explicit CrawlJob(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
