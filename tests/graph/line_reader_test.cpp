// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/line_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "../temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/random.h"
#include "webstrata/graph/text_output.h"

namespace webstrata {
namespace {

std::vector<std::string> lines_of(LineReader& reader) {
  std::vector<std::string> lines;
  while (const auto line = reader.next()) lines.emplace_back(*line);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, EndsOfLinesAreLeftOut) {
  LineReader reader(InMemoryText{"a\n\r\nb c\r\n\nlast"});
  EXPECT_EQ(lines_of(reader), (Lines{"a", "", "b c", "", "last"}));
  EXPECT_EQ(reader.line_number(), 5U);
  LineReader nothing(InMemoryText{""});
  EXPECT_EQ(lines_of(nothing), Lines{});
}

TEST(LineReader, PlainAndGzipFilesReadTheSame) {
  const TemporaryFolder folder;
  Random random(1);
  Lines lines;
  std::string text;
  for (int i = 0; i < 20000; ++i) {
    lines.emplace_back(random.chance(0.001) ? 300000 : random.below(60), 'a' + i % 26);
    text += lines.back() + '\n';
  }
  for (const char* name : {"lines.txt", "lines.txt.gz"}) {
    TextOutput out(folder / name);
    out.write(text);
    out.finish();
    LineReader reader(folder / name);
    EXPECT_EQ(lines_of(reader), lines);
  }
  EXPECT_LT(std::filesystem::file_size(folder / "lines.txt.gz"), text.size() / 4);
}

TEST(LineReader, SeveralGzipMembersAreOneText) {
  const TemporaryFolder folder;
  std::string bytes;
  for (const char* part : {"one\ntw", "o\nthree\n"}) {
    TextOutput out(folder / "part.gz");
    out.write(part);
    out.finish();
    bytes += read_file(folder / "part.gz");
  }
  LineReader reader(InMemoryText{bytes});
  EXPECT_EQ(lines_of(reader), (Lines{"one", "two", "three"}));
}

TEST(LineReader, DamagedGzipIsNamed) {
  const TemporaryFolder folder;
  TextOutput out(folder / "a.gz");
  out.write(std::string(10000, 'x') + "\n");
  out.finish();
  const std::string whole = read_file(folder / "a.gz");
  for (const std::string& bytes : {whole.substr(0, whole.size() - 9), whole + "rubbish"}) {
    LineReader reader(InMemoryText{bytes});
    try {
      lines_of(reader);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    }
  }
}

}  // namespace
}  // namespace webstrata
