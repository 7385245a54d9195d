// SPDX-License-Identifier: Apache-2.0

// Keys are requested in URL form, because XML cannot hold all of them.
// Tested by tests/capture/object_list_test.cpp and s3_test.py.

#include "webstrata/capture/remote/object_list.h"

#include <algorithm>

#include "webstrata/base/error.h"
#include "webstrata/capture/remote/remote_trouble.h"
#include "webstrata/capture/remote/s3_request.h"
#include "webstrata/url/percent.h"

namespace webstrata {
namespace {

constexpr std::size_t kPageBytesMax = std::size_t{16} << 20;

std::string without_entities(std::string_view text) {
  static constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};
  std::string out;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(
        kEntities, [text](const auto& entity) { return text.starts_with(entity.first); });
    out.push_back(found != std::end(kEntities) ? found->second : text.front());
    text.remove_prefix(found != std::end(kEntities) ? found->first.size() : 1);
  }
  return out;
}

std::string key_of(std::string text, bool is_escaped) {
  text = without_entities(text);
  if (!is_escaped) return text;
  std::ranges::replace(text, '+', ' ');
  std::string key;
  append_percent_decoded(key, text);
  return key;
}

ObjectPage read_page(Wire& wire, S3Settings& s3, const ObjectName& folder, const std::string& shown,
                     const std::string& token) {
  QueryFields query;
  if (!token.empty()) query.emplace_back("continuation-token", token);
  query.emplace_back("encoding-type", "url");
  query.emplace_back("list-type", "2");
  query.emplace_back("prefix", folder.key);
  Attempts attempts({}, shown);
  while (true) {
    const auto answer = wire.start(s3_request(s3, {folder.bucket, ""}, query));
    const WireHead& head = answer->head();
    if (head.status == 0) {
      attempts.failed(trouble_of_transfer(answer->end()));
      continue;
    }
    const std::string body = read_body(*answer, kPageBytesMax);
    if (body.size() == kPageBytesMax) {
      throw Error(ErrorKind::Io, shown + ": the server's list of objects is too long");
    }
    const bool is_whole = answer->end().kind == WireEnd::Kind::Complete;
    if (head.status == 200 && is_whole) return parse_object_page(body);
    if (learn_region(head, body, s3)) continue;
    attempts.failed(is_whole ? trouble_of_answer(head, body, &s3)
                             : trouble_of_transfer(answer->end()));
  }
}

void append_objects(const std::string& name, std::vector<std::string>& names) {
  const ObjectName folder = parse_object_name(name);
  const auto wire = Wire::shared();
  S3Settings s3 = s3_settings();
  std::string token;
  const std::size_t before = names.size();
  do {
    const ObjectPage page = read_page(*wire, s3, folder, name, token);
    for (const std::string& key : page.keys) names.push_back("s3://" + folder.bucket + "/" + key);
    token = page.next;
  } while (!token.empty());
  if (names.size() == before) {
    throw Error(ErrorKind::NotFound, name + ": the bucket has no objects below it");
  }
}

}  // namespace

ObjectPage parse_object_page(std::string_view xml) {
  constexpr std::string_view kContents = "<Contents>";
  ObjectPage page;
  const bool is_escaped = element_of(xml, "EncodingType") == "url";
  if (element_of(xml, "IsTruncated") == "true") {
    page.next = without_entities(element_of(xml, "NextContinuationToken"));
  }
  for (std::size_t start = xml.find(kContents); start != std::string_view::npos;
       start = xml.find(kContents, start + kContents.size())) {
    const std::string key = key_of(element_of(xml.substr(start), "Key"), is_escaped);
    if (!key.empty() && !key.ends_with('/')) page.keys.push_back(key);
  }
  return page;
}

std::vector<std::string> with_objects_listed(const std::vector<std::string>& names) {
  std::vector<std::string> listed;
  for (const std::string& name : names) {
    if (is_s3(name) && name.ends_with('/')) {
      append_objects(name, listed);
    } else {
      listed.push_back(name);
    }
  }
  return listed;
}

}  // namespace webstrata
