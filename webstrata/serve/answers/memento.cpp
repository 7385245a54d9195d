// SPDX-License-Identifier: Apache-2.0

// Memento (RFC 7089): where the captures of a URL can be replayed, and which is nearest to a date.
//
// An archive knows when a URL was captured. Mementos are at the address that --replay gives, or in
// the WARC files that the server has (replayed.cpp).
// Tested by tests/serve/memento_test.cpp and tests/serve/pywb_test.py.

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "webstrata/base/json.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/serve/answers/mementos.h"
#include "webstrata/url/dialect.h"
#include "webstrata/url/url.h"

namespace webstrata::serve {

std::string original_of(const Question& question) {
  std::string text = question.tail;
  if (text.find("://") == std::string::npos) text = decode_segment(text);
  if (text.find(":/") == std::string::npos) text = "http://" + text;
  // Proxies join two slashes.
  const std::size_t colon = text.find(":/");
  if (text.compare(colon, 3, "://") != 0) text.insert(colon + 1, "/");
  Url url;
  if (!parse_url(text, url) || !url.is_web()) {
    throw Problem(400, fmt::format("{} is not an http or https URL", question.tail));
  }
  return std::string(url.href());
}

std::vector<Sighting> replayable(const Question& question, const std::string& original) {
  std::vector<Sighting> found;
  for (const Uid uid : question.archive().folded(original, Dialect::Pywb)) {
    for (Sighting& sighting : question.archive().sightings(uid)) {
      if (sighting.kind != SightingKind::Probe) found.push_back(std::move(sighting));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Sighting& a, const Sighting& b) { return a.time < b.time; });
  if (found.empty()) {
    throw Problem(
        404, fmt::format("{} was not captured in the archive {}", original, question.served->name));
  }
  return found;
}

std::string replay_template(const Question& question) {
  if (!question.settings.replay.empty()) return question.settings.replay;
  if (question.recorded == nullptr) {
    throw Problem(404, "this server does not know where captures are replayed");
  }
  return fmt::format("{}a/{}/replay/{{timestamp}}id_/{{url}}", question.base,
                     question.served->name);
}

const Sighting& nearest_to(const std::vector<Sighting>& sightings, Time time) {
  return *std::min_element(sightings.begin(), sightings.end(),
                           [&](const Sighting& a, const Sighting& b) {
                             return std::abs(a.time - time) < std::abs(b.time - time);
                           });
}

namespace {

struct DatedMemento {
  Time time = 0;
  std::string address;
  const Sighting* sighting = nullptr;
};

// One per second.
std::vector<DatedMemento> mementos_of(const Question& question,
                                      const std::vector<Sighting>& sightings) {
  const std::string replay = replay_template(question);
  std::vector<DatedMemento> mementos;
  for (const Sighting& sighting : sightings) {
    if (!mementos.empty() && mementos.back().time == sighting.time) continue;
    mementos.push_back({sighting.time,
                        memento_address(replay, to_timestamp14(sighting.time), sighting.url),
                        &sighting});
  }
  return mementos;
}

std::string place_of(const Question& question) {
  return fmt::format("{}a/{}/", question.base, question.served->name);
}

std::string_view relation_in_list(std::size_t position, std::size_t count) {
  if (count == 1) return "first last memento";
  if (position == 0) return "first memento";
  return position + 1 == count ? "last memento" : "memento";
}

std::string link_timemap(const Question& question, const std::string& original,
                         const std::vector<DatedMemento>& mementos) {
  std::string out = fmt::format(
      "<{}>; rel=\"original\",\n<{}timemap/link/{}>; rel=\"self\"; "
      "type=\"application/link-format\"; from=\"{}\"; until=\"{}\",\n<{}timegate/{}>; "
      "rel=\"timegate\"",
      original, place_of(question), original, to_rfc1123(mementos.front().time),
      to_rfc1123(mementos.back().time), place_of(question), original);
  for (std::size_t i = 0; i < mementos.size(); ++i) {
    out += fmt::format(",\n<{}>; rel=\"{}\"; datetime=\"{}\"", mementos[i].address,
                       relation_in_list(i, mementos.size()), to_rfc1123(mementos[i].time));
  }
  return out + "\n";
}

std::string json_timemap(const Question& question, const std::string& original,
                         const std::vector<DatedMemento>& mementos) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().field("original_uri", original);
  json.field("self", fmt::format("{}timemap/json/{}", place_of(question), original));
  json.key("timemap_uri").begin_object();
  for (const std::string_view form : {"link_format", "json_format", "cdxj_format"}) {
    json.field(form, fmt::format("{}timemap/{}/{}", place_of(question),
                                 form.substr(0, form.find('_')), original));
  }
  json.end_object().field("timegate_uri",
                          fmt::format("{}timegate/{}", place_of(question), original));
  json.key("mementos").begin_object().key("list").begin_array();
  for (const DatedMemento& memento : mementos) {
    json.begin_object().field("datetime", to_rfc3339(memento.time));
    json.field("uri", memento.address).end_object();
  }
  json.end_array();
  for (const auto& [name, memento] :
       {std::pair("first", mementos.front()), std::pair("last", mementos.back())}) {
    json.key(name).begin_object().field("datetime", to_rfc3339(memento.time));
    json.field("uri", memento.address).end_object();
  }
  json.end_object().end_object();
  return out + "\n";
}

std::string cdxj_timemap(const std::string& original, const std::vector<DatedMemento>& mementos) {
  std::string out = fmt::format(
      "!context [\"http://tools.ietf.org/html/rfc7089\"]\n!id "
      "{{\"uri\":\"{}\"}}\n!keys [\"memento_datetime_YYYYMMDDhhmmss\"]\n",
      original);
  for (std::size_t i = 0; i < mementos.size(); ++i) {
    out += to_timestamp14(mementos[i].time) + " ";
    JsonWriter json(out);
    json.begin_object().field("uri", mementos[i].address);
    json.field("rel", relation_in_list(i, mementos.size()));
    json.field("datetime", to_rfc1123(mementos[i].time)).end_object();
    out += '\n';
  }
  return out;
}

// The capture nearest to the wanted time; without one, the last.
std::size_t nearest(const std::vector<DatedMemento>& mementos, std::optional<Time> wanted) {
  if (!wanted) return mementos.size() - 1;
  const auto best = std::min_element(
      mementos.begin(), mementos.end(), [&](const DatedMemento& a, const DatedMemento& b) {
        return std::abs(a.time - *wanted) < std::abs(b.time - *wanted);
      });
  return static_cast<std::size_t>(best - mementos.begin());
}

std::string gate_links(const Question& question, const std::string& original,
                       const std::vector<DatedMemento>& mementos, std::size_t chosen) {
  std::string links = fmt::format(
      "<{}>; rel=\"original\", <{}timemap/link/{}>; rel=\"timemap\"; "
      "type=\"application/link-format\"",
      original, place_of(question), original);
  const auto add = [&](std::size_t position, std::string_view relation) {
    links += fmt::format(", <{}>; rel=\"{}\"; datetime=\"{}\"", mementos[position].address,
                         relation, to_rfc1123(mementos[position].time));
  };
  const std::size_t last = mementos.size() - 1;
  add(0, "first memento");
  if (chosen > 1) add(chosen - 1, "prev memento");
  if (chosen > 0 && chosen < last) add(chosen, "memento");
  if (chosen + 1 < last) add(chosen + 1, "next memento");
  if (last > 0) add(last, "last memento");
  return links;
}

}  // namespace

Response answer_timemap(const Question& question) {
  const std::string form = question.places.find("form")->second;
  if (form != "link" && form != "json" && form != "cdxj") {
    throw Problem(404, fmt::format("a timemap has the form link, json or cdxj, not {}", form));
  }
  const std::string original = original_of(question);
  const std::vector<Sighting> sightings = replayable(question, original);
  const std::vector<DatedMemento> mementos = mementos_of(question, sightings);
  Response response;
  if (form == "link") {
    response.content_type = "application/link-format";
    response.body = link_timemap(question, original, mementos);
  } else if (form == "json") {
    response.body = json_timemap(question, original, mementos);
  } else {
    response.content_type = "application/cdxj+ors";
    response.body = cdxj_timemap(original, mementos);
  }
  return response;
}

Response answer_timegate(const Question& question) {
  const std::string original = original_of(question);
  std::optional<Time> wanted;
  if (!question.request.accept_datetime.empty()) {
    wanted = parse_time(question.request.accept_datetime);
    if (!wanted) {
      throw Problem(400, "Accept-Datetime is not a date such as Mon, 01 Jun 2015 10:00:00 GMT");
    }
  }
  const std::vector<Sighting> sightings = replayable(question, original);
  const std::vector<DatedMemento> mementos = mementos_of(question, sightings);
  const std::size_t chosen = nearest(mementos, wanted);
  Response response;
  response.status = 302;
  response.content_type = "text/plain; charset=utf-8";
  response.headers = {{"Location", mementos[chosen].address},
                      {"Vary", "accept-datetime"},
                      {"Link", gate_links(question, original, mementos, chosen)}};
  return response;
}

}  // namespace webstrata::serve
