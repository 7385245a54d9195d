// webstrata extract: what crawl files hold, without an archive.
// Tested by tests/cli/extract_test.py and tests/cli/bad_use_test.py.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/base/threads.h"
#include "webstrata/capture/extraction.h"
#include "webstrata/capture/readers.h"
#include "webstrata/cli/command.h"
#include "webstrata/cli/inputs.h"
#include "webstrata/cli/output.h"
#include "webstrata/cli/terminal.h"

namespace webstrata {
namespace {

struct ExtractFlags {
  std::vector<std::string> inputs;
  LineFormat format = LineFormat::Jsonl;
  std::string links = "graph";
  std::string key = "pywb";
  std::string schemes = "web";
  std::string output;
  std::string crawl;
  unsigned threads = 0;
  bool text = false;
  bool context = false;
  bool title = false;
  bool stats = false;
  bool strict = false;
  bool quiet = false;
};

LinkKinds kinds_of(const std::string& links) {
  if (links == "graph") return kGraphKinds;
  if (links == "all") return kAllKinds;
  const auto kinds = parse_link_kinds(links);
  if (kinds) return *kinds;
  throw Error(ErrorKind::BadInput,
              fmt::format("--links {}: not graph, all, or a list of kinds such as {}", links,
                          to_string(LinkKind::Navigation | LinkKind::Embed)));
}

ReadOptions read_options_of(const ExtractFlags& flags) {
  ReadOptions options;
  options.kinds = kinds_of(flags.links);
  options.with_anchor_text = flags.text || flags.format == LineFormat::Tsv;
  options.with_context = flags.context;
  options.with_title = flags.title;
  options.keep_other_schemes = flags.schemes == "all";
  options.crawl = flags.crawl;
  return options;
}

Dialect dialect_of(const std::string& name) {
  const auto dialect = parse_dialect(name);
  if (!dialect) throw Error(ErrorKind::BadInput, fmt::format("--key {}: no such dialect", name));
  return *dialect;
}

// One JSON object about one input.
std::string stats_line(const InputSummary& summary) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("file", summary.path).field("format", summary.format);
  json.field("records", summary.records).field("captures", summary.captures);
  json.field("sightings", summary.sightings).field("links", summary.links);
  json.field("bytes", summary.bytes).key("damaged").begin_array();
  for (const Damage& damage : summary.report.damages()) {
    json.begin_object().field("offset", damage.offset).field("reason", damage.reason).end_object();
  }
  json.end_array().field("damaged_count", summary.report.damage_count());
  json.field("resynchronised", summary.report.resynchronised_count());
  json.key("left_out").begin_object();
  for (const auto& [what, times] : summary.report.counts()) json.field(what, times);
  json.end_object();
  if (!summary.error.empty()) json.field("error", summary.error);
  json.end_object();
  return line + "\n";
}

// A file that no reader could get anything out of has failed, even if its first bytes looked good.
void judge(InputSummary& summary) {
  const bool is_hopeless = summary.records == 0 && summary.report.damage_count() > 0;
  if (summary.error.empty() && is_hopeless) {
    summary.error = fmt::format("{}: nothing in it can be read: {}", summary.path,
                                summary.report.damages().front().reason);
  }
}

void tell_damage(const InputSummary& summary) {
  constexpr std::size_t kShown = 3;
  const auto& damages = summary.report.damages();
  for (std::size_t i = 0; i < std::min(kShown, damages.size()); ++i) {
    complain(
        fmt::format("{}: damaged at {}: {}", summary.path, damages[i].offset, damages[i].reason));
  }
  if (summary.report.damage_count() > kShown) {
    complain(fmt::format("{}: {} more damaged places (--stats lists them)", summary.path,
                         human_number(summary.report.damage_count() - kShown)));
  }
}

// The last lines on standard error: how it went.
void tell_summary(const std::vector<InputSummary>& summaries) {
  InputSummary total;
  for (const InputSummary& summary : summaries) {
    total.records += summary.records;
    total.captures += summary.captures;
    total.sightings += summary.sightings;
    total.links += summary.links;
    total.report.merge(summary.report);
  }
  complain(fmt::format(
      "{} records: {} captures with {} links, {} other sightings, {} damaged "
      "places",
      human_number(total.records), human_number(total.captures), human_number(total.links),
      human_number(total.sightings), human_number(total.report.damage_count())));
  for (const auto& [what, times] : total.report.counts()) {
    complain(fmt::format("{}: {}", what, human_number(times)));
  }
}

ExitCode exit_code_of(const std::vector<InputSummary>& summaries, bool strict) {
  std::uint64_t found = 0;
  bool failed = false;
  for (const InputSummary& summary : summaries) {
    found += summary.captures + summary.sightings;
    failed = failed || !summary.error.empty() || (strict && summary.report.damage_count() > 0);
  }
  if (failed) return ExitCode::Failed;
  return found > 0 ? ExitCode::Done : ExitCode::FoundNothing;
}

ExitCode run(const ExtractFlags& flags) {
  const auto inputs = expand_inputs(flags.inputs);
  const ReadOptions read_options = read_options_of(flags);
  const ExtractOptions options{flags.format, dialect_of(flags.key), !flags.stats};
  Output output(flags.output);
  ProgressLine line(!flags.quiet);
  ParallelOptions parallel;
  parallel.threads = flags.threads;
  parallel.cancel = &interruption();
  parallel.progress = [&](const Progress& progress) { line.show(progress); };

  auto summaries = extract(inputs, read_options, options, parallel,
                           [&](std::string_view lines) { output.write(lines); });
  line.clear();
  for (InputSummary& summary : summaries) {
    judge(summary);
    if (flags.stats) output.write(stats_line(summary));
    if (!summary.error.empty()) complain(summary.error);
    if (summary.error.empty() && !flags.quiet) tell_damage(summary);
  }
  output.commit();
  if (!flags.quiet) tell_summary(summaries);
  return exit_code_of(summaries, flags.strict);
}

std::string format_list() {
  std::string text;
  for (const ReaderEntry& entry : readers()) {
    text += fmt::format("  {:10} {}\n", entry.name, entry.summary);
  }
  return text;
}

std::function<ExitCode()> declare(CLI::App& app) {
  const auto flags = std::make_shared<ExtractFlags>();
  const std::map<std::string, LineFormat> formats = {
      {"jsonl", LineFormat::Jsonl}, {"tsv", LineFormat::Tsv}, {"cdxj", LineFormat::Cdxj}};
  app.add_option("INPUT", flags->inputs, "Crawl files; - for standard input; @FILE for a list")
      ->required();
  app.add_option("--as", flags->format, "Form of the lines: jsonl (default), tsv, cdxj")
      ->transform(CLI::CheckedTransformer(formats).description(""))
      ->type_name("FORM");
  app.add_option("--links", flags->links,
                 "Kinds of links: graph (default: navigation, redirects, refreshes), all, or a "
                 "list such as navigation,embed")
      ->type_name("KINDS");
  app.add_flag("--text", flags->text, "Add the anchor text of links (always there in tsv)");
  app.add_flag("--context", flags->context, "Add the 100 characters of text around links");
  app.add_flag("--title", flags->title, "Add the title of pages");
  app.add_option("--schemes", flags->schemes,
                 "web (default) keeps http, https and ftp; all keeps mailto: and the rest verbatim")
      ->check(CLI::IsMember({"web", "all"}).description(""))
      ->type_name("WHICH");
  app.add_option("--key", flags->key, "Dialect of cdxj keys: pywb (default), ia, cdxj, exact")
      ->type_name("DIALECT");
  app.add_option("--crawl", flags->crawl, "Name of the crawl, put into every line");
  app.add_flag("--stats", flags->stats, "Print one JSON object for each input instead of lines");
  app.add_flag("--strict", flags->strict, "Exit with 2 if anything is damaged");
  app.add_option("-o,--output", flags->output,
                 "Write to FILE, which appears only when complete; default: standard output")
      ->type_name("FILE");
  app.add_option("--threads", flags->threads, "Threads; default: one for each core");
  app.add_flag("-q,--quiet", flags->quiet, "No progress, no summary");
  return [flags] { return run(*flags); };
}

}  // namespace

Command extract_command() {
  static const std::string description = fmt::format(
      "Formats, recognised by their bytes, plain or compressed with gzip or zstd:\n{}\n"
      "Damaged places are reported and passed over. Exit: 0 done, 1 nothing found, 2 an input\n"
      "could not be read (or, with --strict, was damaged).\n\n"
      "Examples:\n"
      "  webstrata extract examples/sample/2021.warc.gz | head\n"
      "  webstrata extract --as tsv --links all crawl/*.warc.gz > links.tsv\n"
      "  webstrata extract --stats @files.txt\n"
      "  webstrata extract --as cdxj new.warc.gz | LC_ALL=C sort > new.cdxj",
      format_list());
  return {"extract", "Print the captures and links of crawl files", description, declare};
}

}  // namespace webstrata
