// SPDX-License-Identifier: Apache-2.0

#include "webstrata/capture/remote/s3_settings.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

Environment environment_of(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
}

TEST(S3Settings, AreAnonymousByDefault) {
  const S3Settings settings = s3_settings(environment_of({}));
  EXPECT_TRUE(settings.is_anonymous());
  const S3Place place = place_of(settings, {"commoncrawl", "crawl-data/x y.warc.gz"});
  EXPECT_EQ(place.origin, "https://commoncrawl.s3.us-east-1.amazonaws.com");
  EXPECT_EQ(place.host, "commoncrawl.s3.us-east-1.amazonaws.com");
  EXPECT_EQ(place.path, "/crawl-data/x%20y.warc.gz");
}

TEST(S3Settings, UsePathsForBucketsWithDots) {
  const S3Settings settings = s3_settings(environment_of({{"AWS_DEFAULT_REGION", "eu-west-1"}}));
  const S3Place place = place_of(settings, {"data.example.org", "x"});
  EXPECT_EQ(place.origin + place.path, "https://s3.eu-west-1.amazonaws.com/data.example.org/x");
}

TEST(S3Settings, UsePathsOnAnotherServer) {
  const S3Settings settings =
      s3_settings(environment_of({{"AWS_ENDPOINT_URL", "https://other.example"},
                                  {"AWS_ENDPOINT_URL_S3", "http://Store.example:9000/s3/"}}));
  const S3Place place = place_of(settings, {"bucket", "a/../b"});
  EXPECT_EQ(place.origin, "http://store.example:9000");
  EXPECT_EQ(place.host, "store.example:9000");
  EXPECT_EQ(place.path, "/s3/bucket/a/../b");
  // A port that is the scheme's own is not sent, so it is not signed either.
  const S3Settings usual =
      s3_settings(environment_of({{"AWS_ENDPOINT_URL", "https://store.example:443"}}));
  EXPECT_EQ(place_of(usual, {"b", "k"}).host, "store.example");
}

TEST(S3Settings, TakeKeysFromTheEnvironment) {
  std::map<std::string, std::string> variables = {{"AWS_ACCESS_KEY_ID", "key"},
                                                  {"AWS_SECRET_ACCESS_KEY", "secret"},
                                                  {"AWS_SESSION_TOKEN", "token"},
                                                  {"AWS_REGION", "eu-central-1"}};
  const S3Settings settings = s3_settings(environment_of(variables));
  EXPECT_EQ(settings.credentials.access_key, "key");
  EXPECT_EQ(settings.credentials.secret_key, "secret");
  EXPECT_EQ(settings.credentials.session_token, "token");
  EXPECT_EQ(settings.region, "eu-central-1");
  variables["AWS_NO_SIGN_REQUEST"] = "YES";
  EXPECT_TRUE(s3_settings(environment_of(variables)).is_anonymous());
  variables["AWS_NO_SIGN_REQUEST"] = "no";
  EXPECT_FALSE(s3_settings(environment_of(variables)).is_anonymous());
}

TEST(S3Settings, TakeKeysFromAProfile) {
  const TemporaryFolder folder;
  const auto home = folder.path();
  std::filesystem::create_directory(home / ".aws");
  write_file(home / ".aws" / "credentials",
             "[default]\naws_access_key_id = d\naws_secret_access_key = ds\n\n# mine\n[mine]\n"
             "aws_access_key_id=m\naws_secret_access_key = a=b\n");
  write_file(home / ".aws" / "config",
             "[profile mine]\nregion = eu-north-1\nendpoint_url = http://store.example\n");
  std::map<std::string, std::string> variables = {{"HOME", home.string()}};
  EXPECT_TRUE(s3_settings(environment_of(variables)).is_anonymous());
  variables["AWS_PROFILE"] = "mine";
  const S3Settings settings = s3_settings(environment_of(variables));
  EXPECT_EQ(settings.credentials.access_key, "m");
  EXPECT_EQ(settings.credentials.secret_key, "a=b");
  EXPECT_EQ(settings.region, "eu-north-1");
  EXPECT_EQ(settings.endpoint, "http://store.example");
  variables["AWS_PROFILE"] = "default";
  EXPECT_EQ(s3_settings(environment_of(variables)).credentials.access_key, "d");
  variables["AWS_PROFILE"] = "other";
  EXPECT_THROW(s3_settings(environment_of(variables)), Error);
}

TEST(S3Settings, RefuseHalfAPairAndABadEndpoint) {
  EXPECT_THROW(s3_settings(environment_of({{"AWS_ACCESS_KEY_ID", "key"}})), Error);
  EXPECT_THROW(s3_settings(environment_of({{"AWS_SECRET_ACCESS_KEY", "secret"}})), Error);
  EXPECT_THROW(s3_settings(environment_of({{"AWS_ENDPOINT_URL", "localhost:9000"}})), Error);
  EXPECT_THROW(s3_settings(environment_of({{"AWS_ENDPOINT_URL", "http://a/?b"}})), Error);
}

}  // namespace
}  // namespace webstrata
