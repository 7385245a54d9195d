// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/recorded_web_test.cpp.

#include "webstrata/serve/replay/recorded_web.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/capture/formats/warc_records.h"
#include "webstrata/capture/http/content_coding.h"
#include "webstrata/capture/http/http_message.h"
#include "webstrata/capture/stream/input_stream.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace webstrata::serve {
namespace {

// The key of a URL without the byte of its scheme; empty if it is not a URL of the web.
std::string place_key(std::string_view text) {
  Url url;
  if (!parse_url(text, url) || !url.is_web()) return "";
  std::string key;
  append_key(url, key);
  key.pop_back();
  return key;
}

std::string_view without_brackets(std::string_view uri) {
  return uri.starts_with('<') && uri.ends_with('>') ? uri.substr(1, uri.size() - 2) : uri;
}

// Headers of the connection that was recorded say nothing about this one.
bool is_of_connection(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "connection", "content-length",      "keep-alive", "proxy-authenticate",
      "te",         "proxy-authorization", "trailer",    "transfer-encoding",
      "upgrade",    "proxy-connection"};
  const std::string known = lower(name);
  return std::find(std::begin(kNames), std::end(kNames), known) != std::end(kNames);
}

}  // namespace

RecordedWeb RecordedWeb::read(const std::vector<std::string>& files, Time at, Report& report,
                              const std::vector<std::string>& known, const CancelToken* cancel) {
  RecordedWeb web;
  web.files_ = files;
  web.files_.insert(web.files_.end(), known.begin(), known.end());
  for (std::uint32_t i = 0; i < web.files_.size(); ++i) {
    // No answer is old enough to be served from a file of known bodies.
    web.read_file(i, i < files.size() ? at : kAllTime.first, report, cancel);
  }
  return web;
}

void RecordedWeb::read_file(std::uint32_t number, Time at, Report& report,
                            const CancelToken* cancel) {
  InputStream in(files_[number], report);
  WarcRecords records(in, report);
  std::uint64_t start = 0;  // where reading can begin again, and how many records later this is
  std::uint64_t later = 0;
  for (; records.next(); records.finish()) {
    if (cancel != nullptr) cancel->check();
    later = records.has_own_offset() ? 0 : later + 1;
    if (records.has_own_offset()) start = records.offset();
    const std::string_view type = records.type();
    const bool is_revisit = type == "revisit";
    if (type != "response" && !is_revisit) continue;
    const auto time = parse_time_leniently(records.field("WARC-Date"));
    const std::string key = place_key(without_brackets(records.field("WARC-Target-URI")));
    if (!time || key.empty()) continue;
    const std::string digest(records.field("WARC-Payload-Digest"));
    const Place place = {number, start, later, time->time, digest, is_revisit};
    if (!is_revisit && !digest.empty()) payloads_.emplace(digest, place);
    if (time->time > at) continue;
    std::vector<Place>& places = answers_[key];
    const auto later_ones =
        std::upper_bound(places.begin(), places.end(), place.time,
                         [](Time wanted, const Place& other) { return wanted < other.time; });
    places.insert(later_ones, place);
  }
}

std::string RecordedWeb::record_at(const Place& place) const {
  Report report;
  InputStream in(files_[place.file], report, place.offset);
  WarcRecords records(in, report);
  for (std::uint64_t i = 0; records.next(); ++i, records.finish()) {
    if (i == place.number) return std::string(records.content());
  }
  throw Error(ErrorKind::Corrupt, fmt::format("{}: the record at {} is no longer there",
                                              files_[place.file], place.offset));
}

std::optional<RecordedAnswer> RecordedWeb::find(std::string_view url) const {
  const auto found = answers_.find(place_key(url));
  if (found == answers_.end()) return std::nullopt;
  return answer_at(found->second.back());
}

std::optional<RecordedAnswer> RecordedWeb::find(std::string_view url, Time time) const {
  const auto found = answers_.find(place_key(url));
  if (found == answers_.end()) return std::nullopt;
  for (const Place& place : found->second) {
    if (place.time == time) return answer_at(place);
  }
  return std::nullopt;
}

RecordedAnswer RecordedWeb::answer_at(const Place& place) const {
  const std::string block = record_at(place);
  HttpResponse response;
  RecordedAnswer answer;
  answer.time = place.time;
  const bool has_head = parse_http_response(block, response);
  if (has_head) {
    answer.status = response.status;
    for (const HeaderField& field : response.headers.all()) {
      if (!is_of_connection(field.name)) answer.headers.emplace_back(field.name, field.value);
    }
    answer.body = BodyDecoder().decode(response).entity;
  }
  const auto payload = payloads_.find(place.digest);
  if (place.is_revisit && payload != payloads_.end()) {
    const std::string original = record_at(payload->second);
    HttpResponse earlier;
    if (parse_http_response(original, earlier)) {
      answer.body = BodyDecoder().decode(earlier).entity;
      if (!has_head) {
        for (const HeaderField& field : earlier.headers.all()) {
          if (!is_of_connection(field.name)) answer.headers.emplace_back(field.name, field.value);
        }
      }
    }
  }
  return answer;
}

std::vector<std::string> RecordedWeb::hosts() const {
  std::set<std::string> hosts;
  for (const auto& [key, places] : answers_) {
    Url url;
    const auto text = url_of_key(key + '\x01');
    if (text && parse_url(*text, url)) hosts.emplace(url.host());
  }
  return {hosts.begin(), hosts.end()};
}

}  // namespace webstrata::serve
