// SPDX-License-Identifier: Apache-2.0

// What a route is asked: the archive, the parameters, and the words that users type in them.
//
//   const std::vector<Uid> nodes = question.nodes("url");
//   const std::uint64_t limit = question.whole("limit", 1, 1000, 100);
//
// A word that means nothing gets a Problem with status 400 that names the parameter.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/work.h"
#include "webstrata/facts/link.h"
#include "webstrata/serve/ask/archives.h"
#include "webstrata/serve/ask/settings.h"
#include "webstrata/serve/replay/recorded_web.h"
#include "webstrata/serve/runs/runs.h"
#include "webstrata/serve/wire/problem.h"
#include "webstrata/serve/wire/request.h"
#include "webstrata/serve/wire/response.h"

namespace webstrata::serve {

// Thrown by Question::leave_loop().
struct NeedsWorker {};

// URLs of a wildcard that one question may list.
inline constexpr std::uint64_t kNodesPerQuestion = 20'000;

struct Question {
  const Request& request;
  const Settings& settings;
  Archives& archives;
  Runs& runs;
  const RecordedWeb* recorded = nullptr;             // WARC files to replay from
  // Null if the route has no {archive}, or writes: a writer may wait for the readers of it.
  std::shared_ptr<const ServedArchive> served = {};
  const ArchivePlace* place = nullptr;  // of a route that writes
  Parameters given = {};
  std::map<std::string, std::string, std::less<>> places = {};  // {run}, {form} of the path
  std::string tail = {};  // of a path that ends in {url}, with its query, not decoded
  std::string base = {};  // "http://127.0.0.1:8931/": for absolute addresses

  [[nodiscard]] const Archive& archive() const { return served->archive; }

  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] std::string needed(std::string_view name) const;
  // A whole number from `low` to `high`.
  [[nodiscard]] std::uint64_t whole(std::string_view name, std::uint64_t low, std::uint64_t high,
                                    std::uint64_t otherwise) const;
  // One of a few words; the first is the default.
  [[nodiscard]] std::string choice(std::string_view name,
                                   const std::vector<std::string>& words) const;
  [[nodiscard]] bool truth(std::string_view name) const;
  // The last second of a date; the interval of two; that between the parameters `from` and `to`.
  [[nodiscard]] std::optional<Time> at(std::string_view name) const;
  [[nodiscard]] std::optional<TimeInterval> during(std::string_view name) const;
  [[nodiscard]] LinkKinds kinds(std::string_view otherwise) const;

  // The URLs that a word means (words/find_url.h). Throws Problem 404 if there is none, 400 if
  // there are more than kNodesPerQuestion.
  [[nodiscard]] std::vector<Uid> nodes(std::string_view name) const;
  // All that a wildcard covers, however many; empty for the name of a page. Throws Problem 404 if
  // there is none.
  [[nodiscard]] std::optional<UidRange> covered(std::string_view name) const;
  // One page: of several spellings, the one with the most captures.
  [[nodiscard]] Uid node(std::string_view name) const;

  // Throws Problem 503 if the time is up.
  void check_time() const;
  // In an event loop: ends this attempt, and a worker answers. To be called before what takes long.
  void leave_loop() const;
  [[nodiscard]] WorkOptions work() const { return {.cancel = request.cancel}; }
};

// The value of the parameter `name`: digits, from `low` to `high`. Throws Problem 400.
std::uint64_t parse_whole(std::string_view name, const std::string& word, std::uint64_t low,
                          std::uint64_t high);

// A JSON object.
Response json_response(std::string body);

}  // namespace webstrata::serve
