// SPDX-License-Identifier: Apache-2.0

#include "webstrata/capture/remote/remote_stream.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "tests/capture/loopback_server.h"
#include "webstrata/base/error.h"
#include "webstrata/base/interruption.h"

namespace webstrata {
namespace {

constexpr RemoteOptions kSmall = {.attempts_max = 4,
                                  .first_pause_ms = 1,
                                  .stall_seconds = 1,
                                  .first_bytes = 300,
                                  .block_bytes = 1000,
                                  .parallel_max = 4};

std::string content_of(std::size_t size, unsigned seed) {
  std::mt19937 dice(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(dice());
  return bytes;
}

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Range range_of(const std::string& head, std::size_t size) {
  const std::size_t place = head.find("Range: bytes=");
  std::size_t after = 0;
  const std::size_t begin = std::stoull(head.substr(place + 13), &after);
  const std::size_t last = std::stoull(head.substr(place + 13 + after + 1));
  return {begin, std::min(last + 1, size)};
}

// A part as a server sends it; the first `kept` bytes of it.
std::string part(const std::string& content, Range range, std::size_t kept = SIZE_MAX,
                 const std::string& etag = "\"one\"") {
  return fmt::format(
             "HTTP/1.1 206 Partial Content\r\nETag: {}\r\nContent-Range: bytes {}-{}/{}\r\n"
             "Content-Length: {}\r\n\r\n",
             etag, range.begin, range.end - 1, content.size(), range.end - range.begin) +
         content.substr(range.begin, std::min(kept, range.end - range.begin));
}

std::string read_all(RemoteStream& stream) {
  std::string bytes;
  char buffer[777];
  while (const std::size_t count = stream.read(buffer, sizeof buffer)) bytes.append(buffer, count);
  return bytes;
}

TEST(RemoteStream, ReadsInOrderAndFromAnyPlace) {
  const std::string content = content_of(50'000, 1);
  const LoopbackServer server([&](const std::string& head) -> LoopbackServer::Answer {
    return {part(content, range_of(head, content.size()))};
  });
  const auto file = RemoteFile::open(server.url("/x"), kSmall);
  EXPECT_EQ(file->size(), content.size());
  EXPECT_TRUE(file->has_ranges());
  RemoteStream stream(file, 0);
  EXPECT_EQ(read_all(stream), content);
  std::mt19937 dice(7);
  for (int i = 0; i < 50; ++i) {
    const std::size_t place = dice() % (content.size() + 10);
    stream.seek(place);
    std::string bytes(dice() % 3000, '\0');
    bytes.resize(stream.read(bytes.data(), bytes.size()));
    const std::string due = place < content.size() ? content.substr(place, bytes.size()) : "";
    EXPECT_EQ(bytes, due) << place;
  }
  RemoteStream piece(file, 10'000, 20'000);
  std::string bytes(15'000, '\0');
  EXPECT_EQ(piece.read(bytes.data(), bytes.size()), bytes.size());
  EXPECT_EQ(bytes, content.substr(10'000, 15'000));
}

// Every answer is cut at a random place, often before its first byte.
TEST(RemoteStream, ContinuesWhereItBroke) {
  const std::string content = content_of(20'000, 2);
  std::mutex mutex;
  std::mt19937 dice(3);
  const LoopbackServer server([&](const std::string& head) -> LoopbackServer::Answer {
    const Range range = range_of(head, content.size());
    const std::lock_guard lock(mutex);
    const bool is_cut = range.begin > 0 && dice() % 2 == 0;
    return {part(content, range, is_cut ? dice() % 400 : SIZE_MAX)};
  });
  RemoteOptions patient = kSmall;
  patient.attempts_max = 40;
  patient.first_pause_ms = 0;
  RemoteStream stream(RemoteFile::open(server.url("/x"), patient), 0);
  EXPECT_EQ(read_all(stream), content);
}

TEST(RemoteStream, GivesUpAfterAttemptsWithoutAByte) {
  const std::string content = content_of(2'000, 2);
  std::atomic<int> asked = 0;
  const LoopbackServer server([&](const std::string& head) -> LoopbackServer::Answer {
    const Range range = range_of(head, content.size());
    ++asked;
    return {part(content, range, range.begin == 0 ? SIZE_MAX : 0)};
  });
  RemoteOptions one_at_a_time = kSmall;
  one_at_a_time.parallel_max = 1;
  RemoteStream stream(RemoteFile::open(server.url("/x"), one_at_a_time), 0);
  EXPECT_THROW(read_all(stream), Error);
  EXPECT_EQ(asked, 1 + 4);
}

TEST(RemoteStream, DoesNotWaitForASilentServer) {
  const std::string content = content_of(2'000, 4);
  std::atomic<int> asked = 0;
  const LoopbackServer server([&](const std::string& head) -> LoopbackServer::Answer {
    const Range range = range_of(head, content.size());
    if (range.begin > 0 && asked++ == 0) return {part(content, range, 100), 60'000};
    return {part(content, range)};
  });
  RemoteStream stream(RemoteFile::open(server.url("/x"), kSmall), 0);
  EXPECT_EQ(read_all(stream), content);
}

TEST(RemoteStream, NeverMixesTwoVersions) {
  const std::string one = content_of(10'000, 5);
  const std::string two = content_of(10'000, 6);
  std::atomic<int> asked = 0;
  const LoopbackServer server([&](const std::string& head) -> LoopbackServer::Answer {
    const bool is_new = asked++ >= 4;
    return {part(is_new ? two : one, range_of(head, one.size()), SIZE_MAX,
                 is_new ? "\"two\"" : "\"one\"")};
  });
  RemoteStream stream(RemoteFile::open(server.url("/x"), kSmall), 0);
  std::string bytes;
  char buffer[100];
  try {
    while (const std::size_t count = stream.read(buffer, sizeof buffer)) {
      bytes.append(buffer, count);
    }
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find("changed on the server"), std::string_view::npos);
  }
  EXPECT_EQ(bytes, one.substr(0, bytes.size()));
}

TEST(RemoteFile, IsOneForAllWhoHaveIt) {
  const std::string content = content_of(1'000, 7);
  std::atomic<int> asked = 0;
  const LoopbackServer server([&](const std::string& head) -> LoopbackServer::Answer {
    return {
        part(content, range_of(head, content.size()), SIZE_MAX, fmt::format("\"{}\"", asked++))};
  });
  auto one = RemoteFile::open(server.url("/x"));
  EXPECT_EQ(RemoteFile::open(server.url("/x")), one);
  EXPECT_EQ(asked, 1);
  one.reset();
  EXPECT_NE(RemoteFile::open(server.url("/x")), nullptr);  // another version, and no error
  EXPECT_EQ(asked, 2);
}

TEST(RemoteFile, CanBeInterrupted) {
  const LoopbackServer server([](const std::string&) -> LoopbackServer::Answer {
    return {"", 60'000};
  });
  std::atomic<int> looked = 0;
  const FileInterruption interruption([&] {
    if (++looked == 3) throw Error(ErrorKind::Cancelled, "cancelled");
  });
  EXPECT_THROW(RemoteFile::open(server.url("/x")), Error);
  EXPECT_EQ(looked, 3);
}

// Rubbish instead of an answer, or one that contradicts itself.
TEST(RemoteFile, RefusesAnswersThatMakeNoSense) {
  const std::string answers[] = {
      "",
      "rubbish\r\n\r\n",
      "HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\n\r\nabc",
      "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-7/100\r\nContent-Length: "
      "3\r\n\r\nabc",
      "HTTP/1.1 206 X\r\nContent-Range: bytes 0-2/99999999999999999999999\r\nContent-Length: "
      "3\r\n\r\nabc",
      "HTTP/1.1 206 X\r\nContent-Range: bytes 0-2/*\r\nContent-Length: 3\r\n\r\nabc",
      "HTTP/1.1 416 X\r\nContent-Range: bytes */100\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 204 No Content\r\n\r\n",
      "HTTP/1.1 302 Found\r\nLocation: file:///etc/hostname\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: " + std::string(1 << 20, 'x') + "\r\n\r\n",
  };
  for (const std::string& answer : answers) {
    const LoopbackServer server(
        [&](const std::string&) -> LoopbackServer::Answer { return {answer}; });
    EXPECT_THROW(RemoteFile::open(server.url("/x"), kSmall), Error) << answer.substr(0, 100);
  }
}

}  // namespace
}  // namespace webstrata
