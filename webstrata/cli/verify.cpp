// webstrata verify: is everything in an archive as it was written?
// Tested by tests/cli/ask_test.py.

#include "webstrata/archive/verify.h"

#include <memory>
#include <string>

#include <fmt/format.h>

#include "webstrata/base/json.h"
#include "webstrata/cli/command.h"
#include "webstrata/cli/output.h"
#include "webstrata/cli/terminal.h"

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
  json.end_array().end_object();
  return out + "\n";
}

std::string to_lines(const VerifyResult& result) {
  std::string out;
  for (const std::string& problem : result.problems) out += problem + "\n";
  return out;
}

ExitCode run(const VerifyFlags& flags) {
  ProgressLine line(!flags.quiet);
  VerifyOptions options;
  options.threads = flags.threads;
  options.progress = [&](const Progress& progress) { line.show(progress); };
  options.cancel = &interruption();
  const VerifyResult result = verify(flags.archive, options);
  line.clear();
  Output("").write(flags.json ? to_json(result) : to_lines(result));
  if (!result.is_clean()) {
    complain(fmt::format("{}: problems found: {}; restore it from a copy or build it anew",
                         flags.archive, human_number(result.problems.size())));
    return ExitCode::Failed;
  }
  if (!flags.quiet) {
    complain(fmt::format("{}: sound: {} files, {} blocks, {}", flags.archive,
                         human_number(result.files), human_number(result.blocks),
                         human_amount(result.bytes, "B")));
  }
  return ExitCode::Done;
}

std::function<ExitCode()> declare(FlagSet& app) {
  const auto flags = std::make_shared<VerifyFlags>();
  app.add_option("ARCHIVE", flags->archive, "Folder of the archive")->required();
  app.add_option("--threads", flags->threads, "Threads; default: one for each core");
  app.add_flag("--json", flags->json, "One JSON object");
  app.add_flag("-q,--quiet", flags->quiet, "Only the problems");
  return [flags] { return run(*flags); };
}

}  // namespace

Command verify_command() {
  return {"verify", "Check every checksum and invariant of an archive",
          "Prints one line for each problem, naming file and block. Exit: 0 sound, 2 not.\n\n"
          "Example:\n  webstrata verify lib.ws",
          declare};
}

}  // namespace webstrata
