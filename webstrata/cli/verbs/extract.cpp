// SPDX-License-Identifier: Apache-2.0

// webstrata extract: what crawl files hold, without an archive.
// Flags, topics, then one call of extract(): the work is in capture/extraction.h. The exit code
// depends on what all inputs gave together.
// Tested by tests/cli/extract_test.py and tests/cli/bad_use_test.py.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/capture/extraction.h"
#include "webstrata/capture/formats/readers.h"
#include "webstrata/capture/remote/object_list.h"
#include "webstrata/cli/flags/include_flag.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/flags/topic_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/input_report.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/intake/take_in.h"
#include "webstrata/jobs/topic_columns.h"
#include "webstrata/words/kinds.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

// csv has the lines of tsv.
struct ExtractForm {
  LineFormat format;
  bool is_csv;
};

struct ExtractFlags {
  std::vector<std::string> inputs;
  std::vector<std::string> include;
  ExtractForm form = {LineFormat::Jsonl, false};
  TableFlags table;
  std::string links = "graph";
  std::string key = "pywb";
  std::string schemes = "web";
  std::string output;
  std::string crawl;
  TopicFlags topics;
  unsigned threads = 0;
  bool text = false;
  bool context = false;
  bool title = false;
  bool stats = false;
  bool strict = false;
  bool quiet = false;
};

ReadOptions read_options_of(const ExtractFlags& flags) {
  ReadOptions options;
  options.kinds = parse_kinds_word("--links", flags.links);
  options.with_anchor_text = flags.text || flags.form.format == LineFormat::Tsv;
  options.with_context = flags.context;
  options.with_title = flags.title;
  options.keep_other_schemes = flags.schemes == "all";
  options.crawl = flags.crawl;
  return options;
}

std::string stats_line(const InputSummary& summary) {
  std::string line;
  JsonWriter json(line);
  append_stats(json, summary);
  return line + "\n";
}

ExitCode exit_code_of(const std::vector<InputSummary>& summaries, bool strict) {
  if (failed(summaries, strict)) return ExitCode::Failed;
  return found_anything(summaries) ? ExitCode::Done : ExitCode::FoundNothing;
}

// Null if there is no topic.
std::unique_ptr<TopicScorer> topics_of(const ExtractFlags& flags) {
  auto topics = load_topics(flags.topics);
  const bool wants_scores =
      flags.form.format == LineFormat::Scores || flags.form.format == LineFormat::LinkScores;
  if (wants_scores && (topics == nullptr || topics->topics().size() != 1)) {
    throw Error(ErrorKind::BadInput, "--as scores and --as link-scores need exactly one --topic");
  }
  if (topics != nullptr &&
      (flags.form.format == LineFormat::Tsv || flags.form.format == LineFormat::Cdxj)) {
    throw Error(ErrorKind::BadInput,
                "--topic: tsv, csv and cdxj cannot hold scores; use --as jsonl, scores or "
                "link-scores");
  }
  return topics;
}

// The columns of the forms that are tables.
void write_header(Output& output, const ExtractFlags& flags) {
  TableFlags table = flags.table;
  if (flags.form.is_csv) table.form = "csv";
  const LineFormat format = flags.form.format;
  Cells columns;
  if (format == LineFormat::Tsv) columns = {"time", "source", "target", "text"};
  if (format == LineFormat::Scores) columns = {"url", "score"};
  if (format == LineFormat::LinkScores) columns = {"source", "target", "score"};
  std::string header;
  if (!columns.empty()) TableWriter(columns, style_of(table, flags.output)).append_header(header);
  if (!header.empty()) output.write_heading(header);
}

ExitCode run(const ExtractFlags& flags) {
  const auto inputs = with_objects_listed(expand_inputs(flags.inputs, flags.include));
  const auto topics = topics_of(flags);
  ReadOptions read_options = read_options_of(flags);
  const ExtractOptions options{flags.form.format, parse_dialect_word("--key", flags.key),
                               !flags.stats, topics.get()};
  Output output(flags.output, WhenClosed::Stop);
  ProgressLine line(!flags.quiet);
  ParallelOptions parallel;
  parallel.work.threads = flags.threads;
  parallel.work.cancel = &interruption();
  parallel.work.progress = [&](const Progress& progress) { line.show(progress); };

  if (topics != nullptr) {
    learn_frequencies(*topics, inputs, read_options, parallel);
    read_options = topics->wanting(std::move(read_options));
  }
  if (!flags.stats) write_header(output, flags);
  auto summaries = extract(inputs, read_options, options, parallel, [&](std::string_view lines) {
    output.write(flags.form.is_csv ? csv_of_tabs(lines) : std::string(lines));
  });
  line.clear();
  judge(summaries);
  for (const InputSummary& summary : summaries) {
    if (flags.stats) output.write(stats_line(summary));
  }
  tell_troubles(summaries, flags.quiet, "--stats");
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

std::function<ExitCode()> declare_extract_command(FlagSet& app) {
  const auto flags = std::make_shared<ExtractFlags>();
  const std::vector<std::pair<std::string, ExtractForm>> formats = {
      {"jsonl", {LineFormat::Jsonl, false}},   {"tsv", {LineFormat::Tsv, false}},
      {"csv", {LineFormat::Tsv, true}},        {"cdxj", {LineFormat::Cdxj, false}},
      {"scores", {LineFormat::Scores, false}}, {"link-scores", {LineFormat::LinkScores, false}}};
  app.add_option("INPUT", flags->inputs,
                 "Crawl files and folders of them, also https:// and s3://; - for standard input; "
                 "@FILE for a list of files")
      ->required();
  app.group("Output");
  refuse_parquet(
      app.add_choice("--as", flags->form, formats,
                     "Form of the lines: jsonl, tsv, csv, cdxj, scores (URL, score) or link-scores "
                     "(source, target, score); the last two need one --topic (default jsonl)")
          ->type_name("FORM"));
  declare_header(app, flags->table);
  app.add_option("--links", flags->links,
                 "Kinds of links to print: graph (navigation, redirects and refreshes), all, or a "
                 "list such as navigation,embed (default graph)")
      ->type_name("KINDS");
  app.add_flag("--text", flags->text, "Add the anchor text of links (tsv always has it)");
  app.add_flag("--context", flags->context, "Add the 100 characters of text around each link");
  app.add_flag("--title", flags->title, "Add the titles of pages");
  declare_topics(app, flags->topics, "Add scores of pages and links for the topic in FILE");
  app.add_option("--schemes", flags->schemes,
                 "Schemes of URLs to print: web (http, https and ftp) or all (default web)")
      ->one_of({"web", "all"})
      ->type_name("WHICH");
  app.add_option("--key", flags->key,
                 "Dialect of cdxj keys: pywb, ia, cdxj or exact (default pywb)")
      ->type_name("DIALECT");
  app.group("Input");
  declare_include(app, flags->include);
  app.add_option("--crawl", flags->crawl, "Name of the crawl, added to every line")
      ->type_name("NAME");
  app.group("Output");
  app.add_flag("--stats", flags->stats, "Print one JSON object per input instead of lines");
  app.group("Input");
  app.add_flag("--strict", flags->strict, "Exit with code 2 if an input is damaged");
  app.group("Output");
  app.add_option("-o,--output", flags->output,
                 "Write to FILE, which appears only when it is complete (default: standard output)")
      ->type_name("FILE");
  app.add_option("--threads", flags->threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.add_flag("-q,--quiet", flags->quiet, "Print no progress and no summary")
      ->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

}  // namespace

Command extract_command() {
  static const std::string description = fmt::format(
      "Formats, recognised by content, plain or compressed with gzip, lz4 or zstd:\n{}\n"
      "Damaged places are reported and skipped. Exit: 0 done, 1 nothing found, 2 an input could\n"
      "not be read (or, with --strict, was damaged).\n\n"
      "Examples:\n"
      "  webstrata extract examples/sample/2021.warc.gz | head\n"
      "  webstrata extract --as tsv --links all crawl/*.warc.gz > links.tsv\n"
      "  webstrata extract --stats @files.txt\n"
      "  webstrata extract --as cdxj new.warc.gz | LC_ALL=C sort > new.cdxj\n"
      "  webstrata extract --topic bridges.topic --as link-scores crawl/*.warc.gz > links.tsv",
      format_list());
  return {"extract", "Print the captures and links of crawl files", description,
          declare_extract_command};
}

}  // namespace webstrata
