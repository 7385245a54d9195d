// SPDX-License-Identifier: Apache-2.0

// Reads crawl files of any known format and prints one line per fact: time, outcome, links, url.
//
//   read_captures examples/sample/2021.warc.gz

#include <webstrata/base/error.h>
#include <webstrata/base/report.h>
#include <webstrata/base/time.h>
#include <webstrata/capture/formats/readers.h>
#include <webstrata/capture/stream/input_stream.h>
#include <webstrata/facts/outcome.h>
#include <webstrata/facts/sighting.h>

#include <filesystem>
#include <iostream>
#include <string>

namespace {

void print(const webstrata::Capture& capture) {
  const webstrata::Sighting& seen = capture.sighting;
  std::cout << webstrata::to_timestamp14(seen.time) << '\t' << to_string(seen.outcome) << '\t'
            << (capture.links_known ? std::to_string(capture.links.size()) : "-") << '\t'
            << seen.url << '\n';
}

void read(const std::filesystem::path& path) {
  webstrata::Report report;
  webstrata::InputStream in(path, report);
  const webstrata::ReaderEntry* format = webstrata::recognise(in);
  if (format == nullptr)
    throw webstrata::Error(webstrata::ErrorKind::BadInput, path.string() + ": unknown format");

  const webstrata::ReadOptions options;
  const auto reader = format->open({in, options, report, path.filename().string()});
  webstrata::Capture capture;  // used again for every fact, so that reading stops allocating
  while (reader->next(capture)) print(capture);

  std::cerr << path.string() << ": " << reader->record_count() << " records, "
            << report.damage_count() << " damaged places\n";
}

}  // namespace

int main(int argc, char** argv) try {
  for (int i = 1; i < argc; ++i) read(argv[i]);
} catch (const webstrata::Error& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
