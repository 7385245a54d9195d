// SPDX-License-Identifier: Apache-2.0

// A ledger to look at, also while another process works on the job: what was durable when it was
// opened. Nothing is changed.
//
//   const LedgerView view = LedgerView::open("job");
//   view.each_url([](UrlNumber number, const LedgerUrl& url) { …; return true; });
//
// ledger_export.h prints all of it as JSON lines.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/fetch/ledger/ledger_records.h"

namespace webstrata {

class LedgerView {
 public:
  // Throws Error(NotFound) if there is no job in `folder`.
  static LedgerView open(const std::filesystem::path& folder);
  LedgerView(LedgerView&&) noexcept;
  ~LedgerView();

  [[nodiscard]] LedgerTotals totals() const;
  // Bytes that the totals contain for answers that did not arrive, or not yet.
  [[nodiscard]] std::uint64_t bytes_reserved() const;
  [[nodiscard]] std::optional<std::string> setting(std::string_view name) const;
  [[nodiscard]] std::uint64_t host_count() const;

  // Empty if there are fewer URLs. A URL without a name was forgotten.
  [[nodiscard]] std::optional<LedgerUrl> url(UrlNumber number) const;
  // All of them, until `visit` returns false.
  using VisitUrl = std::function<bool(UrlNumber number, const LedgerUrl& url)>;
  void each_url(const VisitUrl& visit) const;
  // The number of a URL in its normalised form. Takes as long as a look at all URLs.
  [[nodiscard]] std::optional<UrlNumber> find(std::string_view url) const;
  // In the order of the requests.
  void each_charge(const std::function<bool(const Charge&)>& visit) const;
  // In the order of the answers.
  void each_learned(const std::function<bool(const LearnedPage&)>& visit) const;

 private:
  struct State;
  explicit LedgerView(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Whether `folder` has a job.
bool is_job(const std::filesystem::path& folder);
// Whether another process works on the job in `folder`.
bool is_job_running(const std::filesystem::path& folder);

}  // namespace webstrata
