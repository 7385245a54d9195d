// SPDX-License-Identifier: Apache-2.0

// A disk that fails on demand. Loaded with LD_PRELOAD, it intercepts the calls by which a program
// changes files, numbers them from 1, and lets one of them fail. tests/archive/fault.py drives it
// through the environment:
//
//   FAULT_UNDER   only calls on files under this folder count; without it all do, except on
//                 descriptors 0 to 2
//   FAULT_LOG     a file that gets a line for each call: number, name, path, second path
//   FAULT_AT      the number of the call that fails
//   FAULT_MODE    enospc, eio  the call does nothing and returns that error
//                 short        a write writes half, then the rest fails with ENOSPC
//                 full         this and all later calls that need space fail with ENOSPC
//                 exit, kill   the process ends before the call, by _exit(9) or SIGKILL
//                 torn         as kill, but a write has written half
//
// The calls themselves go directly to the kernel, so that nothing has to be looked up in libc.
// Calls inside libc (fwrite, fopen) are not intercepted.

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

enum class Mode { None, Enospc, Eio, Short, Full, Exit, Kill, Torn };

struct Settings {
  char under[PATH_MAX] = {};
  long at = 0;
  Mode mode = Mode::None;
  int log = -1;
};

Mode mode_named(std::string_view name) {
  constexpr std::string_view kNames[] = {"",     "enospc", "eio",  "short",
                                         "full", "exit",   "kill", "torn"};
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return static_cast<Mode>(i);
  }
  constexpr std::string_view kComplaint = "fault_shim: FAULT_MODE is not known\n";
  ::syscall(SYS_write, 2, kComplaint.data(), kComplaint.size());
  ::syscall(SYS_exit_group, 99);
  return Mode::None;
}

Settings read_settings() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  Settings settings;
  std::snprintf(settings.under, sizeof(settings.under), "%s", variable("FAULT_UNDER"));
  settings.at = std::atol(variable("FAULT_AT"));
  settings.mode = mode_named(variable("FAULT_MODE"));
  if (*variable("FAULT_LOG") != '\0') {
    settings.log = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, variable("FAULT_LOG"),
                                              O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  }
  return settings;
}

const Settings& settings() {
  static const Settings all = read_settings();
  return all;
}

std::atomic<long> call_count = 0;
std::atomic<bool> disk_is_full = false;

// An absolute path, without looking at the disk: what a call names may not exist yet.
struct Path {
  char text[2 * PATH_MAX] = {};
};

void read_link(const char* link, char* out, std::size_t size) {
  const long length = ::syscall(SYS_readlinkat, AT_FDCWD, link, out, size - 1);
  out[length < 0 ? 0 : length] = '\0';
}

Path path_of(int descriptor) {
  char link[64];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  Path path;
  read_link(link, path.text, PATH_MAX);
  return path;
}

Path path_of(int folder, const char* name) {
  Path path;
  if (name[0] == '/') {
    std::snprintf(path.text, sizeof(path.text), "%s", name);
    return path;
  }
  if (folder == AT_FDCWD) {
    read_link("/proc/self/cwd", path.text, PATH_MAX);
  } else {
    path = path_of(folder);
  }
  const std::size_t length = std::strlen(path.text);
  std::snprintf(path.text + length, sizeof(path.text) - length, "/%s", name);
  return path;
}

bool counts(const Path& path) {
  const std::string_view under = settings().under;
  const std::string_view text = path.text;
  return under.empty() ||
         (text.starts_with(under) && (text.size() == under.size() || text[under.size()] == '/'));
}

void log_call(long number, const char* name, const Path& path, const char* second) {
  if (settings().log < 0) return;
  char line[5 * PATH_MAX];
  const int size =
      std::snprintf(line, sizeof(line), "%ld\t%s\t%s\t%s\n", number, name, path.text, second);
  ::syscall(SYS_write, settings().log, line, static_cast<std::size_t>(size));
}

[[noreturn]] void end_process(Mode mode) {
  if (mode == Mode::Exit) ::syscall(SYS_exit_group, 9);
  ::syscall(SYS_kill, ::getpid(), SIGKILL);
  for (;;) ::pause();
}

enum class Needs { Space, Nothing };
enum class Verdict { Go, Fail, Half };

// Numbers the call and decides what becomes of it. With Fail, errno is set.
Verdict judge(const char* name, Needs needs, const Path& path, const char* second = "") {
  if (!counts(path)) return Verdict::Go;
  const long number = ++call_count;
  log_call(number, name, path, second);
  if (disk_is_full && needs == Needs::Space) {
    errno = ENOSPC;
    return Verdict::Fail;
  }
  if (number != settings().at) return Verdict::Go;
  switch (settings().mode) {
    case Mode::None:
      return Verdict::Go;
    case Mode::Eio:
      errno = EIO;
      return Verdict::Fail;
    case Mode::Full:
      disk_is_full = true;
      if (needs == Needs::Nothing) return Verdict::Go;
      break;
    case Mode::Exit:
    case Mode::Kill:
      end_process(settings().mode);
    case Mode::Short:
    case Mode::Torn:
      return Verdict::Half;
    case Mode::Enospc:
      break;
  }
  errno = ENOSPC;
  return Verdict::Fail;
}

// For calls that cannot be partially done.
bool may_go(const char* name, Needs needs, const Path& path, const char* second = "") {
  const Verdict verdict = judge(name, needs, path, second);
  if (verdict != Verdict::Half) return verdict == Verdict::Go;
  if (settings().mode == Mode::Torn) end_process(Mode::Kill);
  errno = ENOSPC;
  return false;
}

// `write_some` writes that many bytes.
template <typename WriteSome>
ssize_t write_judged(const char* name, int descriptor, std::size_t size, WriteSome write_some) {
  if (settings().under[0] == '\0' && descriptor <= 2) return write_some(size);
  switch (judge(name, Needs::Space, path_of(descriptor))) {
    case Verdict::Go:
      return write_some(size);
    case Verdict::Fail:
      return -1;
    case Verdict::Half:
      break;
  }
  const ssize_t written = size > 1 ? write_some(size / 2) : 0;
  if (settings().mode == Mode::Torn) end_process(Mode::Kill);
  disk_is_full = true;  // the rest will be tried, and fail
  if (written > 0) return written;
  errno = ENOSPC;
  return -1;
}

int open_judged(int folder, const char* name, int flags, mode_t mode) {
  // Opening alone changes nothing; creating and emptying do.
  const bool changes = (flags & (O_CREAT | O_TRUNC)) != 0;
  if (changes && !may_go("open", Needs::Space, path_of(folder, name))) return -1;
  return static_cast<int>(::syscall(SYS_openat, folder, name, flags, mode));
}

int rename_judged(int old_folder, const char* old_name, int folder, const char* name,
                  unsigned flags) {
  const Path from = path_of(old_folder, old_name);
  const Path to = path_of(folder, name);
  if (!may_go("rename", Needs::Nothing, from, to.text)) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, old_folder, old_name, folder, name, flags));
}

int link_judged(int old_folder, const char* old_name, int folder, const char* name, int flags) {
  const Path from = path_of(old_folder, old_name);
  const Path to = path_of(folder, name);
  if (!may_go("link", Needs::Space, from, to.text)) return -1;
  return static_cast<int>(::syscall(SYS_linkat, old_folder, old_name, folder, name, flags));
}

int unlink_judged(int folder, const char* name, int flags) {
  const char* const call = (flags & AT_REMOVEDIR) != 0 ? "rmdir" : "unlink";
  if (!may_go(call, Needs::Nothing, path_of(folder, name))) return -1;
  return static_cast<int>(::syscall(SYS_unlinkat, folder, name, flags));
}

int mkdir_judged(int folder, const char* name, mode_t mode) {
  if (!may_go("mkdir", Needs::Space, path_of(folder, name))) return -1;
  return static_cast<int>(::syscall(SYS_mkdirat, folder, name, mode));
}

mode_t mode_argument(int flags, va_list arguments) {
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t size) {
  return write_judged("write", descriptor, size, [&](std::size_t count) {
    return static_cast<ssize_t>(::syscall(SYS_write, descriptor, bytes, count));
  });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  return write_judged("pwrite", descriptor, size, [&](std::size_t count) {
    return static_cast<ssize_t>(::syscall(SYS_pwrite64, descriptor, bytes, count, offset));
  });
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  return pwrite(descriptor, bytes, size, offset);
}

int fsync(int descriptor) {
  if (!may_go("fsync", Needs::Nothing, path_of(descriptor))) return -1;
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

int fdatasync(int descriptor) {
  if (!may_go("fdatasync", Needs::Nothing, path_of(descriptor))) return -1;
  return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}

int ftruncate(int descriptor, off_t size) noexcept {
  if (!may_go("ftruncate", Needs::Nothing, path_of(descriptor))) return -1;
  return static_cast<int>(::syscall(SYS_ftruncate, descriptor, size));
}

int ftruncate64(int descriptor, off64_t size) noexcept { return ftruncate(descriptor, size); }

int open(const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return open_judged(AT_FDCWD, name, flags, mode);
}

int open64(const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return open_judged(AT_FDCWD, name, flags, mode);
}

int openat(int folder, const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return open_judged(folder, name, flags, mode);
}

int openat64(int folder, const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return open_judged(folder, name, flags, mode);
}

int rename(const char* old_name, const char* name) noexcept {
  return rename_judged(AT_FDCWD, old_name, AT_FDCWD, name, 0);
}

int renameat(int old_folder, const char* old_name, int folder, const char* name) noexcept {
  return rename_judged(old_folder, old_name, folder, name, 0);
}

int renameat2(int old_folder, const char* old_name, int folder, const char* name,
              unsigned flags) noexcept {
  return rename_judged(old_folder, old_name, folder, name, flags);
}

int link(const char* old_name, const char* name) noexcept {
  return link_judged(AT_FDCWD, old_name, AT_FDCWD, name, 0);
}

int linkat(int old_folder, const char* old_name, int folder, const char* name, int flags) noexcept {
  return link_judged(old_folder, old_name, folder, name, flags);
}

int unlink(const char* name) noexcept { return unlink_judged(AT_FDCWD, name, 0); }

int unlinkat(int folder, const char* name, int flags) noexcept {
  return unlink_judged(folder, name, flags);
}

int rmdir(const char* name) noexcept { return unlink_judged(AT_FDCWD, name, AT_REMOVEDIR); }

int remove(const char* name) noexcept {
  struct stat status {};
  if (::lstat(name, &status) != 0) return -1;
  return unlink_judged(AT_FDCWD, name, S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0);
}

int mkdir(const char* name, mode_t mode) noexcept { return mkdir_judged(AT_FDCWD, name, mode); }

int mkdirat(int folder, const char* name, mode_t mode) noexcept {
  return mkdir_judged(folder, name, mode);
}

}  // extern "C"
