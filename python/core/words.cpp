// SPDX-License-Identifier: Apache-2.0

// What words mean, as on the command line (webstrata/words). Tested by
// tests/python/archive_test.py.

#include "python/core/bindings.h"
#include "webstrata/capture/remote/object_list.h"
#include "webstrata/words/amounts.h"
#include "webstrata/words/archive_words.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

Interval pair_of(const TimeInterval& interval) { return {interval.first, interval.last}; }

}  // namespace

void bind_words(nb::module_& module) {
  module.def(
      "parse_date",
      [](std::string_view what, std::string_view word) {
        return pair_of(parse_date_word(what, word));
      },
      "what"_a, "word"_a);
  module.def(
      "parse_dates",
      [](std::string_view what, std::string_view word) {
        return pair_of(parse_dates_word(what, word));
      },
      "what"_a, "word"_a);
  module.def("parse_bytes", parse_bytes_word, "what"_a, "word"_a);
  module.def("parse_duration", parse_duration_word, "what"_a, "word"_a);
  module.def(
      "expand_inputs",
      [](const std::vector<std::string>& words, const std::vector<std::string>& include,
         bool archives) {
        const nb::gil_scoped_release release;
        return with_objects_listed(
            expand_inputs(words, include, archives ? ArchiveInputs::Kept : ArchiveInputs::Refused));
      },
      "words"_a, "include"_a = std::vector<std::string>(), "archives"_a = false);
  module.def("expand_urls", expand_urls, "words"_a);
  nb::class_<ArchiveWords>(module, "ArchiveWords")
      .def(nb::init<std::optional<std::string>, std::optional<std::string>,
                    std::optional<std::string>, std::optional<std::string>, std::optional<bool>,
                    std::vector<std::string>>(),
           "range"_a = nb::none(), "links"_a = nb::none(), "digests"_a = nb::none(),
           "schemes"_a = nb::none(), "compact"_a = nb::none(),
           "layers"_a = std::vector<std::string>());
}

}  // namespace webstrata
