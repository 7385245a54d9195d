// SPDX-License-Identifier: Apache-2.0

// A capture as lines of text. jsonl_reader.cpp reads the JSON form.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "webstrata/capture/topic_scorer.h"
#include "webstrata/facts/sighting.h"
#include "webstrata/url/dialect.h"

namespace webstrata {

// The scores of a capture for a topic.
struct NamedScores {
  std::string_view name;
  const TopicScores* scores = nullptr;
};

// One JSON object with every known field; it has "links" if they are known, and "topics" for the
// page and each link if there are scores.
void append_jsonl(std::string& out, const Capture& capture,
                  std::span<const NamedScores> topics = {});

// "time source target text", separated by tabs, one line per link; nothing for a sighting.
void append_tsv(std::string& out, const Capture& capture);

// "url score", and "source target score" for each link, separated by tabs.
void append_score(std::string& out, const Capture& capture, const TopicScores& scores);
void append_link_scores(std::string& out, const Capture& capture, const TopicScores& scores);

// CDXJ 0.1.0: "key timestamp {json}", numbers written as strings as pywb does.
void append_cdxj(std::string& out, const Capture& capture, Dialect dialect);

}  // namespace webstrata
