// SPDX-License-Identifier: Apache-2.0

// A self-contained Python module brings its own libcurl, under a name that the tools of such
// modules chose: there it is found through the module, which was linked with it
// (WEBSTRATA_LINK_CURL). Tested by tests/capture/remote_test.py,
// tests/fetch/hostile_server_test.py and tests/python/wheel_test.py.

#include "webstrata/capture/remote/curl_library.h"

#include <dlfcn.h>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// The name includes the version of the interface, which the headers also have.
constexpr const char* kFile = "libcurl.so.4";

[[noreturn]] void fail_to_load() {
  const char* reason = dlerror();
  throw Error(ErrorKind::Io, fmt::format("libcurl cannot be loaded: {}. Install libcurl4",
                                         reason != nullptr ? reason : kFile));
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) fail_to_load();
}

// The library or program that this code is in; a look-up there also sees what it was linked with.
// Null if it cannot be opened as a library.
void* open_self() {
  static const char place = 0;
  Dl_info self{};
  if (dladdr(&place, &self) == 0 || self.dli_fname == nullptr) return nullptr;
  return dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

void* open_library() {
  void* self = open_self();
  if (self != nullptr && dlsym(self, "curl_global_init") != nullptr) return self;
  void* library = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail_to_load();
  return library;
}

CurlLibrary load() {
  void* library = open_library();
  CurlLibrary curl{};
  find(library, "curl_easy_cleanup", curl.easy_cleanup);
  find(library, "curl_easy_getinfo", curl.easy_getinfo);
  find(library, "curl_easy_init", curl.easy_init);
  find(library, "curl_easy_pause", curl.easy_pause);
  find(library, "curl_easy_setopt", curl.easy_setopt);
  find(library, "curl_easy_strerror", curl.easy_strerror);
  find(library, "curl_global_init", curl.global_init);
  find(library, "curl_multi_add_handle", curl.multi_add_handle);
  find(library, "curl_multi_cleanup", curl.multi_cleanup);
  find(library, "curl_multi_info_read", curl.multi_info_read);
  find(library, "curl_multi_init", curl.multi_init);
  find(library, "curl_multi_perform", curl.multi_perform);
  find(library, "curl_multi_poll", curl.multi_poll);
  find(library, "curl_multi_remove_handle", curl.multi_remove_handle);
  find(library, "curl_multi_setopt", curl.multi_setopt);
  find(library, "curl_multi_wakeup", curl.multi_wakeup);
  find(library, "curl_slist_append", curl.slist_append);
  find(library, "curl_slist_free_all", curl.slist_free_all);
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    throw Error(ErrorKind::Io, "libcurl cannot be initialised");
  }
  return curl;
}

}  // namespace

const CurlLibrary& curl() {
  static const CurlLibrary library = load();
  return library;
}

}  // namespace webstrata
