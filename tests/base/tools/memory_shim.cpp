// SPDX-License-Identifier: Apache-2.0

// A system that refuses memory once. Loaded with LD_PRELOAD, it counts the allocations after the
// begin of main and refuses number MEMORY_FAIL_AT (from 1); with MEMORY_COUNT it writes their
// number to that file when the program ends. tests/base/short_memory_test.py drives it.

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
// The allocator of glibc under the names that no one replaces.
void* __libc_malloc(std::size_t size);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT
void* __libc_realloc(void* old, std::size_t size);               // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT
}

namespace {

std::atomic<bool> counts = false;
std::atomic<long> allocations = 0;
long fail_at = 0;

std::uintptr_t except_begin = 0;
std::uintptr_t except_end = 0;

bool is_refused(const void* caller) noexcept {
  if (!counts.load(std::memory_order_relaxed)) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  if (address >= except_begin && address < except_end) return false;
  const bool refused = ++allocations == fail_at;
  if (refused) errno = ENOMEM;
  return refused;
}

int (*begin)(int, char**, char**) = nullptr;

void write_count() {
  counts = false;
  const char* path = std::getenv("MEMORY_COUNT");
  if (path == nullptr) return;
  char text[24];
  const int size = std::snprintf(text, sizeof text, "%ld", allocations.load());
  const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ::write(file, text, static_cast<std::size_t>(size)) != size) std::abort();
  ::close(file);
}

int note_exception(dl_phdr_info* library, std::size_t /*size*/, void* name) {
  if (std::strstr(library->dlpi_name, static_cast<const char*>(name)) == nullptr) return 0;
  except_begin = library->dlpi_addr;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const auto& part = library->dlpi_phdr[i];
    const std::uintptr_t end = library->dlpi_addr + part.p_vaddr + part.p_memsz;
    if (part.p_type == PT_LOAD && end > except_end) except_end = end;
  }
  return 1;
}

int counted(int argument_count, char** arguments, char** environment) {
  const char* at = std::getenv("MEMORY_FAIL_AT");
  if (at != nullptr) fail_at = std::atol(at);
  char* except = std::getenv("MEMORY_EXCEPT");
  if (except != nullptr) dl_iterate_phdr(note_exception, except);
  std::atexit(write_count);
  counts = true;
  return begin(argument_count, arguments, environment);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  return is_refused(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  return is_refused(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* old, std::size_t size) {
  return is_refused(__builtin_return_address(0)) ? nullptr : __libc_realloc(old, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return is_refused(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  *result = is_refused(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}

int __libc_start_main(int (*main)(int, char**, char**), int argument_count, char** arguments,
                      void (*init)(), void (*fini)(), void (*loader_fini)(), void* stack_end) {
  using Start =
      int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  static const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  begin = main;
  return start(counted, argument_count, arguments, init, fini, loader_fini, stack_end);
}
}
