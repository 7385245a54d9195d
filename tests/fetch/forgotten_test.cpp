// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/visit/forgotten.h"

#include <gtest/gtest.h>

#include "tests/archive/small_archive.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/forget.h"
#include "webstrata/base/error.h"
#include "webstrata/fetch/wire/simulated_web.h"

namespace webstrata {
namespace {

Url url_of(const char* text) {
  Url url;
  EXPECT_TRUE(parse_url(text, url));
  return url;
}

struct ForgottenTest : testing::Test {
  ForgottenTest() {
    Capture capture;
    capture.sighting.url = "http://a.example/";
    capture.sighting.time = 1000;
    build_archive(archive, {capture});
  }
  void forget_host(const std::string& host) {
    const Forget request{.scope = ForgetScope::Host, .text = host};
    forget(archive, std::span(&request, 1), {});
  }
  TemporaryFolder folder;
  std::filesystem::path archive = folder / "lib.ws";
  SimulatedClock clock{Moment{1'628'899'200} * 1000};
};

TEST_F(ForgottenTest, AnArchiveIsReadAgainAfterItChanged) {
  const ForgottenUrl is_forgotten = forgotten_by_archive(archive, clock);
  const Url page = url_of("http://b.example/x");
  EXPECT_FALSE(is_forgotten(page));
  forget_host("b.example");
  clock.advance_to(clock.now() + 1000);
  EXPECT_TRUE(is_forgotten(page));
  EXPECT_FALSE(is_forgotten(url_of("http://c.example/x")));
  const Forget request{.scope = ForgetScope::Host, .text = "b.example"};
  undo_forget(archive, std::span(&request, 1));
  clock.set(clock.now() - 3'600'000);  // a clock that is set back must not cause waiting
  EXPECT_FALSE(is_forgotten(page));
}

TEST_F(ForgottenTest, WithoutTheKeyNothingIsAsked) {
  forget_host("b.example");
  const ForgottenUrl is_forgotten = forgotten_by_archive(archive, clock);
  forget_host("c.example");
  std::filesystem::remove(archive / "tombstones.key");
  clock.advance_to(clock.now() + 1000);
  EXPECT_THROW(is_forgotten(url_of("http://d.example/")), Error);
  EXPECT_THROW(forgotten_by_archive(archive, clock), Error);
  EXPECT_THROW(forgotten_by_archive(folder / "none", clock), Error);
}

// With dates: not now, but at other times; or from now on.
TEST_F(ForgottenTest, WhatIsForgottenForATimeMayBeAskedAtOthers) {
  Tombstones tombstones(SecretKey{1, 2});
  const Time now = seconds_of(clock.now());
  tombstones.add({.scope = ForgetScope::Host, .text = "past.example", .during = {{0, now - 1}}});
  tombstones.add({.scope = ForgetScope::Host, .text = "now.example", .during = {{now, now + 9}}});
  const ForgottenUrl is_forgotten = forgotten_by(tombstones, clock);
  EXPECT_FALSE(is_forgotten(url_of("http://past.example/")));
  EXPECT_TRUE(is_forgotten(url_of("http://now.example/")));
  clock.advance_to(clock.now() + 10'000);
  EXPECT_FALSE(is_forgotten(url_of("http://now.example/")));
}

}  // namespace
}  // namespace webstrata
