// SPDX-License-Identifier: Apache-2.0

// webstrata verify: is everything in an archive as it was written?
// Tested by tests/cli/ask_test.py.

#include "webstrata/archive/verify.h"

#include <memory>
#include <string>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/base/json.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/words/dated_archive.h"

namespace webstrata {
namespace {

struct VerifyFlags {
  std::string archive;
  unsigned threads = 0;
  bool json = false;
  bool quiet = false;
};

std::string to_json(const VerifyResult& result) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().field("clean", result.is_clean()).field("files", result.files);
  json.field("blocks", result.blocks).field("bytes", result.bytes).key("problems").begin_array();
  for (const std::string& problem : result.problems) json.value(problem);
  json.end_array().key("interrupted").begin_array();
  for (const std::string& problem : result.interrupted) json.value(problem);
  json.end_array().key("unchecked").begin_array();
  for (const std::string& what : result.unchecked) json.value(what);
  json.end_array().end_object();
  return out + "\n";
}

std::string to_lines(const VerifyResult& result) {
  std::string out;
  for (const std::string& problem : result.problems) out += problem + "\n";
  return out;
}

// What to do next. A copy may be older than a forget, so that is never the advice where to run a
// command again is enough.
std::string advice(const VerifyResult& result) {
  if (!result.interrupted.empty()) {
    return result.is_damaged()
               ? fmt::format("interrupted: {} of them; run the command again, then verify again",
                             human_number(result.interrupted.size()))
               : "interrupted; run the command again";
  }
  return result.has_tombstones
             ? "restore it from a copy made after the last forget (an older one brings back what "
               "was forgotten); an archive built again forgets nothing until you repeat every "
               "forget"
             : "restore it from a copy or build it again";
}

ExitCode run(const VerifyFlags& flags) {
  ProgressLine line(!flags.quiet);
  WorkOptions options;
  options.threads = flags.threads;
  options.progress = [&](const Progress& progress) { line.show(progress); };
  options.cancel = &interruption();
  const VerifyResult result =
      verify(undated_archive(flags.archive, "verify checks all of an archive"), options);
  line.clear();
  Output("").write(flags.json ? to_json(result) : to_lines(result));
  for (const std::string& what : result.unchecked) complain(what, Tone::Warning);
  if (!result.is_clean()) {
    complain(fmt::format("{}: problems found: {}; {}", flags.archive,
                         human_number(result.problems.size()), advice(result)),
             Tone::Error);
    return ExitCode::Failed;
  }
  if (!flags.quiet) {
    complain(fmt::format("{}: valid: {} files, {} blocks, {}", flags.archive,
                         human_number(result.files), human_number(result.blocks),
                         human_amount(result.bytes, "B")));
  }
  return ExitCode::Done;
}

std::function<ExitCode()> declare_verify_command(FlagSet& app) {
  const auto flags = std::make_shared<VerifyFlags>();
  app.add_option("ARCHIVE", flags->archive, "Folder of the archive")->required();
  app.add_option("--threads", flags->threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.group("Output");
  app.add_flag("--json", flags->json, "Print one JSON object");
  app.add_flag("-q,--quiet", flags->quiet, "Print problems only")->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

}  // namespace

Command verify_command() {
  return {"verify", "Check every checksum and invariant of an archive",
          "Prints one line per problem, with file and block. Files left by a killed command are\n"
          "reported as interrupted: run that command again. Exit: 0 valid, 2 not valid.\n\n"
          "Example:\n  webstrata verify lib.ws",
          declare_verify_command};
}

}  // namespace webstrata
