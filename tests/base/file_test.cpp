// SPDX-License-Identifier: Apache-2.0
#include "webstrata/base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
 protected:
  [[nodiscard]] fs::path at(const char* name) const { return folder_ / name; }
  [[nodiscard]] std::size_t entry_count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

  TemporaryFolder folder_;
};

TEST_F(File, WhatIsWrittenCanBeReadAndMapped) {
  const std::string bytes(1'000'000, 'x');
  write_file(at("a"), bytes);
  EXPECT_EQ(read_file(at("a")), bytes);
  EXPECT_EQ(MappedFile::open(at("a")).bytes(), bytes);
}

TEST_F(File, AnEmptyFileMapsToNothing) {
  write_file(at("empty"), "");
  EXPECT_TRUE(MappedFile::open(at("empty")).bytes().empty());
  EXPECT_TRUE(read_file(at("empty")).empty());
}

TEST_F(File, NothingAppearsBeforeCommit) {
  write_file(at("a"), "old");
  {
    FileWriter writer = FileWriter::create(at("a"));
    writer.write(std::string(1 << 20, 'n'));
    EXPECT_EQ(read_file(at("a")), "old");
  }
  EXPECT_EQ(read_file(at("a")), "old");
  EXPECT_EQ(entry_count(), 1U);  // the temporary file is gone
}

TEST_F(File, CommitReplaces) {
  write_file(at("a"), "old");
  FileWriter writer = FileWriter::create(at("a"));
  writer.write("new");
  writer.commit();
  EXPECT_EQ(read_file(at("a")), "new");
  EXPECT_EQ(entry_count(), 1U);
}

TEST_F(File, ErrorsNameTheFile) {
  try {
    read_file(at("missing"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::NotFound);
    EXPECT_NE(std::string(error.what()).find("missing"), std::string::npos);
  }
  EXPECT_THROW(read_file(folder_.path()), Error);
  EXPECT_THROW(FileWriter::create(at("no/such/folder")), Error);
}

TEST_F(File, AWriteThatFailsIsAnError) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  EXPECT_THROW(write_all(full, "x", "a full disk"), Error);
  ::close(full);
}

// Renaming a finished file over /dev/null, as root, once replaced the device for the whole machine.
TEST_F(File, APipeIsWrittenToAndStaysAPipe) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  const int reader = ::open(at("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write_file(at("pipe"), "text");
  char buffer[10];
  EXPECT_EQ(::read(reader, buffer, sizeof buffer), 4);
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
  EXPECT_EQ(entry_count(), 1U);
  FileWriter::create(at("pipe")).write("not finished");
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
  ::close(reader);
}

// Anyone who may write in the folder can guess the temporary name. The target of a link there used
// to be overwritten, and the link renamed.
TEST_F(File, ALinkUnderTheTemporaryNameIsNotWrittenThrough) {
  write_file(at("precious"), "precious");
  const std::string guessed = at("a").string() + ".tmp" + std::to_string(::getpid());
  fs::create_symlink(at("precious"), guessed);
  write_file(at("a"), "new");
  EXPECT_EQ(read_file(at("precious")), "precious");
  EXPECT_EQ(read_file(at("a")), "new");
  EXPECT_TRUE(fs::is_symlink(guessed));
  EXPECT_FALSE(fs::is_symlink(at("a")));
}

TEST_F(File, AFileThatAKilledProcessLeftIsNoObstacle) {
  const std::string left = at("a").string() + ".tmp" + std::to_string(::getpid());
  const int descriptor = ::open(left.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(descriptor, 0);
  ::close(descriptor);
  FileWriter first = FileWriter::create(at("a"));
  FileWriter second = FileWriter::create(at("a"));
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_EQ(read_file(at("a")), "first");
  second.commit();
  EXPECT_EQ(read_file(at("a")), "second");
  EXPECT_EQ(entry_count(), 2U);
}

TEST_F(File, ALinkAtTheNameItselfIsReplaced) {
  write_file(at("precious"), "precious");
  fs::create_symlink(at("precious"), at("a"));
  write_file(at("a"), "new");
  EXPECT_EQ(read_file(at("precious")), "precious");
  EXPECT_FALSE(fs::is_symlink(at("a")));
}

TEST_F(File, ASecretIsReadableByItsOwnerFromTheStart) {
  const mode_t mask = ::umask(0);
  FileWriter writer = FileWriter::create(at("secret"), 0600);
  ::umask(mask);
  struct stat status = {};
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U) << entry.path();
  }
  writer.commit();
  ASSERT_EQ(::stat(at("secret").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(File, SeekingReadsFromThere) {
  write_file(at("a"), "0123456789");
  FileReader reader = FileReader::open(at("a"));
  EXPECT_TRUE(reader.is_seekable());
  EXPECT_EQ(reader.size(), 10U);
  reader.seek(7);
  char buffer[10];
  EXPECT_EQ(reader.read(buffer, 10), 3U);
  EXPECT_EQ(std::string_view(buffer, 3), "789");
}

}  // namespace
}  // namespace webstrata
