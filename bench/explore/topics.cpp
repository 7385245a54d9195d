// SPDX-License-Identifier: Apache-2.0
#include "bench/explore/topics.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>

#include "bench/lines.h"
#include "webstrata/base/error.h"
#include "webstrata/capture/formats/json_line.h"

namespace webstrata {
namespace {

std::string folded(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return lower;
}

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::uint64_t count_word(std::string_view text, std::string_view word) {
  std::uint64_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word_byte(text[at - 1]);
    const bool ends = end == text.size() || !is_word_byte(text[end]);
    if (begins && ends) ++count;
  }
  return count;
}

std::filesystem::path file_of(const std::string& name, const std::filesystem::path& shared) {
  if (name == "schools-wiki") return shared / "data/schools-wiki/captures.2007.jsonl.zst";
  if (name == "debpkg") return shared / "data/debpkg/captures.bookworm.jsonl.zst";
  if (name.starts_with("debpkg-")) {
    return shared / "data/debpkg" / ("captures." + name.substr(7) + ".jsonl.zst");
  }
  return name;
}

// Some links of schools-wiki are percent-encoded twice.
std::string repaired(std::string_view url) {
  std::string once(url);
  for (std::size_t at = once.find("%25"); at != std::string::npos; at = once.find("%25", at + 1)) {
    once.erase(at + 1, 2);
  }
  return once;
}

struct RawPage {
  std::string url;
  std::string text;
  std::vector<std::pair<std::string, std::string>> links;  // URL, text around it
};

}  // namespace

TopicPages::TopicPages(const std::string& name, const std::filesystem::path& shared) {
  std::vector<RawPage> pages;
  JsonLine line;
  for_each_line(file_of(name, shared), [&](std::string_view text) {
    if (!line.parse(text)) return;
    RawPage page{std::string(line.word("url")), folded(line.word("text")), {}};
    if (const auto links = array_field(line.object(), "links")) {
      for (const simdjson::dom::element link : *links) {
        const simdjson::dom::object object = link.get_object();
        const std::string_view context = line.word(object, "context");
        page.links.emplace_back(line.word(object, "url"),
                                folded(context.empty() ? line.word(object, "text") : context));
      }
    }
    pages.push_back(std::move(page));
  });
  std::sort(pages.begin(), pages.end(),
            [](const RawPage& a, const RawPage& b) { return a.url < b.url; });
  std::unordered_map<std::string, Node> nodes;
  auto names = std::make_shared<NameList>();
  for (const RawPage& page : pages) {
    nodes.emplace(page.url, names->size());
    names->add(page.url);
  }
  std::vector<std::pair<Node, Node>> pairs;
  for (Node node = 0; node < pages.size(); ++node) {
    auto& links = links_.emplace_back();
    for (const auto& [url, text] : pages[node].links) {
      auto target = nodes.find(url);
      if (target == nodes.end()) target = nodes.find(repaired(url));
      if (target == nodes.end() || target->second == node) continue;
      links.push_back({target->second, text});
      pairs.emplace_back(node, target->second);
    }
    texts_.push_back(std::move(pages[node].text));
  }
  graph_ = Snapshot::from_links(pages.size(), std::move(pairs)).with_names(names);
}

SimulatedWeb TopicPages::web(const std::string& keyword) const {
  std::vector<double> node_scores;
  std::vector<std::uint64_t> counts(graph_.link_count());
  for (Node node = 0; node < graph_.node_count(); ++node) {
    node_scores.push_back(smoothed_count(static_cast<double>(count_word(texts_[node], keyword))));
    for (const LinkText& link : links_[node]) {
      counts[*graph_.find_link(node, link.target)] += count_word(link.text, keyword);
    }
  }
  std::vector<double> link_scores;
  for (const std::uint64_t count : counts) {
    link_scores.push_back(smoothed_count(static_cast<double>(count)));
  }
  return {graph_, std::move(node_scores), std::move(link_scores)};
}

const std::vector<TopicGroup>& topic_groups() {
  static const std::vector<TopicGroup> all = {
      {"schools-wiki",
       "never looked at",
       false,
       {"river", "physics", "painting", "ocean", "whale", "piano", "temple", "vitamin", "rugby",
        "telescope", "marriage", "silk"}},
      {"debpkg", "never looked at", false, {"game", "music", "font"}},
      {"schools-wiki",
       "development",
       true,
       {"bridge",   "music",     "france",     "war",     "chess",      "volcano", "parliament",
        "football", "insect",    "tennis",     "virus",   "opera",      "desert",  "castle",
        "railway",  "slavery",   "planet",     "engine",  "dinosaur",   "guitar",  "cathedral",
        "coffee",   "cricket",   "cancer",     "jazz",    "emperor",    "uranium", "poetry",
        "vaccine",  "submarine", "monastery",  "cotton",  "philosophy", "bird",    "wine",
        "aircraft", "bacteria",  "earthquake", "glacier", "theorem"}},
      {"debpkg",
       "development",
       true,
       {"python", "perl", "ruby", "java", "gnome", "database", "audio", "latex", "emacs"}},
  };
  return all;
}

}  // namespace webstrata
