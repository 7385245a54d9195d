// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/wacz_reader_test.cpp and zipnum_reader_test.cpp.

#include "webstrata/capture/formats/inner_reader.h"

#include <algorithm>
#include <utility>

#include "webstrata/capture/formats/readers.h"
#include "webstrata/capture/record/sighting_fields.h"

namespace webstrata {
namespace {

const ReaderEntry* recognise_inside(InputStream& in) {
  const ReaderEntry* entry = recognise(in);
  const bool is_container = entry && (entry->name == "wacz" || entry->name == "zipnum");
  return is_container ? nullptr : entry;
}

}  // namespace

InnerReader::InnerReader(const ReadContext& outer, std::string name, const StreamMaker& open_stream,
                         std::uint64_t offset_base)
    : outer_report_(outer.report),
      name_(std::move(name)),
      base_name_(webstrata::base_name(name_)),
      offset_base_(offset_base),
      in_(open_stream(report_)) {
  const bool is_empty = in_->at_end();
  if (const ReaderEntry* entry = recognise_inside(*in_)) {
    reader_ = entry->open({*in_, outer.options, report_, base_name_});
  } else if (!is_empty) {
    report_.damaged(offset_base_, "not a format that can be read");
  }
}

bool InnerReader::next(Capture& capture) {
  if (reader_ && reader_->next(capture)) {
    Sighting& sighting = capture.sighting;
    const bool lies_here = sighting.offset && sighting.file == base_name_;
    if (lies_here) *sighting.offset -= std::min(*sighting.offset, offset_base_);
    return true;
  }
  hand_over_report();
  return false;
}

std::uint64_t InnerReader::record_count() const noexcept {
  return reader_ ? reader_->record_count() : 0;
}

void InnerReader::hand_over_report() {
  if (std::exchange(ended_, true)) return;
  for (const Damage& damage : report_.damages()) {
    const std::uint64_t offset = damage.offset - std::min(damage.offset, offset_base_);
    outer_report_.damaged(offset, name_ + ": " + damage.reason);
  }
  for (std::uint64_t i = report_.damages().size(); i < report_.damage_count(); ++i) {
    outer_report_.damaged(0, name_ + ": more damage");
  }
  for (std::uint64_t i = 0; i < report_.resynchronised_count(); ++i)
    outer_report_.resynchronised(0);
  for (const auto& [what, times] : report_.counts()) outer_report_.count(what, times);
}

}  // namespace webstrata
