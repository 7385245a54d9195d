// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/seeds_test.py.

#include "webstrata/show/seed_forms.h"

#include <fmt/format.h>

#include <algorithm>

#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

void append_url(std::string& out, const SeedLine& seed, const SeedPlace& /*place*/) {
  out.append(seed.url).push_back('\n');
}

// "F+" is the frontier's own journal code for a URL that was added: it is crawled even if the crawl
// has seen it before.
void append_schedule(std::string& out, const SeedLine& seed, const SeedPlace& /*place*/) {
  out.append("F+ ").append(seed.url).push_back('\n');
}

// Heritrix fetches lower numbers first: 1 to 127, in the order of choice.
void append_precedence(std::string& out, const SeedLine& seed, const SeedPlace& place) {
  constexpr std::size_t kLast = 127;
  const std::size_t precedence =
      1 + (place.count <= kLast ? place.index : place.index * kLast / place.count);
  out += fmt::format("{} {}\n", seed.url, precedence);
}

// Injected pages compete by score, 1 by default: the best seed has 1.
void append_nutch(std::string& out, const SeedLine& seed, const SeedPlace& place) {
  const double score = place.score_max > 0 ? seed.score / place.score_max : 1;
  out += fmt::format("{}\tnutch.score={:.6g}\n", seed.url, score);
}

// A URLItem of the URL Frontier's interface in protobuf's JSON form.
void append_frontier(std::string& out, const SeedLine& seed, const SeedPlace& /*place*/) {
  JsonWriter json(out);
  json.begin_object().key("discovered").begin_object().key("info").begin_object();
  json.field("url", std::string_view(seed.url));
  Url url;
  if (parse_url(seed.url, url)) json.field("key", url.host());
  json.end_object().end_object().end_object();
  out.push_back('\n');
}

void append_csv(std::string& out, const SeedLine& seed, const SeedPlace& /*place*/) {
  const TableWriter writer(seed_columns(), {TableForm::Csv, false});
  writer.append_row(out, {seed.url, fmt::format("{}", seed.score), seed.why});
}

}  // namespace

Cells seed_columns() { return {"url", "score", "why"}; }

const std::vector<SeedForm>& seed_forms() {
  static const std::vector<SeedForm> all = {
      {"list", "one URL per line", append_url},
      {"csv", "URL, score and reason, with a header", append_csv},
      {"heritrix", "Heritrix: a .seeds file, or seeds.txt", append_url},
      {"heritrix-schedule", "Heritrix: a .schedule file, `F+ URL`", append_schedule},
      {"heritrix-precedence", "Heritrix: precedence of URLs, `URL 1` to `URL 127`",
       append_precedence},
      {"nutch", "Apache Nutch: inject, `URL<tab>nutch.score=...`", append_nutch},
      {"frontier", "URL Frontier: PutURLs, one JSON object per line", append_frontier},
      {"browsertrix", "Browsertrix Crawler: --seedFile", append_url},
  };
  return all;
}

const SeedForm& seed_form(std::string_view name) {
  for (const SeedForm& form : seed_forms()) {
    if (form.name == name) return form;
  }
  throw Error(ErrorKind::BadInput, fmt::format("--as {}: no such form (see --help)", name));
}

std::string written(std::span<const SeedLine> seeds, const SeedForm& form) {
  SeedPlace place{.count = seeds.size()};
  for (const SeedLine& seed : seeds) place.score_max = std::max(place.score_max, seed.score);
  std::string text;
  for (const SeedLine& seed : seeds) {
    form.append(text, seed, place);
    ++place.index;
  }
  return text;
}

}  // namespace webstrata
