// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/s3_settings_test.cpp.

#include "webstrata/capture/remote/s3_settings.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "webstrata/base/environment.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/text.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

using Section = std::map<std::string, std::string>;

// The lines "name = value" below "[title]"; empty if there is no such section or no file.
std::optional<Section> read_section(const std::filesystem::path& path, std::string_view title) {
  if (!std::filesystem::is_regular_file(path)) return std::nullopt;
  std::optional<Section> section;
  bool is_inside = false;
  std::istringstream lines(read_file(path));
  for (std::string text; std::getline(lines, text);) {
    const std::string_view line = trim(text);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      is_inside = trim(line.substr(1, line.find(']') - 1)) == title;
      if (is_inside && !section) section.emplace();
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!is_inside || equals == std::string_view::npos) continue;
    (*section)[lower(trim(line.substr(0, equals)))] = trim(line.substr(equals + 1));
  }
  return section;
}

std::filesystem::path file_of(const Environment& environment, const char* variable,
                              const char* usual) {
  const std::string named = environment(variable);
  if (!named.empty()) return named;
  return std::filesystem::path(environment("HOME")) / ".aws" / usual;
}

// What the profile says; the environment goes first.
Section profile_of(const Environment& environment) {
  const std::string profile = environment("AWS_PROFILE");
  if (profile.empty()) return {};
  const auto keys_file = file_of(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
  const auto config_file = file_of(environment, "AWS_CONFIG_FILE", "config");
  const auto keys = read_section(keys_file, profile);
  const auto config =
      read_section(config_file, profile == "default" ? profile : "profile " + profile);
  if (!keys && !config) {
    throw Error(ErrorKind::BadInput,
                fmt::format("AWS_PROFILE={}: neither {} nor {} has it", profile, keys_file.string(),
                            config_file.string()));
  }
  Section all = keys.value_or(Section{});
  if (config) all.insert(config->begin(), config->end());
  return all;
}

std::string first_of(std::initializer_list<std::string> values) {
  for (const std::string& value : values) {
    if (!value.empty()) return value;
  }
  return {};
}

bool is_yes(std::string_view word) {
  return !word.empty() && word != "0" && !equal_ignoring_case(word, "no") &&
         !equal_ignoring_case(word, "false");
}

std::string checked_endpoint(std::string endpoint) {
  Url url;
  const bool is_url = parse_url(endpoint, url) && url.is_web() && url.scheme() != "ftp";
  if (!is_url || !url.query().empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("AWS_ENDPOINT_URL={}: not a URL such as https://s3.example.org",
                            shown_name(endpoint)));
  }
  endpoint = url.href();
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint;
}

}  // namespace

std::string process_environment(const char* name) { return environment(name); }

S3Settings s3_settings(const Environment& environment) {
  Section profile = profile_of(environment);
  S3Settings settings;
  AwsCredentials& keys = settings.credentials;
  if (!is_yes(environment("AWS_NO_SIGN_REQUEST"))) {
    keys = {environment("AWS_ACCESS_KEY_ID"), environment("AWS_SECRET_ACCESS_KEY"),
            environment("AWS_SESSION_TOKEN")};
    if (keys.access_key.empty() && keys.secret_key.empty()) {
      keys = {profile["aws_access_key_id"], profile["aws_secret_access_key"],
              profile["aws_session_token"]};
    }
  }
  if (keys.access_key.empty() != keys.secret_key.empty()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{} is set and {} is not: set both, or AWS_NO_SIGN_REQUEST=yes to read "
                    "public buckets",
                    keys.access_key.empty() ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID",
                    keys.access_key.empty() ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY"));
  }
  const std::string region =
      first_of({environment("AWS_REGION"), environment("AWS_DEFAULT_REGION"), profile["region"]});
  if (!region.empty()) settings.region = region;
  const std::string endpoint = first_of({environment("AWS_ENDPOINT_URL_S3"),
                                         environment("AWS_ENDPOINT_URL"), profile["endpoint_url"]});
  if (!endpoint.empty()) settings.endpoint = checked_endpoint(endpoint);
  return settings;
}

S3Place place_of(const S3Settings& settings, const ObjectName& object) {
  const std::string key = "/" + escaped(object.key, "/");
  const bool is_by_host = settings.endpoint.empty() && object.bucket.find('.') == std::string::npos;
  S3Place place;
  if (is_by_host) {
    place.host = fmt::format("{}.s3.{}.amazonaws.com", object.bucket, settings.region);
    place.origin = "https://" + place.host;
    place.path = key;
    return place;
  }
  const std::string server = settings.endpoint.empty()
                                 ? fmt::format("https://s3.{}.amazonaws.com", settings.region)
                                 : settings.endpoint;
  const std::size_t host = server.find("://") + 3;
  const std::size_t folder = std::min(server.find('/', host), server.size());
  place.origin = server.substr(0, folder);
  place.host = server.substr(host, folder - host);
  place.path = fmt::format("{}/{}{}", server.substr(folder), escaped(object.bucket), key);
  return place;
}

}  // namespace webstrata
