// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/topics_test.py.

#include "webstrata/cli/flags/topic_flags.h"

#include "webstrata/jobs/topic_columns.h"

namespace webstrata {
void declare_topics(FlagSet& app, TopicFlags& flags, const std::string& what) {
  app.add_option("--topic", flags.files, what + " (may be repeated)")
      ->group("Topics")
      ->type_name("FILE")
      ->repeatable();
  app.add_option("--link-window", flags.window,
                 "Text that counts for a link: 100 (its text and 50 characters on either side) or "
                 "anchor (its text only) (default 100)")
      ->group("Topics")
      ->one_of({"100", "anchor"})
      ->type_name("WHERE");
}

std::unique_ptr<TopicScorer> load_topics(const TopicFlags& flags) {
  return load_topics(flags.files,
                     flags.window == "anchor" ? LinkWindow::Anchor : LinkWindow::Context);
}

}  // namespace webstrata
