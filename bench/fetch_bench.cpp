// SPDX-License-Identifier: Apache-2.0

// What a frontier costs: URLS URLs of many hosts go into a ledger, in the order of a crawl, and
// wait there. Prints memory, time and disk.
//
//   fetch_bench [URLS]      default: 10,000,000

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "webstrata/fetch/crawl/crawl_order.h"
#include "webstrata/fetch/crawl/traps.h"
#include "webstrata/fetch/ledger/ledger.h"

using namespace webstrata;

namespace {

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::uint64_t disk_bytes(const std::filesystem::path& folder) {
  std::uint64_t sum = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) sum += entry.file_size();
  }
  return sum;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::uint64_t count = argument_count > 1 ? std::stoull(arguments[1]) : 10'000'000;
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("frontier-{}", ::getpid());
  const auto start = std::chrono::steady_clock::now();
  {
    const SystemClock clock;
    Ledger ledger = Ledger::create(folder, clock.now());
    Traps traps({});
    Url parsed;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string url = fmt::format("http://www.host{}.example/section-{}/article-{:x}.html",
                                          i % 9973, i % 31, i * 2654435761);
      parse_url(url, parsed);
      traps.refusal(parsed, 0);
      ledger.add(url, {.from = static_cast<UrlNumber>(i / 20), .depth = 3, .found = clock.now()});
      if (i % 2000 == 1999) ledger.commit(clock.now());
    }
    ledger.commit(clock.now());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::puts(fmt::format("{} urls wait: {:.0f} MB resident, {:.0f} MB at most, {:.0f} MB on disk, "
                          "{:.0f} urls/s",
                          ledger.waiting_count(), resident_bytes() / 1e6, peak_bytes() / 1e6,
                          disk_bytes(folder) / 1e6, static_cast<double>(count) / seconds)
                  .c_str());
  }
  std::filesystem::remove_all(folder);
  return 0;
}
