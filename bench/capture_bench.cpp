// SPDX-License-Identifier: Apache-2.0

// Reading crawls, against the peers in the same run:
//
//   build/release/bench/capture_bench [--rounds 5] [--json FILE]
//
// Each round runs every contestant once, ours and theirs in turn; the best CPU time of each counts
// (for two threads the best wall time). The data is 200 MB of real HTML (bench/prepare.sh); the
// peers are Python with fastwarc, resiliparse and selectolax.

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench/timing.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/json.h"
#include "webstrata/capture/extraction.h"
#include "webstrata/capture/formats/warc_records.h"
#include "webstrata/capture/html/html_links.h"
#include "webstrata/capture/html/html_references.h"

namespace {

using namespace webstrata;

struct Settings {
  std::string source = WEBSTRATA_SOURCE_DIR;
  std::string shared = WEBSTRATA_SOURCE_DIR "/../shared";
  std::string python = WEBSTRATA_SOURCE_DIR "/build/venv/bin/python";
  std::string folder = WEBSTRATA_SOURCE_DIR "/build/bench-data";
  int rounds = 5;
  std::string json;
};

// A peer that times itself (capture_peers.py).
Run peer(const Settings& settings, std::vector<std::string> words) {
  Run run;
  words.insert(words.begin(), {settings.python, settings.source + "/bench/capture_peers.py"});
  const std::string output = command_output(words, run);
  run.cpu_seconds = number_in(output, "cpu_seconds");
  run.items = static_cast<std::uint64_t>(number_in(output, "items"));
  run.bytes = static_cast<std::uint64_t>(number_in(output, "bytes"));
  return run;
}

// ---- our own contestants ------------------------------------------------------------------------

void iterate(const std::string& path, Run& run) {
  Report report;
  InputStream in(path, report);
  WarcRecords records(in, report);
  while (records.next()) {
    ++run.items;
    run.bytes += records.content().size();
  }
}

std::vector<std::string_view> cut_pages(std::string_view bytes) {
  std::vector<std::string_view> pages;
  while (bytes.size() >= 4) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data(), 4);
    pages.push_back(bytes.substr(4, size));
    bytes.remove_prefix(4 + pages.back().size());
  }
  return pages;
}

void find_references(const std::vector<std::string_view>& pages, Run& run) {
  const ReadOptions options;
  HtmlReferences references(options);
  for (const std::string_view page : pages) {
    references.read(page, false);
    run.items += references.size();
    run.bytes += page.size();
  }
}

void extract_links(const std::vector<std::string_view>& pages, Run& run) {
  const ReadOptions options;
  Report report;
  HtmlLinkExtractor extractor(options, report);
  Url url;
  parse_url("http://host.docs.example/some/folder/page.html", url);
  Capture capture;
  for (const std::string_view page : pages) {
    capture.clear();
    extractor.extract(page, "", url, capture);
    run.items += capture.links.size();
    run.bytes += page.size();
  }
}

// The same job as warc2edges.py: resolved, sorted, unique "source \t target" lines in a file.
class EdgeSink : public PartSink {
 public:
  explicit EdgeSink(std::vector<std::string>& all) : all_(all) {}
  void take(Capture& capture) override {
    for (std::size_t i = 0; i < capture.links.size(); ++i) {
      lines_.push_back(capture.sighting.url);
      lines_.back().append(1, '\t').append(capture.links[i].target).append(1, '\n');
    }
  }
  [[nodiscard]] std::size_t buffered_bytes() const override { return lines_.size() * 150; }
  void flush() override {
    all_.insert(all_.end(), std::make_move_iterator(lines_.begin()),
                std::make_move_iterator(lines_.end()));
    lines_.clear();
  }

 private:
  std::vector<std::string>& all_;
  std::vector<std::string> lines_;
};

void write_edges(const std::string& path, unsigned threads, const std::string& out, Run& run) {
  ReadOptions read_options;
  read_options.kinds = LinkKind::Navigation;
  ParallelOptions options;
  options.work.threads = threads;
  std::vector<std::string> lines;
  read_inputs({path}, read_options, options,
              [&](std::size_t) { return std::make_unique<EdgeSink>(lines); });
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  FileWriter writer = FileWriter::create(out);
  for (const std::string& line : lines) writer.write(line);
  writer.commit();
  run.items = lines.size();
}

// ---- the table ----------------------------------------------------------------------------------

struct Contestant {
  std::string name;
  std::function<Run()> run;
  Run best = {};
  bool ran = false;

  void round() {
    const Run now = run();
    best = ran ? better(best, now) : now;
    ran = true;
  }
  [[nodiscard]] double megabytes_per_second() const {
    return static_cast<double>(best.bytes) / best.cpu_seconds / 1e6;
  }
};

struct Ratio {
  std::string name;
  double value = 0;
  double target = 0;
};

std::string to_json(const std::map<std::string, Contestant>& all,
                    const std::vector<Ratio>& ratios) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("runs").begin_object();
  for (const auto& [key, contestant] : all) {
    json.key(key).begin_object().field("cpu_seconds", contestant.best.cpu_seconds);
    json.field("wall_seconds", contestant.best.wall_seconds).field("items", contestant.best.items);
    json.field("bytes", contestant.best.bytes).end_object();
  }
  json.end_object().key("ratios").begin_object();
  for (const Ratio& ratio : ratios) json.field(ratio.name, ratio.value);
  json.end_object().end_object();
  return text + "\n";
}

int run_bench(const Settings& settings) {
  Run ignored;
  command_output(
      {settings.source + "/bench/prepare.sh", settings.folder, settings.python, settings.shared},
      ignored);
  const std::string warc = settings.folder + "/miniweb.warc.gz";
  const std::string pages_path = settings.folder + "/pages.bin";
  const std::string pages_bytes = read_file(pages_path);
  const auto pages = cut_pages(pages_bytes);
  const std::string edges = settings.folder + "/edges.tsv";
  const auto edges_with = [&](unsigned threads) {
    return timed([&](Run& run) {
      write_edges(warc, threads, edges, run);
      run.bytes = pages_bytes.size();
    });
  };

  std::map<std::string, Contestant> all;
  all["1a"] = {"WARC records with payloads: webstrata",
               [&] { return timed([&](Run& run) { iterate(warc, run); }); }};
  all["1b"] = {"WARC records with payloads: fastwarc", [&] {
                 return peer(settings, {"iterate", warc});
               }};
  all["2a"] = {"references found in HTML: webstrata",
               [&] { return timed([&](Run& run) { find_references(pages, run); }); }};
  all["2b"] = {"links, resolved: webstrata",
               [&] { return timed([&](Run& run) { extract_links(pages, run); }); }};
  all["2c"] = {"a[href]: selectolax (lexbor tree)", [&] {
                 return peer(settings, {"lexbor", pages_path, "4"});
               }};
  all["3a"] = {"WARC to sorted unique links, 1 thread", [&] { return edges_with(1); }};
  all["3b"] = {"WARC to sorted unique links, 2 threads", [&] { return edges_with(2); }};
  all["3c"] = {"the same in Python (warc2edges.py fast)", [&] {
                 Run run;
                 const std::string out =
                     command_output({settings.python, settings.shared + "/peers/warc2edges.py",
                                     warc, settings.folder + "/peer.tsv", "fast"},
                                    run);
                 const auto at = out.find("edges ");
                 run.items = at == std::string::npos ? 0 : std::stoull(out.substr(at + 6));
                 run.bytes = pages_bytes.size();
                 return run;
               }};

  for (int round = 0; round < settings.rounds; ++round) {
    for (auto& [key, contestant] : all) contestant.round();
  }
  fmt::print("{:44} {:>8} {:>8} {:>9} {:>10}\n", "", "cpu s", "wall s", "MB/s cpu", "items");
  for (const auto& [key, contestant] : all) {
    fmt::print("{:44} {:8.3f} {:8.3f} {:9.0f} {:10}\n", contestant.name,
               contestant.best.cpu_seconds, contestant.best.wall_seconds,
               contestant.megabytes_per_second(), contestant.best.items);
  }
  const auto cpu = [&](const char* key) { return all.at(key).best.cpu_seconds; };
  const auto wall = [&](const char* key) { return all.at(key).best.wall_seconds; };
  const std::vector<Ratio> ratios = {
      {"WARC iteration against fastwarc", cpu("1b") / cpu("1a"), 1.3},
      {"finding references, MB/s / 500", all["2a"].megabytes_per_second() / 500, 1},
      {"extracting links, MB/s / 500", all["2b"].megabytes_per_second() / 500, 1},
      {"extracting links against lexbor",
       all["2b"].megabytes_per_second() / all["2c"].megabytes_per_second(), 1},
      {"pipeline against Python, 1 thread", cpu("3c") / cpu("3a"), 5},
      {"pipeline against Python, 2 threads (wall)", wall("3c") / wall("3b"), 8},
      {"two threads against one (wall)", wall("3a") / wall("3b"), 1.7},
  };
  fmt::print("\n{:44} {:>8} {:>8}\n", "", "ratio", "target");
  for (const Ratio& ratio : ratios) {
    fmt::print("{:44} {:8.2f} {:8.2f}\n", ratio.name, ratio.value, ratio.target);
  }
  if (!settings.json.empty()) write_file(settings.json, to_json(all, ratios));
  return 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
  Settings settings;
  CLI::App app("Reading crawls, against the peers in the same run");
  app.add_option("--rounds", settings.rounds, "Runs of each contestant; the best counts");
  app.add_option("--shared", settings.shared, "Folder with data/miniweb and peers");
  app.add_option("--python", settings.python, "Python with tests/requirements.txt installed");
  app.add_option("--folder", settings.folder, "Where the data is made");
  app.add_option("--json", settings.json, "Write the numbers to this file too");
  CLI11_PARSE(app, argument_count, arguments);
  try {
    return run_bench(settings);
  } catch (const Error& error) {
    fmt::print(stderr, "capture_bench: {}\n", error.what());
    return 2;
  }
}
