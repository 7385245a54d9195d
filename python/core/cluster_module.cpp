// SPDX-License-Identifier: Apache-2.0

// The part of webstrata._core that webstrata.spark calls on drivers and executors.
// Bytes come in as anything with a buffer (Arrow's are), and go out as bytes.
// Tested by tests/spark.

#include "python/core/cluster_module.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "python/core/bindings.h"
#include "python/core/input_summaries.h"
#include "webstrata/base/error.h"
#include "webstrata/cluster/carry_task.h"
#include "webstrata/cluster/draft.h"
#include "webstrata/cluster/key_task.h"
#include "webstrata/cluster/page_task.h"
#include "webstrata/cluster/read_task.h"
#include "webstrata/words/archive_words.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace webstrata::cluster {
namespace {

// The bytes of a Python object, as long as this lives.
class Buffer {
 public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { PyBuffer_Release(&view_); }

  [[nodiscard]] std::string_view bytes() const noexcept {
    return {static_cast<const char*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }
  template <typename Value>
  [[nodiscard]] std::span<const Value> values() const noexcept {
    return {static_cast<const Value*>(view_.buf),
            static_cast<std::size_t>(view_.len) / sizeof(Value)};
  }

 private:
  Py_buffer view_{};
};

template <typename Value>
nb::bytes to_bytes(const std::vector<Value>& values) {
  return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
}
nb::bytes to_bytes(std::string_view bytes) { return nb::bytes(bytes.data(), bytes.size()); }

nb::tuple to_python(const BinaryColumn& column) {
  return nb::make_tuple(column.size(), to_bytes(column.offsets), to_bytes(column.bytes));
}

// What tasks are told of an archive: the text of a manifest with its options.
ArchiveOptions options_of(std::string_view plan) {
  return Manifest::parse(plan, "the plan of a job").options;
}

// A plan with no archive behind it; what is not said is the default.
std::string make_plan(std::optional<std::string> range, std::optional<std::string> links,
                      std::optional<std::string> digests, std::optional<std::string> schemes,
                      bool compact, std::optional<std::uint32_t> block_bits,
                      std::optional<std::uint32_t> part_blocks,
                      const std::vector<std::string>& layers) {
  Manifest plan;
  plan.generation = 1;
  plan.facts_digest = std::string(32, '0');
  ArchiveOptions& options = plan.options;
  options = archive_options_of({range, links, digests, schemes, compact, layers}, options);
  if (block_bits) options.block_bits = *block_bits;
  if (part_blocks) options.part_blocks = *part_blocks;
  for (const Layer layer : layers_of(options)) plan.layers[layer];
  return plan.to_text();
}

nb::dict options_in_words(std::string_view plan) {
  const ArchiveOptions options = options_of(plan);
  nb::dict words;
  const ArchiveWords fixed = words_of(options);
  words["range"] = *fixed.range;
  words["links"] = *fixed.links;
  words["digests"] = *fixed.digests;
  words["schemes"] = *fixed.schemes;
  words["compact"] = *fixed.compact;
  words["layers"] = fixed.layers;
  words["block_bits"] = options.block_bits;
  words["part_blocks"] = options.part_blocks;
  return words;
}

nb::list to_python(const std::vector<RunFiles>& runs) {
  nb::list told;
  for (const RunFiles& run : runs)
    told.append(nb::make_tuple(run.keys.string(), run.pages.string()));
  return told;
}

nb::dict read_runs_of(const std::vector<std::string>& inputs, const std::string& crawl,
                      std::string_view plan, const std::string& archive, const std::string& folder,
                      std::size_t memory_bytes) {
  ReadRequest request;
  request.inputs = inputs;
  request.crawl = crawl;
  request.options = options_of(plan);
  request.archive = archive;
  request.folder = folder;
  request.memory_bytes = memory_bytes;
  ReadResult result;
  {
    const nb::gil_scoped_release release;
    result = read_runs(request);
  }
  nb::dict told;
  told["runs"] = to_python(result.runs);
  told["summaries"] = summaries_of(result.summaries);
  told["left_out"] = counts_of(result.left_out);
  return told;
}

nb::list to_python(std::vector<KeyPacket> packets) {
  nb::list told;
  for (const KeyPacket& packet : packets) {
    told.append(nb::make_tuple(packet.is_names, packet.run, packet.first, to_bytes(packet.bytes)));
  }
  return told;
}

void add_keys(KeyNumbering& numbering, nb::handle offsets, nb::handle bytes, nb::handle runs,
              nb::handle numbers, std::size_t first, std::size_t count) {
  const Buffer key_offsets(offsets);
  const Buffer key_bytes(bytes);
  const Buffer run_values(runs);
  const Buffer number_values(numbers);
  const auto ends = key_offsets.values<std::int32_t>();
  for (std::size_t i = first; i < first + count; ++i) {
    numbering.add(key_bytes.bytes().substr(ends[i], ends[i + 1] - ends[i]),
                  run_values.values<std::int64_t>()[i],
                  static_cast<std::uint64_t>(number_values.values<std::int64_t>()[i]));
  }
}

nb::list to_python(const LayerFiles& files) {
  nb::list told;
  for (const auto& [layer, parts] : files) {
    for (const LayerFile& file : parts) {
      told.append(nb::make_tuple(static_cast<int>(layer), file.name, file.size,
                                 static_cast<std::int64_t>(file.checksum)));
    }
  }
  return told;
}

BlockRequest block_request(const std::string& folder, std::string_view plan, std::uint64_t block,
                           std::uint64_t node_count) {
  return {folder, options_of(plan), block, node_count};
}

nb::list to_python(std::vector<InFactPacket> packets) {
  nb::list told;
  for (const InFactPacket& packet : packets) {
    told.append(nb::make_tuple(packet.target_block, to_bytes(packet.bytes)));
  }
  return told;
}

void bind_reading(nb::module_& module) {
  module.def("make_plan", &make_plan, "range"_a.none(), "links"_a.none(), "digests"_a.none(),
             "schemes"_a.none(), "compact"_a, "block_bits"_a.none(), "part_blocks"_a.none(),
             "layers"_a = std::vector<std::string>());
  module.def("options_in_words", &options_in_words, "plan"_a);
  module.def("encoder_revision", [] { return kEncoderRevision; });
  module.def("read_runs", &read_runs_of, "inputs"_a, "crawl"_a, "plan"_a, "archive"_a, "folder"_a,
             "memory_bytes"_a);
  module.def("read_slice", [](const std::string& archive, std::size_t stratum, std::uint64_t first,
                              std::uint64_t end, const std::string& folder) {
    return to_python(std::vector{read_slice(archive, {stratum, first, end}, folder)});
  });
  nb::class_<RunKeys>(module, "RunKeys")
      .def("__init__",
           [](RunKeys* self, const std::string& keys) {
             new (self) RunKeys(RunFiles{keys, "/dev/null", true});
           })
      .def("next", [](RunKeys& self) -> nb::object {
        BinaryColumn keys;
        if (!self.next(keys)) return nb::none();
        return to_python(keys);
      });
}

void bind_keys(nb::module_& module) {
  nb::class_<KeyNumbering>(module, "KeyNumbering")
      .def(nb::init<>())
      .def("add", &add_keys)
      .def("take_full", [](KeyNumbering& self) { return to_python(self.take_full()); })
      .def("finish", [](KeyNumbering& self) { return to_python(self.finish()); })
      .def_prop_ro("size", &KeyNumbering::size);
  module.def("cut_names", [](nb::handle packet, std::uint64_t first, std::uint32_t block_bits) {
    return to_python(cut_names(Buffer(packet).bytes(), first, block_bits));
  });
  module.def("write_names",
             [](const std::string& folder, std::string_view plan, std::uint64_t block,
                std::uint64_t node_count, const std::vector<nb::bytes>& packets) {
               std::vector<std::string_view> views;
               for (const nb::bytes& packet : packets)
                 views.emplace_back(packet.c_str(), packet.size());
               return to_python(write_names(block_request(folder, plan, block, node_count), views));
             });
}

void bind_pages(nb::module_& module) {
  nb::class_<RunTranslation>(module, "RunTranslation")
      .def(
          "__init__",
          [](RunTranslation* self, const std::string& pages, const std::string& scratch,
             std::size_t memory_bytes) { new (self) RunTranslation(pages, scratch, memory_bytes); })
      .def("add", [](RunTranslation& self, nb::handle pairs,
                     std::uint64_t before) { self.add(Buffer(pairs).bytes(), before); })
      .def("next", [](RunTranslation& self) -> nb::object {
        std::vector<std::int64_t> uids;
        BinaryColumn pages;
        if (!self.next(uids, pages)) return nb::none();
        return nb::make_tuple(to_bytes(uids), to_python(pages));
      });
  nb::class_<PageBlock>(module, "PageBlock")
      .def("__init__",
           [](PageBlock* self, const std::string& folder, std::string_view plan,
              std::uint64_t block, std::uint64_t node_count) {
             new (self) PageBlock(block_request(folder, plan, block, node_count));
           })
      .def("add",
           [](PageBlock& self, nb::handle uids, nb::handle offsets, nb::handle pages,
              std::size_t first, std::size_t count) {
             const Buffer uid_values(uids);
             const Buffer page_offsets(offsets);
             const Buffer page_bytes(pages);
             const auto ends = page_offsets.values<std::int32_t>();
             for (std::size_t i = first; i < first + count; ++i) {
               self.add(static_cast<Uid>(uid_values.values<std::int64_t>()[i]),
                        page_bytes.bytes().substr(ends[i], ends[i + 1] - ends[i]));
             }
           })
      .def("take_full", [](PageBlock& self) { return to_python(self.take_full()); })
      .def("finish", [](PageBlock& self) { return to_python(self.finish()); });
  nb::class_<InBlock>(module, "InBlock")
      .def("__init__",
           [](InBlock* self, const std::string& folder, std::string_view plan, std::uint64_t block,
              std::uint64_t node_count, const std::string& scratch, std::size_t memory_bytes) {
             new (self)
                 InBlock(block_request(folder, plan, block, node_count), scratch, memory_bytes);
           })
      .def("add", [](InBlock& self, nb::handle packet) { self.add(Buffer(packet).bytes()); })
      .def("finish", [](InBlock& self) { return to_python(self.finish()); });
  module.def("join_blocks", [](const std::string& folder, int layer, std::string_view plan,
                               std::uint64_t part, const std::vector<std::string>& blocks) {
    const std::vector<std::filesystem::path> paths(blocks.begin(), blocks.end());
    const auto which = static_cast<Layer>(layer);
    return to_python(
        LayerFiles{{which, {join_blocks(folder, which, options_of(plan), part, paths)}}});
  });
}

using Names = std::vector<std::string>;
// Name of the column, name of its file, size, checksum.
using PlainColumns = std::vector<std::tuple<std::string, std::string, std::uint64_t, std::int64_t>>;

Names column_names(const ColumnFiles& columns) {
  Names names;
  for (const auto& [name, file] : columns) names.push_back(name);
  return names;
}

PlainColumns to_plain(const ColumnFiles& columns) {
  PlainColumns plain;
  for (const auto& [name, file] : columns) {
    plain.emplace_back(name, file.name, file.size, static_cast<std::int64_t>(file.checksum));
  }
  return plain;
}

ColumnFiles to_columns(const PlainColumns& plain) {
  ColumnFiles columns;
  for (const auto& [name, file, size, checksum] : plain) {
    columns[name] = {file, size, static_cast<std::uint64_t>(checksum)};
  }
  return columns;
}

std::pair<PlainColumns, PlainColumns> carry(const std::string& archive,
                                            const std::string& after_folder,
                                            std::string_view written, const Names& scores,
                                            const Names& link_scores, const std::string& folder,
                                            std::size_t memory_bytes) {
  const CarriedColumns carried =
      carry_columns({archive, after_folder, Manifest::parse(written, "the new generation"), scores,
                     link_scores, folder, memory_bytes});
  return {to_plain(carried.scores), to_plain(carried.link_scores)};
}

std::vector<std::uint64_t> nodes_of_strata(const Manifest& manifest) {
  if (!manifest.is_stack()) return {manifest.counts.nodes};
  std::vector<std::uint64_t> nodes;
  for (const Stratum& stratum : manifest.strata) nodes.push_back(stratum.counts.nodes);
  return nodes;
}

// Files of keys and of pages.
using PlainRuns = std::vector<std::pair<std::string, std::string>>;

PlainRuns to_plain(const std::vector<RunFiles>& runs) {
  PlainRuns plain;
  for (const RunFiles& run : runs) plain.emplace_back(run.keys.string(), run.pages.string());
  return plain;
}

std::vector<RunFiles> to_runs(const PlainRuns& plain) {
  std::vector<RunFiles> runs;
  for (const auto& [keys, pages] : plain) runs.push_back({keys, pages, true});
  return runs;
}

void bind_draft(nb::module_& module) {
  module.def("carry_columns", carry, "archive"_a, "after_folder"_a, "written"_a, "scores"_a,
             "link_scores"_a, "folder"_a, "memory_bytes"_a,
             nb::call_guard<nb::gil_scoped_release>());
  nb::class_<ClusterDraft>(module, "Draft")
      .def_static("create",
                  [](const std::string& archive, std::string_view plan) {
                    return ClusterDraft::create(archive, options_of(plan));
                  })
      .def_static("update",
                  [](const std::string& archive) { return ClusterDraft::update(archive); })
      .def_prop_ro("plan",
                   [](const ClusterDraft& self) {
                     return self.before() ? self.before()->to_text() : std::string();
                   })
      .def_prop_ro("nodes_of_strata",
                   [](const ClusterDraft& self) {
                     return self.before() ? nodes_of_strata(*self.before())
                                          : std::vector<std::uint64_t>();
                   })
      .def_prop_ro("score_names",
                   [](const ClusterDraft& self) {
                     return self.before() ? column_names(self.before()->scores) : Names();
                   })
      .def_prop_ro("link_score_names",
                   [](const ClusterDraft& self) {
                     return self.before() ? column_names(self.before()->link_scores) : Names();
                   })
      .def_prop_ro("work_folder",
                   [](const ClusterDraft& self) { return self.work_folder().string(); })
      .def("take",
           [](ClusterDraft& self, int layer, const std::string& folder, const std::string& name,
              std::uint64_t size, std::int64_t checksum) {
             self.take(static_cast<Layer>(layer), folder,
                       {name, size, static_cast<std::uint64_t>(checksum)});
           })
      .def("take_columns",
           [](ClusterDraft& self, const std::string& folder, const PlainColumns& scores,
              const PlainColumns& link_scores) {
             self.take({to_columns(scores), to_columns(link_scores)}, folder);
           })
      .def_prop_ro("folder", [](const ClusterDraft& self) { return self.folder().string(); })
      .def_prop_ro("written", [](const ClusterDraft& self) { return self.written().to_text(); })
      .def("publish", [](ClusterDraft& self) { return self.publish().to_text(); })
      // The manifest, or else the runs that are due to be merged with everything.
      .def("publish_stratum",
           [](ClusterDraft& self, const PlainRuns& runs, std::uint64_t facts,
              std::size_t memory_bytes) -> std::pair<std::optional<std::string>, PlainRuns> {
             const nb::gil_scoped_release release;
             const auto added = self.publish_stratum(to_runs(runs), facts, memory_bytes);
             if (added.manifest) return {added.manifest->to_text(), {}};
             return {std::nullopt, to_plain(added.due)};
           })
      .def("close", &ClusterDraft::close);
}

}  // namespace

void bind(nb::module_& parent) {
  nb::module_ module = parent.def_submodule("cluster", "The steps of a merge on a cluster.");
  bind_reading(module);
  bind_keys(module);
  bind_pages(module);
  bind_draft(module);
}

}  // namespace webstrata::cluster
