// SPDX-License-Identifier: Apache-2.0

// Reading, judging and committing are separate steps: all inputs are read before anything is
// decided, so that --strict and inputs that hold nothing leave the archive unchanged, and every
// damaged input is reported.
// Tested by tests/cli/archive_law_test.py and tests/cli/archive_bad_use_test.py.

#include "webstrata/cli/flags/write_flags.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/base/error.h"
#include "webstrata/base/human.h"
#include "webstrata/capture/remote/object_list.h"
#include "webstrata/cli/frame/input_report.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/intake/take_in.h"
#include "webstrata/intake/take_in_graph.h"
#include "webstrata/jobs/topic_columns.h"
#include "webstrata/show/archive_counts.h"
#include "webstrata/words/amounts.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

// What readers may hold back while they wait for their turn, as a share of all memory.
constexpr std::size_t kBufferedShare = 8;

std::string summary_json(const WriteFlags& flags, const std::vector<InputSummary>& summaries,
                         const WriteSummary& written) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("archive", flags.archive).field("changed", written.is_changed);
  append_counts(json, written.manifest);
  json.field("runs", written.runs).field("blocks_copied", written.blocks_copied);
  append_counts(json.key("left_out"), written.left_out);
  json.key("inputs").begin_array();
  for (const InputSummary& summary : summaries) append_stats(json, summary);
  json.end_array().end_object();
  return line + "\n";
}

void tell_archive(const WriteFlags& flags, const WriteSummary& written) {
  for (const auto& [what, times] : written.left_out.counts()) {
    complain(fmt::format("{}: {}", what, human_number(times)));
  }
  if (!written.is_changed) {
    complain(fmt::format("{}: unchanged: {}", flags.archive,
                         written.runs == 0 ? "everything in the inputs is left out"
                                           : "it already has everything in the inputs"));
  }
  if (written.has_forgotten) {
    complain(fmt::format("{}: what a joined archive has forgotten was deleted", flags.archive));
  }
  const ArchiveCounts& counts = written.manifest.counts;
  complain(fmt::format("{}: generation {}: {} pages, {} captures, {} links, {}", flags.archive,
                       written.manifest.generation, human_number(counts.pages),
                       human_number(counts.captures), human_number(counts.links),
                       human_amount(bytes_of(written.manifest), "B")));
}

}  // namespace

void declare_resource_flags(FlagSet& app, WriteFlags& flags) {
  app.add_option("--memory", flags.memory,
                 "Maximum memory in bytes, at least 128M (default: a quarter of the machine's)")
      ->type_name("BYTES");
  app.add_option("--threads", flags.threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.add_option("--temp", flags.temp, "Folder for scratch files (default: inside the archive)")
      ->type_name("FOLDER");
}

void declare_write_flags(FlagSet& app, WriteFlags& flags) {
  app.add_option("ARCHIVE", flags.archive, "Folder of the archive")->required();
  app.add_option("INPUT", flags.inputs,
                 "Crawl files and folders of them, also https:// and s3://; archives; - for "
                 "standard input; "
                 "@FILE for a list of files");
  app.group("Format of the archive");
  app.add_option("--range", flags.fixed.range,
                 "Length of the time ranges of in-links: 1d, 30d, 1y or ever (default 30d)")
      ->type_name("LENGTH");
  app.add_option("--links", flags.fixed.links,
                 "Kinds of links to store: graph (navigation, redirects and refreshes), all, or a "
                 "list such as navigation,embed (default graph)")
      ->type_name("KINDS");
  app.add_option("--digests", flags.fixed.digests,
                 "Digests of payloads to store: full, 64bit or none (default full)")
      ->one_of({"full", "64bit", "none"})
      ->type_name("HOW");
  app.add_option("--schemes", flags.fixed.schemes,
                 "Schemes of URLs to store: web (http, https and ftp) or all (default web)")
      ->one_of({"web", "all"})
      ->type_name("WHICH");
  app.add_flag("--compact", flags.compact,
               "Make the links layers smaller; they are slower to write and to read");
  for (const LayerEntry& entry : layer_table()) {
    if (!entry.is_optional) continue;
    app.add_flag(fmt::format("--{}", entry.name), flags.optional_layers[entry.layer],
                 std::string(entry.help));
  }
  app.group(kGeneralGroup);
  declare_resource_flags(app, flags);
  app.group("Input");
  declare_include(app, flags.include);
  app.add_option("--crawl", flags.crawl, "Name of the crawl, stored with every sighting")
      ->type_name("NAME");
  app.add_option("--graph", flags.graphs,
                 "Import a graph file as what was captured at DATE: BVGraph with names, or Common "
                 "Crawl's vertices and edges; may be repeated")
      ->repeatable()
      ->type_name("GRAPH@DATE");
  app.add_option("--graph-names", flags.graph_names,
                 "Names of the nodes of a --graph, one file for each, in the same order (default: "
                 "GRAPH.urls.gz or GRAPH-vertices.txt.gz)")
      ->repeatable()
      ->type_name("FILE");
  declare_topics(app, flags.topics,
                 "Score pages and links for the topic in FILE, and store the scores");
  app.add_flag("--strict", flags.strict,
               "Leave the archive unchanged if an input is damaged or cannot be read");
  app.group("Output");
  app.add_flag("--json", flags.json, "Print a summary as one JSON object");
  app.add_flag("-q,--quiet", flags.quiet, "Print no progress and no summary")->group(kGeneralGroup);
}

ArchiveWords archive_words_of(const WriteFlags& flags) {
  ArchiveWords words = flags.fixed;
  if (flags.compact) words.compact = true;
  for (const auto& [layer, is_wanted] : flags.optional_layers) {
    if (is_wanted) words.layers.emplace_back(to_string(layer));
  }
  return words;
}

WriteOptions write_options_of(const WriteFlags& flags, ProgressLine& line) {
  WriteOptions options;
  if (!flags.memory.empty()) options.memory_bytes = parse_bytes_word("--memory", flags.memory);
  options.work.threads = flags.threads;
  options.temp = flags.temp;
  options.work.progress = [&line](const Progress& progress) { line.show(progress); };
  options.work.cancel = &interruption();
  return options;
}

std::unique_ptr<TopicScorer> topics_of(const WriteFlags& flags) {
  return load_topics(flags.topics);
}

WriteInputs inputs_of(const WriteFlags& flags) {
  WriteInputs inputs;
  inputs.graphs = dated_graphs_of("--graph", flags.graphs, "--graph-names", flags.graph_names);
  if (flags.inputs.empty() && inputs.graphs.empty()) {
    throw Error(ErrorKind::BadInput, "INPUT is missing: name crawl files, or graphs with --graph");
  }
  if (!flags.inputs.empty()) {
    SortedInputs sorted = sort_inputs(
        with_objects_listed(expand_inputs(flags.inputs, flags.include, ArchiveInputs::Kept)));
    inputs.archives = std::move(sorted.archives);
    inputs.files = std::move(sorted.files);
  }
  return inputs;
}

namespace {

// Tells the writer which columns the topics fill. An archive that is updated may have them already.
void prepare_topics(ArchiveWriter& writer, TopicScorer& topics, const WriteFlags& flags,
                    const std::vector<std::string>& inputs, const TakeInOptions& options) {
  const bool is_update =
      std::filesystem::exists(std::filesystem::path(flags.archive) / kManifestName);
  std::optional<Archive> before;
  if (is_update) before = Archive::open(flags.archive);
  learn_frequencies(topics, inputs, read_options_of(writer.options(), options.crawl),
                    options.parallel, before ? &*before : nullptr);
  writer.score_columns(columns_of(topics));
}

}  // namespace

ExitCode take_in_and_tell(ArchiveWriter& writer, TopicScorer* topics, const WriteFlags& flags,
                          const WriteInputs& inputs, ProgressLine& line) {
  const WriteOptions write = write_options_of(flags, line);
  TakeInOptions options;
  options.crawl = flags.crawl;
  options.parallel.work = write.work;
  options.parallel.buffered_bytes_max = std::min(
      options.parallel.buffered_bytes_max, effective_memory(write.memory_bytes) / kBufferedShare);

  options.topics = topics;
  if (topics != nullptr) prepare_topics(writer, *topics, flags, inputs.files, options);
  auto summaries = take_in_archives(writer, inputs.archives);
  auto from_files = take_in(writer, inputs.files, options);
  judge(from_files);
  std::ranges::move(from_files, std::back_inserter(summaries));
  for (InputSummary& graph : take_in_graphs(writer, inputs.graphs, options)) {
    summaries.push_back(std::move(graph));
  }
  line.clear();
  tell_troubles(summaries, flags.quiet, "--json");
  const bool is_failed = failed(summaries, flags.strict);
  if (is_failed && flags.strict) {
    throw Error(ErrorKind::BadInput,
                "nothing was written: an input is damaged or cannot be read (--strict)");
  }
  if (!found_anything(summaries)) {
    if (is_failed) return ExitCode::Failed;
    complain(fmt::format("{}: not written: the inputs hold no captures and no sightings",
                         flags.archive));
    return ExitCode::FoundNothing;
  }
  const WriteSummary written = writer.commit();
  line.clear();
  if (flags.json) Output("").write(summary_json(flags, summaries, written));
  if (!flags.quiet) tell_summary(summaries);
  if (!flags.quiet) tell_archive(flags, written);
  return is_failed ? ExitCode::Failed : ExitCode::Done;
}

void update_and_tell(const std::filesystem::path& archive,
                     const std::vector<std::filesystem::path>& files, bool quiet,
                     ProgressLine& line) {
  WriteFlags flags;
  flags.archive = archive.string();
  flags.quiet = quiet;
  WriteInputs inputs;
  for (const auto& file : files) inputs.files.push_back(file.string());
  ArchiveWriter writer = ArchiveWriter::update(flags.archive, write_options_of(flags, line));
  take_in_and_tell(writer, nullptr, flags, inputs, line);
}

}  // namespace webstrata
