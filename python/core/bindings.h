// SPDX-License-Identifier: Apache-2.0

// What the files of the module share. module.cpp is its table of contents.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/error.h"
#include "webstrata/base/time.h"
#include "webstrata/facts/link.h"
#include "webstrata/graph/snapshot.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace webstrata {

void bind_words(nb::module_& module);
void bind_tables(nb::module_& module);
void bind_archive(nb::module_& module);
void bind_writing(nb::module_& module);
void bind_inputs(nb::module_& module);
void bind_reading(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_rank(nb::module_& module);
void bind_seeds(nb::module_& module);
void bind_liverank(nb::module_& module);
void bind_explore(nb::module_& module);
void bind_layers(nb::module_& module);

// A closed interval as Python gives it: (first, last) in seconds.
using Interval = std::pair<Time, Time>;
inline TimeInterval interval_of(const Interval& pair) { return {pair.first, pair.second}; }

// The nodes of a graph that these archives forgot: no seeds, plan or crawl may name them.
std::vector<Node> forgotten_in(const Snapshot& graph, const std::vector<std::string>& archives);

// Text that may hold bytes from a crawl: what is not UTF-8 becomes U+FFFD.
inline nb::object text_of(std::string_view text) {
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}
// The name of a file, as Python spells names that are not UTF-8.
inline nb::object file_name_of(std::string_view name) {
  return nb::steal(
      PyUnicode_DecodeFSDefaultAndSize(name.data(), static_cast<Py_ssize_t>(name.size())));
}

// What is known as an object of Python's, the rest as None.
template <typename Value>
nb::object or_none(const std::optional<Value>& value) {
  return value ? nb::cast(*value) : nb::none();
}

}  // namespace webstrata
