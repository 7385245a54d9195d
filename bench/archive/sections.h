// SPDX-License-Identifier: Apache-2.0

// The sections of archive_bench: each measures one thing and adds its figures.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

struct Figure {
  std::string name;  // "links_bits_per_link"
  double value = 0;
  std::string meaning;  // "bits per link, everything counted; target 2.15"
};

// Printed as they are measured, and at the end as one JSON object if requested.
class Figures {
 public:
  explicit Figures(bool is_printing) : is_printing_(is_printing) {}
  void add(std::string name, double value, std::string meaning);
  // Of a figure that was added.
  [[nodiscard]] double value(std::string_view name) const;
  [[nodiscard]] std::string json() const;

 private:
  bool is_printing_;
  std::vector<Figure> figures_;
};

struct BenchOptions {
  std::filesystem::path shared;         // the folder with data/
  std::string graph;                    // base name of a BVGraph; empty: cnr-2000 of `shared`
  std::filesystem::path program;        // webstrata itself
  std::filesystem::path python;         // with tests/requirements.txt installed
  std::filesystem::path folder;         // for data and archives
  int repetitions = 5;                  // the best counts
  std::vector<int> copies = {1, 2, 4};  // of debweb, that updates are measured on
};

// CPU seconds of this thread so far.
double cpu_seconds();

void bench_links(const BenchOptions& options, Figures& figures);        // links.cpp
void bench_time_layers(const BenchOptions& options, Figures& figures);  // time_layers.cpp
void bench_names(const BenchOptions& options, Figures& figures);        // names.cpp
void bench_building(const BenchOptions& options, Figures& figures);     // building.cpp
void bench_updating(const BenchOptions& options, Figures& figures);     // updating.cpp
void bench_growing(const BenchOptions& options, Figures& figures);      // growing.cpp
void bench_asking(const BenchOptions& options, Figures& figures);       // asking.cpp
void bench_stacking(const BenchOptions& options, Figures& figures);     // stacking.cpp
void bench_appending(const BenchOptions& options, Figures& figures);    // appending.cpp

}  // namespace webstrata
