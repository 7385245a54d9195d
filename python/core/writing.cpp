// SPDX-License-Identifier: Apache-2.0

// Making and changing archives. Tested by tests/python/writing_test.py.

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>

#include "python/core/bindings.h"
#include "python/core/input_summaries.h"
#include "python/core/long_work.h"
#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/verify.h"
#include "webstrata/archive/writer.h"
#include "webstrata/intake/take_in_graph.h"
#include "webstrata/words/archive_words.h"
#include "webstrata/words/dated_graph.h"
#include "webstrata/words/forget_word.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

// What readers may hold back while they wait for their turn, as a share of all memory.
constexpr std::size_t kBufferedShare = 8;

struct RunWords {
  std::size_t memory = 0;
  unsigned threads = 0;
  std::filesystem::path temp;
  std::string crawl;
  bool skip_unreadable = false;
  bool strict = false;
  Merging merging = Merging::WhenDue;
  std::vector<DatedGraph> graphs = {};
};

WriteOptions write_options_of(const RunWords& words, LongWork& work) {
  return {words.memory, words.temp, {words.threads, work.progress(), work.cancel()}, words.merging};
}

struct Written {
  std::vector<InputSummary> inputs;
  WriteSummary summary;
};

// Throws if an input should have been readable and is not: then nothing is written.
void judge(const std::filesystem::path& archive, const std::vector<InputSummary>& inputs,
           const RunWords& words) {
  std::uint64_t facts = 0;
  for (const InputSummary& input : inputs) {
    facts += input.captures + input.sightings;
    const Report& report = input.report;
    const bool is_hopeless = input.records == 0 && report.damage_count() > 0;
    if (!input.error.empty() && !words.skip_unreadable) {
      throw Error(ErrorKind::Io, input.error + " (skip_unreadable=True continues without it)");
    }
    if (is_hopeless && !words.skip_unreadable) {
      throw Error(ErrorKind::BadInput,
                  input.path + ": nothing in it can be read: " + report.damages().front().reason +
                      " (skip_unreadable=True continues without it)");
    }
    if (words.strict && report.damage_count() > 0) {
      throw Error(ErrorKind::Corrupt, input.path + ": damaged at " +
                                          std::to_string(report.damages().front().offset) + ": " +
                                          report.damages().front().reason + " (strict)");
    }
  }
  if (facts == 0) {
    throw Error(ErrorKind::BadInput,
                "the inputs contain nothing to import into " + archive.string());
  }
}

Written take_in_all(ArchiveWriter& writer, const std::filesystem::path& archive,
                    const SortedInputs& inputs, const RunWords& words, LongWork& work) {
  TakeInOptions options;
  options.crawl = words.crawl;
  options.parallel.work = {words.threads, work.progress(), work.cancel()};
  options.parallel.buffered_bytes_max = std::min(options.parallel.buffered_bytes_max,
                                                 effective_memory(words.memory) / kBufferedShare);
  Written written;
  written.inputs = take_in_archives(writer, inputs.archives);
  std::ranges::move(take_in(writer, inputs.files, options), std::back_inserter(written.inputs));
  for (InputSummary& graph : take_in_graphs(writer, words.graphs, options)) {
    written.inputs.push_back(std::move(graph));
  }
  judge(archive, written.inputs, words);
  judge(written.inputs);  // what was skipped says why, as the program does
  written.summary = writer.commit();
  return written;
}

nb::dict dict_of(const Written& written) {
  nb::dict found;
  found["changed"] = written.summary.is_changed;
  found["generation"] = written.summary.manifest.generation;
  found["pages"] = written.summary.manifest.counts.pages;
  found["captures"] = written.summary.manifest.counts.captures;
  found["links"] = written.summary.manifest.counts.links;
  found["left_out"] = counts_of(written.summary.left_out);
  found["inputs"] = summaries_of(written.inputs);
  return found;
}

nb::dict build(const std::filesystem::path& archive, const std::vector<std::string>& inputs,
               const ArchiveWords& fixed, const RunWords& words, nb::object progress) {
  LongWork work(std::move(progress));
  return dict_of(work.run([&] {
    const SortedInputs sorted = sort_inputs(inputs);
    const ArchiveOptions like =
        sorted.archives.empty() ? ArchiveOptions() : options_of_archive(sorted.archives.front());
    ArchiveWriter writer = ArchiveWriter::create(archive, archive_options_of(fixed, like),
                                                 write_options_of(words, work));
    return take_in_all(writer, archive, sorted, words, work);
  }));
}

nb::dict update(const std::filesystem::path& archive, const std::vector<std::string>& inputs,
                const ArchiveWords& fixed, const RunWords& words, nb::object progress) {
  LongWork work(std::move(progress));
  return dict_of(work.run([&] {
    ArchiveWriter writer = ArchiveWriter::update(archive, write_options_of(words, work));
    if (archive_options_of(fixed, writer.options()) != writer.options()) {
      throw Error(ErrorKind::BadInput,
                  archive.string() +
                      " was built with other options (see info()): leave range, "
                      "links, digests, schemes and compact out, or build a new archive");
    }
    return take_in_all(writer, archive, sort_inputs(inputs), words, work);
  }));
}

bool compact_archive(const std::filesystem::path& archive, std::size_t memory, unsigned threads,
                     nb::object progress) {
  LongWork work(std::move(progress));
  return work.run([&] {
    return compact(archive, {memory, {}, {threads, work.progress(), work.cancel()}}).is_changed;
  });
}

Forget request_of(std::string_view scope, const std::string& text, bool exactly,
                  const std::optional<Interval>& during) {
  const ForgetScope named = scope == "host"     ? ForgetScope::Host
                            : scope == "prefix" ? ForgetScope::Prefix
                                                : ForgetScope::Url;
  Forget request = parse_forget_word(named, text, exactly);
  if (during) request.during = interval_of(*during);
  return request;
}

using FileIdentity = std::pair<dev_t, ino_t>;

// How many times this process has the archive open: every reader holds a descriptor of the folder
// of its generation. Descriptors are looked up in the system, not counted, so that those that a
// fork handed on are found, too. 0 where the system does not list them.
std::size_t open_count(const std::filesystem::path& archive) {
  struct stat status {};
  std::set<FileIdentity> generations;
  const Manifest manifest = Manifest::load(archive);
  std::vector<std::uint64_t> numbers = old_generations(archive, manifest);
  numbers.push_back(manifest.generation);
  for (const std::uint64_t number : numbers) {
    const std::filesystem::path folder = archive / generation_name(number);
    if (::stat(folder.c_str(), &status) == 0) generations.emplace(status.st_dev, status.st_ino);
  }
  std::size_t count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator at("/dev/fd", error), end; !error && at != end;
       at.increment(error)) {
    const int descriptor = std::atoi(at->path().filename().c_str());
    if (::fstat(descriptor, &status) != 0) continue;
    count += generations.count({status.st_dev, status.st_ino});
  }
  return count;
}

// What a forget does while an old generation has readers: it waits for other processes, but not
// for this one, nor for one that was forked from it and may wait for this one in turn.
class Waiting {
 public:
  Waiting(std::filesystem::path archive, LongWork& work, nb::object tell)
      : archive_(std::move(archive)), work_(work), tell_(std::move(tell)) {}

  void operator()(std::uint64_t generation, std::span<const pid_t> processes) {
    if (open_count(archive_) > 0) refuse("this process opened it during the forget");
    // A lock bears the name of the process that took it, whoever inherited it.
    const bool is_inherited = processes.size() == 1 && processes.front() == ::getpid();
    if (is_inherited) refuse("a process that was forked from this one has it open");
    if (generation == told_generation_) return;
    told_generation_ = generation;
    const std::vector<long> list(processes.begin(), processes.end());
    work_.in_python([&] { tell_(list); });
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw Error(ErrorKind::Io,
                archive_.string() + ": " + std::string(why) +
                    ", so the old files are still there; close it, then call forget again");
  }

  std::filesystem::path archive_;
  LongWork& work_;
  nb::object tell_;
  std::uint64_t told_generation_ = 0;
};

nb::dict forget_all(const std::filesystem::path& archive, const std::vector<Forget>& requests,
                    bool embedded, bool force, bool dry_run, std::size_t memory, unsigned threads,
                    nb::object progress, nb::object waiting) {
  LongWork work(std::move(progress));
  ForgetOptions options;
  options.embedded = embedded;
  options.force = force;
  options.write = {memory, {}, {threads, work.progress(), work.cancel()}};
  std::vector<ForgottenRecord> records;
  std::vector<std::string> embedding;
  options.on_record = [&](const ForgottenRecord& record) { records.push_back(record); };
  options.on_embedded = [&](const std::string& url) { embedding.push_back(url); };
  Waiting wait(archive, work, std::move(waiting));
  options.waiting = std::ref(wait);
  const ForgetResult result = work.run([&] {
    return dry_run ? preview_forget(archive, requests, options)
                   : forget(archive, requests, options);
  });
  nb::dict found;
  found["changed"] = result.is_changed;
  found["names"] = result.names;
  found["sightings"] = result.sightings;
  found["tombstones"] = result.tombstones;
  found["embedded"] = embedding;
  nb::list places;
  for (const ForgottenRecord& record : records) {
    places.append(
        nb::make_tuple(record.url, record.time, text_of(record.file), or_none(record.offset)));
  }
  found["records"] = places;
  return found;
}

nb::dict verify_all(const std::filesystem::path& archive, unsigned threads, nb::object progress) {
  LongWork work(std::move(progress));
  const VerifyResult result = work.run([&] {
    return verify(archive, {threads, work.progress(), work.cancel()});
  });
  nb::dict found;
  nb::list problems;
  for (const std::string& problem : result.problems) problems.append(text_of(problem));
  found["problems"] = problems;
  found["files"] = result.files;
  found["blocks"] = result.blocks;
  found["bytes"] = result.bytes;
  return found;
}

}  // namespace

void bind_writing(nb::module_& module) {
  nb::class_<RunWords>(module, "RunWords")
      .def(nb::init<std::size_t, unsigned, std::filesystem::path, std::string, bool, bool>(),
           "memory"_a = 0, "threads"_a = 0, "temp"_a = "", "crawl"_a = "",
           "skip_unreadable"_a = false, "strict"_a = false)
      .def("merge_later", [](RunWords& words) { words.merging = Merging::Later; })
      .def("merge_all", [](RunWords& words) { words.merging = Merging::All; })
      .def(
          "add_graph",
          [](RunWords& words, const std::string& word, const std::filesystem::path& names) {
            for (DatedGraph& graph : dated_snapshots_of("graphs:", word, names.string())) {
              words.graphs.push_back(std::move(graph));
            }
          },
          "word"_a, "names"_a = "")
      .def(
          "add_graph_at",
          [](RunWords& words, const std::filesystem::path& path, Time time,
             const std::filesystem::path& names) {
            recognise_graph(path);  // throws if there is nothing
            words.graphs.push_back({path, time, names});
          },
          "path"_a, "time"_a, "names"_a = "");
  module.def("build", build, "archive"_a, "inputs"_a, "fixed"_a, "words"_a, "progress"_a.none());
  module.def("update", update, "archive"_a, "inputs"_a, "fixed"_a, "words"_a, "progress"_a.none());
  module.def("compact", compact_archive, "archive"_a, "memory"_a, "threads"_a, "progress"_a.none());
  nb::class_<Forget>(module, "Forget")
      .def_static("of", request_of, "scope"_a, "text"_a, "exactly"_a = false,
                  "during"_a = nb::none());
  module.def("forget", forget_all, "archive"_a, "requests"_a, "embedded"_a, "force"_a, "dry_run"_a,
             "memory"_a, "threads"_a, "progress"_a.none(), "waiting"_a);
  module.def("open_count", open_count, "archive"_a);
  module.def(
      "undo_forget",
      [](const std::filesystem::path& archive, const std::vector<Forget>& requests) {
        return undo_forget(archive, requests);
      },
      "archive"_a, "requests"_a);
  module.def("verify", verify_all, "archive"_a, "threads"_a, "progress"_a.none());
}

}  // namespace webstrata
