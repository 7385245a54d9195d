// SPDX-License-Identifier: Apache-2.0

// URLs as lines of JSON, in the form of URLItem that clients of the API read and write.
// Tested by tests/frontier/service_test.py.

#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include "webstrata/base/error.h"
#include "webstrata/frontier/service/messages.h"
#include "webstrata/frontier/service/service_module.h"

namespace webstrata::frontier {

void dump_lines(const ServiceSettings& settings,
                const std::function<void(std::string_view line)>& write) {
  Frontier frontier(settings.job / "frontier");
  for (const std::string& crawl : frontier.crawls()) {
    frontier.list({.crawl = crawl}, [&](const KnownUrl& url) {
      urlfrontier::URLItem item;
      fill(item, url);
      std::string line;
      if (!google::protobuf::util::MessageToJsonString(item, &line).ok()) {
        throw Error(ErrorKind::Corrupt, url.info.url + ": cannot be written as JSON");
      }
      line.push_back('\n');
      write(line);
      return true;
    });
  }
}

LoadedUrls load_lines(const ServiceSettings& settings,
                      const std::function<bool(std::string& line)>& next) {
  Frontier frontier(settings.job / "frontier");
  LoadedUrls loaded;
  std::string line;
  for (std::uint64_t number = 1; next(line); ++number) {
    if (line.empty()) continue;
    urlfrontier::URLItem message;
    const auto status = google::protobuf::util::JsonStringToMessage(line, &message);
    auto item = status.ok() ? item_of(message) : std::nullopt;
    if (!item) refuse(fmt::format("line {} is no URLItem of the API in JSON", number));
    item->created = message.creation_date();
    switch (frontier.put(*item)) {
      case Ack::Ok:
        ++loaded.stored;
        break;
      case Ack::Skipped:
        ++loaded.skipped;
        break;
      case Ack::Fail:
        throw Error(ErrorKind::Io, fmt::format("line {}: too many queues", number));
    }
  }
  if (!frontier.durable().wait()) throw Error(ErrorKind::Io, "the disk failed");
  return loaded;
}

}  // namespace webstrata::frontier
