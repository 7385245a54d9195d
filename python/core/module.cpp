// SPDX-License-Identifier: Apache-2.0

// The Python module webstrata._core: the rooms' functions under their own names, a file for each
// kind of thing. The package python/webstrata puts words and classes of Python around them.
// Tested by tests/python.

#include <system_error>

#include <fmt/format.h>

#include "python/core/bindings.h"
#include "python/core/cluster_module.h"
#include "python/core/export_module.h"
#include "python/core/jobs_module.h"
#include "webstrata/base/error.h"
#include "webstrata/base/printable.h"

namespace webstrata {
namespace {

const char* word_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::BadInput:
      return "bad_input";
    case ErrorKind::NotFound:
      return "not_found";
    case ErrorKind::Corrupt:
      return "corrupt";
    case ErrorKind::Io:
      return "io";
    case ErrorKind::Cancelled:
      return "cancelled";
  }
  return "bad_input";
}

// webstrata.Error is written in Python, where its fields are typed.
void raise_in_python(const Error& error) {
  const nb::object type = nb::module_::import_("webstrata._error").attr("Error");
  const nb::object instance = type(text_of(printable(error.what())));
  instance.attr("kind") = word_of(error.kind());
  PyErr_SetObject(type.ptr(), instance.ptr());
}

}  // namespace

}  // namespace webstrata

NB_MODULE(_core, module) {
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const webstrata::Error& error) {
      webstrata::raise_in_python(error);
    } catch (const std::system_error& error) {  // of the file system, or a thread that cannot start
      webstrata::raise_in_python(webstrata::Error(webstrata::ErrorKind::Io, error.what()));
    }
  });
  module.def("version", [] { return WEBSTRATA_VERSION; });
  webstrata::bind_words(module);
  webstrata::bind_tables(module);
  webstrata::bind_archive(module);
  webstrata::bind_writing(module);
  webstrata::bind_inputs(module);
  webstrata::bind_reading(module);
  webstrata::bind_graph(module);
  webstrata::bind_rank(module);
  webstrata::bind_seeds(module);
  webstrata::bind_liverank(module);
  webstrata::bind_explore(module);
  webstrata::bind_jobs(module);
  webstrata::bind_reports(module);
  webstrata::bind_export(module);
  webstrata::bind_layers(module);
  webstrata::cluster::bind(module);
}
