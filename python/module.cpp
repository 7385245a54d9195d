// The Python module webstrata._core: the rooms' functions under their own names.
// Tested by tests/python.

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "webstrata/archive/archive.h"
#include "webstrata/base/error.h"

namespace nb = nanobind;
using namespace nb::literals;

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
  const nb::object instance = type(error.what());
  instance.attr("kind") = word_of(error.kind());
  PyErr_SetObject(type.ptr(), instance.ptr());
}

void bind_archive(nb::module_& module) {
  nb::class_<Archive>(module, "Archive")
      .def_prop_ro("node_count", &Archive::node_count)
      .def("uid", &Archive::uid, "url"_a)
      .def("url", &Archive::url, "uid"_a);
  module.def(
      "open", [](const std::filesystem::path& path) { return Archive::open(path); }, "path"_a);
}

}  // namespace
}  // namespace webstrata

NB_MODULE(_core, module) {
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const webstrata::Error& error) {
      webstrata::raise_in_python(error);
    }
  });
  webstrata::bind_archive(module);
}
