// SPDX-License-Identifier: Apache-2.0

// Plain POSIX calls; every one is checked, EINTR is retried unless the user wants to stop.
// A file is written under a temporary name that cannot be an existing link, and renamed when it is
// complete and synced. Devices and pipes are written directly, because a rename would replace them.
// Tested by tests/base/file_test.cpp.

#include "webstrata/base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/broken_pipe.h"
#include "webstrata/base/error.h"
#include "webstrata/base/interruption.h"
#include "webstrata/base/limit_error.h"

namespace webstrata {
namespace {

constexpr std::size_t kBufferBytes = 1 << 18;

[[noreturn]] void fail(std::string_view name, std::string_view doing) {
  const int code = errno;
  const auto kind = code == ENOENT ? ErrorKind::NotFound : ErrorKind::Io;
  const std::string message = fmt::format("{}: cannot {}: {}", name, doing, reason_of(code));
  if (is_limit_of_files(code)) throw LimitError(message);
  if (code == EPIPE) throw BrokenPipe(message);
  throw Error(kind, message);
}

std::atomic<const CancelToken*> interruption_of_files = nullptr;
thread_local const std::function<void()>* interruption_of_thread = nullptr;

// A pipe or a terminal, in a program that may be interrupted.
bool is_waited_for(int descriptor) {
  struct stat status {};
  const bool can_be_interrupted =
      interruption_of_files.load() != nullptr || interruption_of_thread != nullptr;
  return can_be_interrupted && ::fstat(descriptor, &status) == 0 &&
         (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode));
}

// Waits for bytes to read or room to write, or for the user to lose patience. Not a plain read or
// write: the signal goes to one thread, and another one may be the one that waits.
void wait_for(int descriptor, short what) {
  constexpr int kLookMs = 200;
  pollfd waited = {descriptor, what, 0};
  while (::poll(&waited, 1, kLookMs) <= 0) check_file_interruption();
}

int open_to_read(const std::filesystem::path& path, struct stat& status) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  while (descriptor < 0 && errno == EINTR) {  // a pipe with a name that has no writer yet
    check_file_interruption();
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  }
  if (descriptor < 0) fail(path.string(), "open");
  if (::fstat(descriptor, &status) != 0) fail(path.string(), "stat");
  if (S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    throw Error(ErrorKind::BadInput, fmt::format("{}: is a folder, not a file", path.string()));
  }
  return descriptor;
}

// Closed, or held by hold_standard_streams().
void check_standard_input() {
  const int mode = ::fcntl(STDIN_FILENO, F_GETFL);
  if (mode >= 0 && (mode & O_ACCMODE) != O_WRONLY) return;
  throw Error(ErrorKind::BadInput,
              "standard input (-) is closed: name a file, or send data through a pipe");
}

}  // namespace

void hold_standard_streams() {
  constexpr int kStandardStreams = 3;
  for (int descriptor = 0; descriptor < kStandardStreams; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is taken, which is this one.
    ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void interrupt_files_by(const CancelToken* token) { interruption_of_files.store(token); }

FileInterruption::FileInterruption(std::function<void()> check)
    : check_(std::move(check)), before_(std::exchange(interruption_of_thread, &check_)) {}

FileInterruption::~FileInterruption() { interruption_of_thread = before_; }

void check_file_interruption() {
  if (const CancelToken* token = interruption_of_files.load()) token->check();
  if (interruption_of_thread != nullptr) (*interruption_of_thread)();
}

MappedFile MappedFile::open(const std::filesystem::path& path) {
  struct stat status {};
  const int descriptor = open_to_read(path, status);
  MappedFile file;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > 0) {
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) {
      ::close(descriptor);
      fail(path.string(), "map");
    }
    file.bytes_ = {static_cast<const char*>(memory), size};
  }
  ::close(descriptor);
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

FileReader FileReader::open(const std::filesystem::path& path) {
  FileReader reader;
  struct stat status {};
  if (path == "-") {
    reader.name_ = "standard input";
    reader.descriptor_ = STDIN_FILENO;
    check_standard_input();
    if (::fstat(STDIN_FILENO, &status) != 0) fail(reader.name_, "stat");
  } else {
    reader.name_ = path.string();
    reader.descriptor_ = open_to_read(path, status);
  }
  reader.seekable_ = S_ISREG(status.st_mode) && path != "-";
  reader.size_ = reader.seekable_ ? static_cast<std::uint64_t>(status.st_size) : 0;
  return reader;
}

FileReader::FileReader(FileReader&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      seekable_(other.seekable_),
      size_(other.size_),
      name_(std::move(other.name_)) {}

FileReader& FileReader::operator=(FileReader&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(seekable_, other.seekable_);
  std::swap(size_, other.size_);
  std::swap(name_, other.name_);
  return *this;
}

FileReader::~FileReader() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

std::size_t FileReader::read(char* buffer, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    if (!seekable_ && is_waited_for(descriptor_)) wait_for(descriptor_, POLLIN);
    const ssize_t count = ::read(descriptor_, buffer + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(name_, "read");
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

void FileReader::seek(std::uint64_t offset) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) fail(name_, "seek");
}

namespace {

bool is_device_or_pipe(const struct stat& status) {
  return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// A rename would replace the device itself, for all processes.
bool is_device_or_pipe(const std::filesystem::path& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && is_device_or_pipe(status);
}

// /dev/stdout is itself a link, so links are followed and their targets checked again.
int open_device_or_pipe(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path.string(), "open");
  struct stat status = {};
  if (::fstat(descriptor, &status) == 0 && is_device_or_pipe(status)) return descriptor;
  ::close(descriptor);
  throw Error(ErrorKind::Io,
              fmt::format("{}: was replaced while it was opened; try again", path.string()));
}

}  // namespace

FileWriter FileWriter::create(const std::filesystem::path& path, unsigned mode) {
  FileWriter writer;
  writer.path_ = path;
  if (is_device_or_pipe(path)) {
    writer.descriptor_ = open_device_or_pipe(path);
    return writer;
  }
  // A name that is taken was left by a killed process with the same number, or put there so that we
  // write through it: try another one.
  constexpr int kNamesMax = 1000;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  for (int i = 0; i < kNamesMax; ++i) {
    writer.temporary_ = path;
    writer.temporary_ +=
        i == 0 ? fmt::format(".tmp{}", ::getpid()) : fmt::format(".tmp{}-{}", ::getpid(), i);
    writer.descriptor_ = ::open(writer.temporary_.c_str(), kFlags, mode);
    if (writer.descriptor_ >= 0) return writer;
    if (errno != EEXIST) break;
  }
  fail(path.string(), "create");
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      buffer_(std::move(other.buffer_)),
      size_(other.size_) {}

FileWriter::~FileWriter() { discard(); }

void FileWriter::discard() noexcept {
  if (descriptor_ < 0) return;
  ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void FileWriter::write(std::string_view bytes) {
  buffer_.append(bytes);
  size_ += bytes.size();
  if (buffer_.size() >= kBufferBytes) flush();
}

void FileWriter::flush() {
  write_all(descriptor_, buffer_, path_.string());
  buffer_.clear();
}

void FileWriter::commit() {
  flush();
  if (temporary_.empty()) {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_.string(), "close");
    return;
  }
  if (::fsync(descriptor_) != 0) fail(path_.string(), "fsync");
  ::close(std::exchange(descriptor_, -1));
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int code = errno;
    ::unlink(temporary_.c_str());
    errno = code;
    fail(path_.string(), "rename");
  }
  sync_folder(path_.parent_path());
}

void write_all(int descriptor, std::string_view bytes, std::string_view name,
               bool is_interruptible) {
  const bool waits = is_interruptible && is_waited_for(descriptor);
  while (!bytes.empty()) {
    if (waits) wait_for(descriptor, POLLOUT);
    // A pipe that has room takes this many bytes at least without waiting.
    const std::size_t size = waits ? std::min<std::size_t>(bytes.size(), PIPE_BUF) : bytes.size();
    const ssize_t count = ::write(descriptor, bytes.data(), size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(name, "write");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void sync_folder(const std::filesystem::path& folder) {
  const auto name = folder.empty() ? std::filesystem::path(".") : folder;
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail(name.string(), "open");
  const int result = ::fsync(descriptor);
  ::close(descriptor);
  if (result != 0 && errno != EINVAL) fail(name.string(), "fsync");
}

// A file is read at once, and then once more to see its end; what has no size, a pipe, in steps.
std::string read_file(const std::filesystem::path& path) {
  constexpr std::size_t kEndBytes = 64;
  FileReader reader = FileReader::open(path);
  std::size_t step = reader.size() > 0 ? reader.size() : kBufferBytes;
  std::string bytes;
  bytes.reserve(step + kEndBytes);
  for (std::size_t count = 1; count > 0;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + step);
    count = reader.read(bytes.data() + before, step);
    bytes.resize(before + count);
    step = before == 0 && reader.size() > 0 ? kEndBytes : kBufferBytes;
  }
  return bytes;
}

void write_file(const std::filesystem::path& path, std::string_view bytes, unsigned mode) {
  FileWriter writer = FileWriter::create(path, mode);
  writer.write(bytes);
  writer.commit();
}

}  // namespace webstrata
