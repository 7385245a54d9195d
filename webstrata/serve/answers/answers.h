// SPDX-License-Identifier: Apache-2.0

// The answers of the routes, one function each; routes.cpp lists them.

#pragma once

#include "webstrata/serve/ask/question.h"

namespace webstrata::serve {

Response answer_archives(const Question& question);  // catalogue.cpp
Response answer_info(const Question& question);
Response answer_hosts(const Question& question);
Response answer_urls(const Question& question);  // urls.cpp
Response answer_page(const Question& question);  // pages.cpp
Response answer_captures(const Question& question);
Response answer_links(const Question& question);  // links.cpp
Response answer_history(const Question& question);
Response answer_strata(const Question& question);  // strata.cpp
Response answer_diff(const Question& question);    // changes.cpp
Response answer_stats(const Question& question);
Response answer_rank(const Question& question);     // ranks.cpp
Response answer_network(const Question& question);  // networks.cpp
Response answer_cdx(const Question& question);      // cdx.cpp
Response answer_timemap(const Question& question);  // memento.cpp
Response answer_timegate(const Question& question);
Response answer_replay(const Question& question);  // replayed.cpp
Response answer_runs(const Question& question);    // runs.cpp
Response answer_run(const Question& question);
Response answer_run_curve(const Question& question);
Response answer_run_pages(const Question& question);
Response answer_run_why(const Question& question);
Response answer_run_plan(const Question& question);
Response answer_run_events(const Question& question);
Response answer_update(const Question& question);  // writing.cpp
Response answer_forget(const Question& question);
Response answer_compact(const Question& question);

}  // namespace webstrata::serve
