// SPDX-License-Identifier: Apache-2.0

// A plan that several crawlers share: it decides who requests which page next, and hears what
// became of it. A URL Frontier service is one (room frontier).
//
//   for (SharedPlan::Task& task : plan.take(100)) …    // no other crawler has these now
//   plan.discover({.url = "http://www.example.org/found", .depth = 2});
//   plan.report({.url = task.url, .status = 200, .outcome = Outcome::Alive});
//   plan.send();                                       // from now on the plan knows
//
// What a crawler may request, when and at what cost is decided by the crawler alone.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "webstrata/facts/outcome.h"
#include "webstrata/fetch/wire/clock.h"

namespace webstrata {

class SharedPlan {
 public:
  virtual ~SharedPlan() = default;

  struct Task {
    std::string url;
    std::uint32_t depth = 0;  // links from a seed
    std::string from = {};    // the page that led here
  };
  // Pages for this crawler to request; empty: none at present. A page that is not reported in time
  // is given to another crawler. Throws Error(Io) if the plan cannot be reached.
  virtual std::vector<Task> take(std::size_t most) = 0;

  // A page that was found. The plan ignores what it knows.
  virtual void discover(Task found) = 0;

  struct Report {
    std::string url;
    int status = 0;  // 0: no answer
    Outcome outcome = Outcome::Unknown;
    std::string reason = {};              // why there is no answer, for people
    std::optional<Moment> again_at = {};  // it should be requested again from then on; never
  };
  virtual void report(Report report) = 0;

  // Hands over what was discovered and reported. Throws Error(Io) if the plan cannot be reached.
  virtual void send() = 0;

  // Pages that are not done, whoever has them. Throws Error(Io).
  virtual std::uint64_t waiting() = 0;
};

}  // namespace webstrata
