// SPDX-License-Identifier: Apache-2.0

// The web out of WARC files: for every URL its answers up to a date.
//
//   const RecordedWeb web = RecordedWeb::read({"2021.warc.gz"}, time);
//   if (const auto answer = web.find("http://example.org/a")) … answer->status, answer->body …
//
// Only places of records are kept in memory; an answer is read from its file when it is wanted.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webstrata/base/progress.h"
#include "webstrata/base/report.h"
#include "webstrata/base/time.h"

namespace webstrata::serve {

struct RecordedAnswer {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  // without those of the connection
  std::string body;  // without transfer coding; content codings stay
  Time time = 0;
};

class RecordedWeb {
 public:
  // Reads through all files; `known` have only bodies that revisits in `files` refer to. What is
  // damaged is counted in `report`. Throws Error(NotFound), Error(Io), Error(Cancelled).
  static RecordedWeb read(const std::vector<std::string>& files, Time at, Report& report,
                          const std::vector<std::string>& known = {},
                          const CancelToken* cancel = nullptr);

  // http and https are the same here, since neither client nor server speaks TLS. Empty if nothing
  // was recorded up to the date. Throws Error(Corrupt) if the record cannot be read again.
  // The last answer, or the one that was recorded at `time`.
  [[nodiscard]] std::optional<RecordedAnswer> find(std::string_view url) const;
  [[nodiscard]] std::optional<RecordedAnswer> find(std::string_view url, Time time) const;

  // URLs.
  [[nodiscard]] std::size_t size() const noexcept { return answers_.size(); }
  // Sorted.
  [[nodiscard]] std::vector<std::string> hosts() const;

 private:
  struct Place {
    std::uint32_t file = 0;
    std::uint64_t offset = 0;
    std::uint64_t number = 0;  // of the record after that offset: most members hold one
    Time time = 0;
    std::string digest = {};  // of a revisit: where its body is
    bool is_revisit = false;
  };

  void read_file(std::uint32_t number, Time at, Report& report, const CancelToken* cancel);
  [[nodiscard]] std::string record_at(const Place& place) const;
  [[nodiscard]] RecordedAnswer answer_at(const Place& place) const;

  std::vector<std::string> files_;
  // By key without its scheme; each in the order of time.
  std::map<std::string, std::vector<Place>, std::less<>> answers_;
  std::map<std::string, Place, std::less<>> payloads_;  // by digest
};

}  // namespace webstrata::serve
