// SPDX-License-Identifier: Apache-2.0
#include "bench/liverank/journal.h"

#include <charconv>
#include <fstream>
#include <string_view>

#include "webstrata/base/json.h"

namespace webstrata {
namespace {

// What follows "name": up to `end`, in the lines that add() writes; labels have no quotes.
std::optional<std::string_view> field(std::string_view line, std::string_view name, char end) {
  const std::string key = "\"" + std::string(name) + "\":";
  const std::size_t begin = line.find(key);
  if (begin == std::string_view::npos) return std::nullopt;
  line.remove_prefix(begin + key.size());
  if (line.starts_with('"') || line.starts_with('[')) line.remove_prefix(1);
  const std::size_t length = line.find(end);
  if (length == std::string_view::npos) return std::nullopt;
  return line.substr(0, length);
}

std::vector<double> numbers(std::string_view text) {
  std::vector<double> all;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    double value = 0;
    std::from_chars(text.data(), text.data() + std::min(comma, text.size()), value);
    all.push_back(value);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return all;
}

}  // namespace

Journal::Journal(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream lines(file_);
  for (std::string line; std::getline(lines, line);) {
    const auto label = field(line, "method", '"');
    const auto seed = field(line, "seed", ',');
    const auto costs = field(line, "cost", ']');
    const auto seconds = field(line, "seconds", '}');
    if (!label || !seed || !costs || !seconds) continue;
    CostRun run;
    run.costs = numbers(*costs);
    run.seconds = numbers(*seconds)[0];
    runs_[{std::string(*label), static_cast<std::uint64_t>(numbers(*seed)[0])}] = run;
  }
}

const CostRun* Journal::find(const std::string& label, std::uint64_t seed) const {
  const auto place = runs_.find({label, seed});
  return place == runs_.end() ? nullptr : &place->second;
}

void Journal::remember(const std::string& label, std::uint64_t seed, const CostRun& run) {
  runs_[{label, seed}] = run;
}

void Journal::add(const std::string& label, std::uint64_t seed, const CostRun& run) {
  remember(label, seed, run);
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("method", std::string_view(label)).field("seed", seed);
  json.key("cost").begin_array();
  for (const double cost : run.costs) json.value(cost);
  json.end_array().field("seconds", run.seconds).end_object();
  std::filesystem::create_directories(file_.parent_path());
  std::ofstream(file_, std::ios::app) << text << '\n';
}

}  // namespace webstrata
