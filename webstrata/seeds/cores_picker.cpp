// SPDX-License-Identifier: Apache-2.0

// Extract-Seeds: one hub of each core, until enough are alive.
// Tested by tests/seeds/seed_methods_test.cpp.

#include <fmt/format.h>

#include "webstrata/base/counted.h"
#include "webstrata/seeds/pickers.h"

namespace webstrata {
namespace {

ExtractionOptions extraction_of(const SeedOptions& options) {
  ExtractionOptions extraction = options.extraction;
  extraction.work = options.work;
  return extraction;
}

class CoresPicker : public SeedPicker {
 public:
  CoresPicker(const Snapshot& graph, const SeedOptions& options)
      : extractor_(graph, extraction_of(options)),
        random_(options.seed),
        hub_choice_(options.hub_choice) {}

  std::optional<SeedCandidate> next() override {
    std::optional<BipartiteCore> core = extractor_.next();
    if (!core) return std::nullopt;
    cores_.push_back(std::move(*core));
    const BipartiteCore& found = cores_.back();
    // The best hub joins first.
    const std::size_t place = hub_choice_ == HubChoice::Top ? 0 : random_.below(found.hubs.size());
    return SeedCandidate{found.hubs[place], 1 / static_cast<double>(cores_.size()),
                         fmt::format("hub {} of core {}: {}, {}, density {:.0f}", place + 1,
                                     cores_.size(), counted(found.hubs.size(), "hub", "hubs"),
                                     counted(found.authorities.size(), "authority", "authorities"),
                                     found.cover_density())};
  }

  [[nodiscard]] std::span<const BipartiteCore> cores() const override { return cores_; }

 private:
  CoreExtractor extractor_;
  Random random_;
  HubChoice hub_choice_;
  std::vector<BipartiteCore> cores_;
};

}  // namespace

std::unique_ptr<SeedPicker> make_cores_picker(const Snapshot& graph, const SeedOptions& options) {
  return std::make_unique<CoresPicker>(graph, options);
}

}  // namespace webstrata
