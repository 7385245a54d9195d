// SPDX-License-Identifier: Apache-2.0

// Writes a dated web crawl by crawl, as lines "source time target ..." with tabs between.
//
//   dated_web FOLDER --hosts 800 --crawls 2 --months 22 --seed 1 [--days 12 --day-captures 2000]
//
// FOLDER gets crawl0.tsv, crawl1.tsv … and, of the days after the last crawl, day0.tsv …; standard
// output gets the numbers of hosts, captures and link facts as JSON.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

#include "bench/scale/dated_web.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

struct Counts {
  std::uint64_t captures = 0;
  std::uint64_t link_facts = 0;
  std::uint64_t bytes = 0;
};

class LineFile {
 public:
  explicit LineFile(const std::filesystem::path& path)
      : path_(path), file_(std::fopen(path.c_str(), "wb"), &std::fclose) {
    if (!file_) throw Error(ErrorKind::Io, path.string() + ": cannot be written");
  }

  void write(const DatedPage& page, Counts& counts) {
    line_ = page.url;
    line_ += '\t';
    line_ += to_timestamp14(page.time);
    for (const std::string& link : page.links) line_.append("\t").append(link);
    line_ += '\n';
    if (std::fwrite(line_.data(), 1, line_.size(), file_.get()) != line_.size()) {
      throw Error(ErrorKind::Io, path_.string() + ": cannot be written");
    }
    ++counts.captures;
    counts.link_facts += page.links.size();
    counts.bytes += line_.size();
  }

 private:
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::string line_;
};

int run(int argc, char** argv) {
  CLI::App app{"Writes a dated web crawl by crawl"};
  std::filesystem::path folder;
  DatedWebOptions options;
  int days = 0;
  std::uint64_t day_captures = 2000;
  app.add_option("folder", folder, "where the files go")->required();
  app.add_option("--hosts", options.hosts, "hosts in the first crawl (default 800)");
  app.add_option("--crawls", options.crawls, "number of crawls (default 2)");
  app.add_option("--months", options.months, "from one crawl to the next (default 22)");
  app.add_option("--days", days, "small crawls after the last one (default 0)");
  app.add_option("--day-captures", day_captures, "captures of each (default 2000)");
  app.add_option("--seed", options.seed, "of everything (default 1)");
  CLI11_PARSE(app, argc, argv);
  std::filesystem::create_directories(folder);

  const DatedWeb web(options);
  Counts all;
  for (int number = 0; number < options.crawls; ++number) {
    LineFile file(folder / fmt::format("crawl{}.tsv", number));
    web.crawl(number, [&](const DatedPage& page) { file.write(page, all); });
  }
  Counts later;
  for (int number = 0; number < days; ++number) {
    LineFile file(folder / fmt::format("day{}.tsv", number));
    web.day(number, day_captures, [&](const DatedPage& page) { file.write(page, later); });
  }
  fmt::print(
      "{{\"seed\": {}, \"hosts\": {}, \"captures\": {}, \"link_facts\": {}, \"bytes\": {}, "
      "\"day_captures\": {}, \"day_link_facts\": {}}}\n",
      options.seed, web.host_count(), all.captures, all.link_facts, all.bytes, later.captures,
      later.link_facts);
  return 0;
}

}  // namespace
}  // namespace webstrata

int main(int argc, char** argv) {
  try {
    return webstrata::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "dated_web: {}\n", error.what());
    return 2;
  }
}
