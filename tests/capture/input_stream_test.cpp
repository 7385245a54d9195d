// SPDX-License-Identifier: Apache-2.0

// Compressed inputs come from zlib, zstd and lz4 themselves (compressing.h).

#include "webstrata/capture/stream/input_stream.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "compressing.h"
#include "webstrata/base/file.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

std::string noise(std::size_t size, std::uint64_t seed) {
  Random random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>('a' + random.below(26));
  return bytes;
}

std::string read_all(InputStream& in, std::size_t step = 1000) {
  std::string all;
  while (true) {
    const std::string_view bytes = in.peek(step);
    if (bytes.empty()) return all;
    all.append(bytes.substr(0, step));
    in.skip(std::min(step, bytes.size()));
  }
}

TEST(InputStream, ReadsEveryCompressionAlike) {
  const std::string text = noise(3'000'000, 1);
  for (const std::string& bytes :
       {text, gzip_member(text), gzip_member(text.substr(0, 100)) + gzip_member(text.substr(100)),
        zstd_frame(text), zstd_frame(text.substr(0, 5)) + zstd_frame(text.substr(5)),
        lz4_frame(text), lz4_frame(text.substr(0, 5)) + lz4_frame(text.substr(5))}) {
    Report report;
    InputStream in(InMemory{bytes}, report);
    EXPECT_EQ(read_all(in), text);
    EXPECT_EQ(report.damage_count(), 0U);
    EXPECT_TRUE(in.at_end());
  }
}

// A decompressor may have taken all input and still hold the end of its output. Frames without a
// checksum, as many tools write them, end there.
TEST(InputStream, TheEndOfALargeFrameIsNotLost) {
  for (const std::size_t size : {262'143, 262'145, 300'000, 400'000, 1'000'001, 5'000'000}) {
    const std::string text(size, 'x');
    LZ4F_preferences_t plain{};
    std::string lz4(LZ4F_compressFrameBound(size, &plain), '\0');
    lz4.resize(LZ4F_compressFrame(lz4.data(), lz4.size(), text.data(), size, &plain));
    for (const std::string& bytes : {zstd_frame(text, {}, false), lz4, gzip_member(text)}) {
      Report report;
      InputStream in(InMemory{bytes}, report);
      EXPECT_EQ(read_all(in).size(), size);
      EXPECT_EQ(report.damage_count(), 0U);
    }
  }
}

TEST(InputStream, OffsetsAreThoseOfMembers) {
  const std::string first = gzip_member("first");
  const std::string second = gzip_member("second");
  const std::string bytes = first + second;
  Report report;
  InputStream in(InMemory{bytes}, report);
  EXPECT_EQ(in.offset(), 0U);
  EXPECT_TRUE(in.at_member_start());
  in.skip(2);
  EXPECT_EQ(in.offset(), 0U);
  EXPECT_FALSE(in.at_member_start());
  in.skip(3);
  EXPECT_EQ(in.offset(), first.size());
  EXPECT_TRUE(in.at_member_start());
  EXPECT_EQ(in.peek(6), "second");
  in.skip(100);
  EXPECT_EQ(in.offset(), bytes.size());
  EXPECT_EQ(in.member_count(), 2U);
}

TEST(InputStream, PlainOffsetsAreThoseOfBytes) {
  Report report;
  InputStream in(InMemory{"0123456789"}, report);
  in.skip(4);
  EXPECT_EQ(in.offset(), 4U);
  EXPECT_EQ(in.peek(1)[0], '4');
}

TEST(InputStream, SkipsToTheNextMember) {
  const std::string bytes = gzip_member("first") + gzip_member("second");
  Report report;
  InputStream in(InMemory{bytes}, report);
  in.skip(1);
  EXPECT_EQ(in.skip_to_member_start(), 4U);
  EXPECT_EQ(in.peek(6), "second");
}

TEST(InputStream, ADamagedMemberIsAGapAndTheRestIsRead) {
  std::string middle = gzip_member(noise(20000, 2));
  middle[middle.size() / 2] = static_cast<char>(middle[middle.size() / 2] ^ 0x55);
  const std::string first = gzip_member("first");
  const std::string bytes = first + middle + gzip_member("last");
  Report report;
  InputStream in(InMemory{bytes}, report);
  EXPECT_EQ(in.peek(5), "first");
  in.skip(5);
  EXPECT_FALSE(in.lost_place());
  std::string saved;
  while (!in.lost_place()) {  // what could be saved of the middle
    const std::string_view part = in.peek(1);
    ASSERT_FALSE(part.empty());
    saved.append(part);
    in.skip(part.size());
  }
  EXPECT_LT(saved.size(), 20000U + 300);
  EXPECT_EQ(in.peek(100), "last");
  ASSERT_EQ(report.damage_count(), 1U);
  EXPECT_EQ(report.damages()[0].offset, first.size());
  EXPECT_EQ(report.resynchronised_count(), 1U);
}

TEST(InputStream, AWindowNeverSpansAGap) {
  std::string bad = gzip_member(noise(5000, 3));
  bad.resize(bad.size() / 2);
  const std::string bytes = bad + gzip_member("after");
  Report report;
  InputStream in(InMemory{bytes}, report);
  const std::string_view before = in.peek(InputStream::kWindowMax);
  EXPECT_EQ(before.find("after"), std::string_view::npos);
  in.skip(before.size());
  EXPECT_TRUE(in.lost_place());
  EXPECT_EQ(in.peek(5), "after");
}

TEST(InputStream, ACutMemberGivesItsFirstPart) {
  const std::string text = noise(100000, 4);
  for (const std::string& whole : {gzip_member(text), zstd_frame(text)}) {
    const std::string bytes = whole.substr(0, whole.size() * 3 / 4);
    Report report;
    InputStream in(InMemory{bytes}, report);
    const std::string saved = read_all(in);
    EXPECT_EQ(saved, text.substr(0, saved.size()));
    EXPECT_EQ(report.damage_count(), 1U);
    EXPECT_NE(report.damages()[0].reason.find("cut off"), std::string::npos);
  }
}

TEST(InputStream, EveryIntactMemberIsFoundWhateverByteIsHit) {
  std::vector<std::string> members;
  for (int i = 0; i < 5; ++i) members.push_back(gzip_member(noise(300, 10 + i) + "\n"));
  std::string all;
  for (const auto& member : members) all += member;
  const std::size_t start = members[0].size() + members[1].size();
  for (std::size_t at = start; at < start + members[2].size(); ++at) {
    std::string bytes = all;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x2a);
    Report report;
    InputStream in(InMemory{bytes}, report);
    const std::string read = read_all(in);
    for (const int intact : {0, 1, 3, 4}) {
      ASSERT_NE(read.find(noise(300, 10 + intact)), std::string::npos)
          << "byte " << at << " hid member " << intact;
    }
  }
}

TEST(InputStream, PaddingIsNoDamageAndJunkIs) {
  Report padded;
  const std::string zeros = gzip_member("a") + std::string(1000, '\0') + gzip_member("b");
  InputStream in(InMemory{zeros}, padded);
  EXPECT_EQ(read_all(in), "ab");
  EXPECT_EQ(padded.damage_count(), 0U);
  Report junk;
  const std::string trash = gzip_member("a") + "trash" + gzip_member("b");
  InputStream dirty(InMemory{trash}, junk);
  EXPECT_EQ(read_all(dirty), "ab");
  EXPECT_EQ(junk.damage_count(), 1U);
}

TEST(InputStream, AMemberBeyondTheWholeMemberLimitIsStreamed) {
  const std::string text = noise(40'000'000, 5);
  const std::string bytes = gzip_member(text) + gzip_member("tail");
  Report report;
  InputStream in(InMemory{bytes}, report);
  EXPECT_EQ(in.skip(text.size()), text.size());
  EXPECT_EQ(in.peek(4), "tail");
  EXPECT_EQ(report.damage_count(), 0U);
}

TEST(InputStream, ZstdTakesItsDictionaryFromTheFirstFrame) {
  std::string dictionary;
  for (int i = 0; i < 200; ++i) dictionary += noise(40, 100 + i % 7);
  std::string frame("\x5d\x2a\x4d\x18", 4);
  const auto size = static_cast<std::uint32_t>(dictionary.size());
  frame.append(reinterpret_cast<const char*>(&size), 4).append(dictionary);
  const std::string text = noise(40, 100) + noise(40, 103);
  const std::string bytes = frame + zstd_frame(text, dictionary) + zstd_frame(text, dictionary);
  Report report;
  InputStream in(InMemory{bytes}, report);
  EXPECT_EQ(read_all(in), text + text);
  EXPECT_EQ(report.damage_count(), 0U);
  std::string packed("\x5d\x2a\x4d\x18", 4);  // the dictionary itself compressed
  const std::string inner = zstd_frame(dictionary);
  const auto inner_size = static_cast<std::uint32_t>(inner.size());
  packed.append(reinterpret_cast<const char*>(&inner_size), 4).append(inner);
  const std::string again = packed + zstd_frame(text, dictionary);
  Report other;
  InputStream second(InMemory{again}, other);
  EXPECT_EQ(read_all(second), text);
}

TEST(InputStream, LinesEndWithAnyLineEnd) {
  Report report;
  InputStream in(InMemory{"one\ntwo\r\n\nlast"}, report);
  EXPECT_EQ(in.line(), "one");
  EXPECT_EQ(in.line(), "two");
  EXPECT_EQ(in.line(), "");
  EXPECT_EQ(in.line(), "last");
  EXPECT_EQ(in.line(), std::nullopt);
}

TEST(InputStream, ALineThatIsTooLongIsPassedOver) {
  const std::string bytes = "short\n" + std::string(5'000'000, 'x') + "\nnext\n";
  Report report;
  InputStream in(InMemory{bytes}, report);
  EXPECT_EQ(in.line(1000), "short");
  EXPECT_EQ(in.line(1000), "next");
  ASSERT_EQ(report.damage_count(), 1U);
  EXPECT_EQ(report.damages()[0].offset, 6U);
}

TEST(InputStream, CanBeEnteredInTheMiddle) {
  const std::string first = gzip_member(noise(1000, 6));
  const std::string bytes = first + gzip_member("second");
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("webstrata-input-{}.gz", ::getpid());
  write_file(path, bytes);
  Report report;
  InputStream in(path, report, 1, Compression::Gzip);
  EXPECT_EQ(in.offset(), first.size());
  EXPECT_EQ(in.peek(6), "second");
  EXPECT_EQ(report.damage_count(), 0U)
      << report.damages().at(0).reason << report.damages().at(0).offset;
  InputStream part(path, report, first.size(), bytes.size() - first.size());
  EXPECT_EQ(part.peek(6), "second");
  EXPECT_EQ(part.offset(), first.size());
  std::filesystem::remove(path);
}

TEST(InputStream, NothingIsAnEmptyStream) {
  Report report;
  InputStream in(InMemory{""}, report);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(in.line(), std::nullopt);
  EXPECT_EQ(in.offset(), 0U);
}

TEST(InputStream, OffsetsOfLz4AreThoseOfFrames) {
  const std::string first = lz4_frame("first");
  const std::string bytes = first + lz4_frame("second");
  Report report;
  InputStream in(InMemory{bytes}, report);
  EXPECT_EQ(in.compression(), Compression::Lz4);
  in.skip(5);
  EXPECT_EQ(in.offset(), first.size());
  EXPECT_TRUE(in.at_member_start());
  EXPECT_EQ(in.peek(6), "second");
}

TEST(InputStream, ADamagedLz4FrameIsAGapAndTheRestIsRead) {
  const std::string first = lz4_frame("first");
  std::string middle = lz4_frame(noise(200'000, 2));
  middle[middle.size() / 2] = static_cast<char>(middle[middle.size() / 2] ^ 0x55);
  for (const std::string& bad :
       {middle, middle.substr(0, middle.size() / 3), std::string("junk")}) {
    const std::string bytes = first + bad + lz4_frame("last");
    Report report;
    InputStream in(InMemory{bytes}, report);
    const std::string all = read_all(in);
    EXPECT_TRUE(all.starts_with("first"));
    EXPECT_TRUE(all.ends_with("last"));
    ASSERT_GE(report.damage_count(), 1U);
    EXPECT_EQ(report.damages()[0].offset, first.size());
  }
}

TEST(InputStream, AnLz4FrameThatIsCutOffIsDamage) {
  const std::string frame = lz4_frame(noise(200'000, 5));
  for (std::size_t size = 4; size < frame.size(); size += 9973) {
    Report report;
    InputStream in(InMemory{std::string_view(frame).substr(0, size)}, report);
    EXPECT_LE(read_all(in).size(), 200'000U);
    EXPECT_EQ(report.damage_count(), 1U) << size;
  }
}

TEST(InputStream, ALineMayEndWithItsMember) {
  const std::string bytes = gzip_member("one\ntwo") + gzip_member("three\r\n") + gzip_member("") +
                            gzip_member("four") + gzip_member("");
  Report report;
  InputStream in(InMemory{bytes}, report);
  const std::pair<const char*, bool> expected[] = {
      {"one", false}, {"two", true}, {"three", false}, {"four", true}};
  for (const auto& [line, is_open] : expected) {
    EXPECT_EQ(in.line_in_member(), line);
    EXPECT_TRUE(in.line_is_open() == is_open || std::string_view(line) == "four") << line;
  }
  EXPECT_EQ(in.line_in_member(), std::nullopt);
  EXPECT_FALSE(in.line_is_open());
}

}  // namespace
}  // namespace webstrata
