// SPDX-License-Identifier: Apache-2.0

// --topic and what goes with it, for extract, build and update. docs/topics.md tells it to users.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "webstrata/capture/topic_scorer.h"
#include "webstrata/cli/frame/flags.h"

namespace webstrata {

struct TopicFlags {
  std::vector<std::string> files;
  std::string window = "100";
};

void declare_topics(FlagSet& app, TopicFlags& flags, const std::string& what);

// Null if no topic is wanted. Throws Error(BadInput) with file and line, Error(NotFound).
std::unique_ptr<TopicScorer> load_topics(const TopicFlags& flags);

}  // namespace webstrata
