// SPDX-License-Identifier: Apache-2.0

// Each setter takes the words of a file, normalises them and fills one field: URLs by the WHATWG
// rules, dates with a repair of days that do not exist, statuses, digests with the algorithm
// guessed from their length and alphabet where it is not named. A wrong payload digest is replaced
// by the right one and reported as damage.
// Tested by tests/capture/sighting_fields_test.cpp.

#include "webstrata/capture/record/sighting_fields.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <new>

#include "webstrata/base/checksum.h"
#include "webstrata/base/text.h"
#include "webstrata/base/utf8.h"
#include "webstrata/capture/record/digest.h"

namespace webstrata {
namespace {

bool begins_with_ignoring_case(std::string_view text, std::string_view start) {
  return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin(),
                                                   [](char a, char b) { return a == to_lower(b); });
}

// Names of records about the crawl itself: Heritrix, wget and others use them instead of URLs.
bool is_name_of_crawler_record(std::string_view raw) {
  constexpr std::array<std::string_view, 7> kSchemes = {
      "dns:", "warcinfo:", "filedesc:", "metadata:", "urn:", "whois:", "screenshot:"};
  return std::any_of(kSchemes.begin(), kSchemes.end(), [raw](std::string_view scheme) {
    return begins_with_ignoring_case(raw, scheme);
  });
}

bool is_hex(char c) { return (c >= '0' && c <= '9') || (to_lower(c) >= 'a' && to_lower(c) <= 'f'); }
bool is_base32(char c) {
  return (c >= '2' && c <= '7') || (to_lower(c) >= 'a' && to_lower(c) <= 'z');
}

// What algorithm a bare digest comes from. 16 digits are a shortened SHA-1.
std::string_view algorithm_of(std::string_view value) {
  const bool hex = std::all_of(value.begin(), value.end(), is_hex);
  const bool base32 = std::all_of(value.begin(), value.end(), is_base32);
  switch (value.size()) {
    case 16:
    case 40:
      return hex ? "sha1" : "";
    case 32:
      return hex ? "md5" : base32 ? "sha1" : "";
    case 52:
      return base32 ? "sha256" : "";
    case 64:
      return hex ? "sha256" : "";
    case 128:
      return hex ? "sha512" : "";
    default:
      return "";
  }
}

// "SHA-256" and "sha256" are one name.
void append_algorithm(std::string& out, std::string_view name) {
  for (const char c : name) {
    if (c != '-') out += to_lower(c);
  }
}

std::optional<Time> read_time(std::string_view text, Report& report, std::uint64_t offset) {
  const auto found = parse_time_leniently(trim(text));
  if (!found) {
    report.damaged(offset, text.empty() ? "no time" : "not a time: " + in_quotes(text));
    return std::nullopt;
  }
  if (found->repair == DateRepair::DayOfYear) {
    report.count("dates with the day of the year corrected");
  }
  if (found->repair == DateRepair::Nearest) {
    report.damaged(offset, fmt::format("no such date: {}, read as {}", in_quotes(text),
                                       to_rfc3339(found->time)));
  }
  return found->time;
}

void fold_white_space(std::string_view text, std::string& out) {
  out.clear();
  for (const char c : trim(text)) {
    if (!is_white_space(c)) {
      out += c;
    } else if (out.back() != ' ') {
      out += ' ';
    }
  }
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kQuotedBytes = 60;
  if (text.find('@') != std::string_view::npos) return fmt::format("{} bytes", text.size());
  return fmt::format("'{}{}'", text.substr(0, kQuotedBytes),
                     text.size() > kQuotedBytes ? "..." : "");
}

std::string_view without_brackets(std::string_view text) {
  const bool has_brackets = text.size() >= 2 && text.front() == '<' && text.back() == '>';
  return has_brackets ? text.substr(1, text.size() - 2) : text;
}

bool set_url(Sighting& sighting, std::string_view raw, const ReadOptions& options, Report& report,
             std::uint64_t offset, Url& url) {
  raw = without_brackets(trim(raw));
  if (raw.size() > kUrlBytesMax) {
    report.count("records with too long a URL left out");
    return false;
  }
  if (is_name_of_crawler_record(raw)) {
    report.count("records about the crawl itself left out");
    return false;
  }
  if (!parse_url(raw, url)) {
    report.damaged(offset, raw.empty() ? "no URL" : "not a URL: " + in_quotes(raw));
    return false;
  }
  if (!url.is_web() && !options.keep_other_schemes) {
    report.count("records of other schemes left out");
    return false;
  }
  sighting.url = url.href();
  sighting.spelling.clear();
  if (url.had_userinfo()) {
    report.count("records stripped of userinfo");
  } else if (raw != url.href()) {
    sighting.spelling = raw;
  }
  return true;
}

bool set_time(Sighting& sighting, std::string_view text, Report& report, std::uint64_t offset) {
  const auto time = read_time(text, report, offset);
  if (time) sighting.time = *time;
  return time.has_value();
}

void set_refers_to_time(Sighting& sighting, std::string_view text, Report& report,
                        std::uint64_t offset) {
  if (!is_absent(trim(text))) sighting.refers_to_time = read_time(text, report, offset);
}

void set_status(Sighting& sighting, int status) {
  sighting.status = static_cast<std::int16_t>(status);
  sighting.outcome = outcome_of_status(status, !sighting.redirect_target.empty());
}

bool set_status(Sighting& sighting, std::string_view text) {
  if (is_absent(text)) return true;
  const auto status = parse_number<std::int16_t>(text);
  if (!status) return false;
  set_status(sighting, *status);
  return true;
}

bool set_redirect(Sighting& sighting, const Url& page, std::string_view reference) {
  Url target;
  if (is_absent(trim(reference)) || !page.is_web()) return false;
  if (!resolve_url(page, trim(reference), target) || !target.is_web()) return false;
  sighting.redirect_target = target.href();
  return true;
}

void set_digest(std::string& digest, std::string_view text, std::string_view algorithm) {
  digest.clear();
  text = trim(text);
  if (is_absent(text)) return;
  if (begins_with_ignoring_case(text, "urn:")) text.remove_prefix(4);
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    append_algorithm(digest, text.substr(0, colon));
    digest += text.substr(colon);
    return;
  }
  const std::string_view told = algorithm_of(text);
  const std::string_view name = told.empty() ? algorithm : told;
  digest = name;
  if (!name.empty()) digest += ':';
  digest += text;
}

void replace_wrong_digest(std::string_view payload, Report& report, std::uint64_t offset,
                          Sighting& sighting) {
  std::string right = digest_like(sighting.digest, payload);
  report.damaged(offset, fmt::format("wrong payload digest {}: that of the payload is {}",
                                     in_quotes(sighting.digest), right));
  report.count("wrong payload digests replaced");
  sighting.digest = std::move(right);
}

void set_mime(Sighting& sighting, std::string_view content_type) {
  sighting.mime.clear();
  content_type = trim(content_type);
  content_type = content_type.substr(0, content_type.find_first_of(";, \t"));
  if (content_type.find('/') == std::string_view::npos || !is_utf8(content_type)) return;
  for (const char c : content_type) sighting.mime += to_lower(c);
}

void set_title(Capture& capture, std::string_view title, const ReadOptions& options) {
  fold_white_space(title, capture.title);
  if (capture.title.empty()) return;
  capture.sighting.title_hash = checksum64(capture.title);
  if (!options.with_title) capture.title.clear();
}

std::string sha1_digest(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash;
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), hash.data(), &size, EVP_sha1(), nullptr) != 1) {
    throw std::bad_alloc();  // nothing else can fail here
  }
  std::string digest = "sha1:";
  for (unsigned i = 0; i < size; ++i) digest += fmt::format("{:02x}", hash[i]);
  return digest;
}

std::uint64_t character_count(std::string_view text) noexcept {
  std::uint64_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(std::max<std::size_t>(utf8_length(text), 1));
    ++count;
  }
  return count;
}

std::string_view base_name(std::string_view path) noexcept {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace webstrata
