// Tested by tests/cli/topics_test.py.

#include "webstrata/cli/flags/topic_flags.h"

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
  if (flags.files.empty()) return nullptr;
  std::vector<Topic> topics;
  for (const std::string& file : flags.files) topics.push_back(load_topic(file));
  const LinkWindow window = flags.window == "anchor" ? LinkWindow::Anchor : LinkWindow::Context;
  return std::make_unique<TopicScorer>(std::move(topics), window);
}

}  // namespace webstrata
