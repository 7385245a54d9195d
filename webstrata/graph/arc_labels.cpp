// SPDX-License-Identifier: Apache-2.0

// X.properties names the class of the labels, with its arguments in brackets, and the graph below:
//
//   graphclass=it.unimi.dsi.webgraph.labelling.BitStreamArcLabelledImmutableGraph
//   underlyinggraph=uk-union-underlying
//   labelspec=it.unimi.dsi.webgraph.labelling.FixedWidthIntLabel(SNAPSHOTS,12)
//
// X.labels is one stream of bits, highest bit of a byte first, without anything between labels.
// Tested by tests/cli/dated_graphs_test.py.

#include "webstrata/graph/arc_labels.h"

#include <charconv>
#include <string>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/text.h"
#include "webstrata/graph/bv/codes.h"
#include "webstrata/graph/graph_file.h"

namespace webstrata {
namespace {

using Path = std::filesystem::path;

constexpr std::string_view kLabelledClass = "BitStreamArcLabelledImmutableGraph";
constexpr unsigned kLabelBitsMax = 64;

enum class LabelClass : std::uint8_t { FixedWidth, Gamma, List };

struct LabelForm {
  LabelClass is = LabelClass::FixedWidth;
  unsigned width = 0;
};

Path file_of(const Path& path, std::string_view ending) {
  return fmt::format("{}{}", bvgraph_base(path).string(), ending);
}

// The value of a line "name = value"; empty if there is none.
std::string property(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || trim(line.substr(0, equals)) != name) continue;
    return std::string(trim(line.substr(equals + 1)));
  }
  return {};
}

// "FixedWidthIntLabel(SNAPSHOTS,12)": the last argument is the width.
LabelForm form_of(std::string_view spec, const Path& file) {
  const std::size_t open = std::min(spec.find('('), spec.size());
  std::string_view name = spec.substr(0, open);
  name.remove_prefix(name.rfind('.') + 1);
  if (name == "GammaCodedIntLabel") return {LabelClass::Gamma, 0};
  const bool is_list = name == "FixedWidthIntListLabel";
  const std::size_t comma = spec.rfind(',');
  unsigned width = 0;
  if (comma != std::string_view::npos) {
    const std::string_view rest = trim(spec.substr(comma + 1));
    std::from_chars(rest.data(), rest.data() + rest.size(), width);
  }
  const bool is_known = is_list || name == "FixedWidthIntLabel" || name == "FixedWidthLongLabel";
  if (!is_known || width == 0 || width > kLabelBitsMax) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: labels of the form {} cannot be read, only FixedWidthIntLabel, "
                            "FixedWidthLongLabel, GammaCodedIntLabel and FixedWidthIntListLabel",
                            file.string(), spec));
  }
  return {is_list ? LabelClass::List : LabelClass::FixedWidth, width};
}

}  // namespace

struct ArcLabels::State {
  explicit State(const Path& path)
      : name(file_of(path, ".labels")),
        form(form_of(property(read_file(file_of(path, ".properties")), "labelspec"),
                     file_of(path, ".properties"))),
        file(MappedFile::open(name)),
        bits(file.bytes(), 0) {}

  std::uint64_t number(unsigned width) {
    const unsigned high = width > bv::kBitsMax ? width - bv::kBitsMax : 0;
    const std::uint64_t first = high == 0 ? 0 : bits.bits(high);
    return first << (width - high) | bits.bits(width - high);
  }

  std::uint64_t list() {
    std::uint64_t label = 0;
    for (std::uint64_t count = bits.gamma(); count > 0 && !bits.is_past_end(); --count) {
      const std::uint64_t bit = number(form.width);
      if (bit >= kLabelBitsMax) fail("a number of a list is above 63");
      label |= std::uint64_t{1} << bit;
    }
    return label;
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::Corrupt, fmt::format("{}: {}", name.string(), what));
  }

  Path name;
  LabelForm form;
  MappedFile file;
  bv::CodeReader<bv::BitOrder::BigEndian> bits;
};

ArcLabels::ArcLabels(const Path& path) : state_(std::make_unique<State>(path)) {}
ArcLabels::~ArcLabels() = default;
ArcLabels::ArcLabels(ArcLabels&&) noexcept = default;

std::uint64_t ArcLabels::next() {
  std::uint64_t label = 0;
  switch (state_->form.is) {
    case LabelClass::FixedWidth:
      label = state_->number(state_->form.width);
      break;
    case LabelClass::Gamma:
      label = state_->bits.gamma();
      break;
    case LabelClass::List:
      label = state_->list();
      break;
  }
  if (state_->bits.is_past_end()) state_->fail("there are fewer labels than links");
  return label;
}

std::optional<Path> underlying_graph(const Path& path) {
  const Path file = file_of(path, ".properties");
  if (!std::filesystem::is_regular_file(file)) return std::nullopt;
  const std::string text = read_file(file);
  if (!property(text, "graphclass").ends_with(kLabelledClass)) return std::nullopt;
  const std::string links = property(text, "underlyinggraph");
  if (links.empty()) {
    throw Error(
        ErrorKind::Corrupt,
        fmt::format("{}: a graph with labels must name its underlyinggraph", file.string()));
  }
  return Path(links).is_absolute() ? Path(links) : file.parent_path() / links;
}

}  // namespace webstrata
