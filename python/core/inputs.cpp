// SPDX-License-Identifier: Apache-2.0

// Inputs that are not files on this machine. Tested by tests/python/file_objects_test.py and
// tests/spark.

#include "python/core/bindings.h"
#include "webstrata/capture/remote/remote_name.h"
#include "webstrata/capture/stream/fed_inputs.h"
#include "webstrata/capture/stream/input_place.h"

namespace webstrata {

void bind_inputs(nb::module_& module) {
  nb::class_<FedInputs>(module, "FedInputs")
      .def(nb::init<std::vector<std::string>>(), "file_names"_a)
      .def_prop_ro("names", &FedInputs::names)
      .def("next", &FedInputs::next, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "give",
          [](FedInputs& self, std::size_t number, const nb::bytes& bytes) {
            self.give(number, {bytes.c_str(), bytes.size()});
          },
          "number"_a, "data"_a)
      .def("fail", &FedInputs::fail, "number"_a, "reason"_a)
      .def("close", &FedInputs::close);
  module.def(
      "is_remote", [](std::string_view name) { return is_remote(name); }, "name"_a);
  // Bytes of a file here or elsewhere; 0 if the server does not say.
  module.def(
      "input_size",
      [](const std::string& name) {
        const nb::gil_scoped_release release;
        refuse_unknown_scheme(name);
        return look_at_input(name).size;
      },
      "name"_a);
}

}  // namespace webstrata
