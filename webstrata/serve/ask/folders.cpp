// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/answers_test.cpp.

#include "webstrata/serve/ask/folders.h"

#include <fmt/format.h>

#include "webstrata/url/url.h"
#include "webstrata/words/url_word.h"

namespace webstrata::serve {
namespace {

// The part of a URL's path up to the first slash after `depth` bytes, or all of it.
std::string folder_path(std::string_view path, std::size_t depth) {
  const std::size_t slash = path.find('/', depth);
  return std::string(slash == std::string_view::npos ? path : path.substr(0, slash + 1));
}

}  // namespace

FolderRange folder_range(const Question& question, const std::string& word) {
  const auto parsed = parse_url_word(word.ends_with('*') ? word : word + "*");
  Url url;
  if (!parsed || parsed->form != UrlWord::Form::Prefix || !parse_url(parsed->text, url)) {
    throw Problem(400,
                  fmt::format("url: {} is not the beginning of a URL such as example.org/*", word));
  }
  return {question.archive().range(keys_of(*parsed)), url.path().rfind('/') + 1};
}

std::optional<FolderName> folder_of(const std::string& href, std::size_t depth) {
  Url url;
  if (!parse_url(href, url)) return std::nullopt;
  const std::size_t host = href.find("://") + 3;
  const std::string path = folder_path(url.path(), depth);
  return FolderName{path, href.substr(0, href.find('/', host)) + path};
}

}  // namespace webstrata::serve
