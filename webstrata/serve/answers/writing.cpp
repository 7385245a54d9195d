// SPDX-License-Identifier: Apache-2.0

// Changes of an archive: captures are imported, URLs forgotten, strata merged. The archive's own
// lock lets one writer in at a time, and keeps the archive as it was if the server is killed. Half
// of the cores do the work, so that questions are answered meanwhile.
// Tested by tests/serve/writing_test.cpp and tests/serve/writing_test.py.

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <ranges>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/writer.h"
#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/base/threads.h"
#include "webstrata/capture/formats/readers.h"
#include "webstrata/capture/stream/fed_inputs.h"
#include "webstrata/intake/take_in.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/show/archive_counts.h"
#include "webstrata/show/forget_forms.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/forget_word.h"

namespace webstrata::serve {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr std::string_view kUploadName = "upload.jsonl";

WriteOptions write_options(const Question& question) {
  WriteOptions options;
  options.work = {.threads = std::max(1u, default_thread_count() / 2),
                  .cancel = question.request.cancel};
  return options;
}

// Errors that are no fault of the server or of the request.
template <typename Change>
Response changed(const Question& question, const Change& change) {
  try {
    return json_response(change(question.place->path));
  } catch (const ArchiveBusy&) {
    throw Problem(
        409, fmt::format("the archive {} is being changed already; try again when that is done",
                         question.place->name));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Cancelled) throw;
    throw Problem(503, "the server is stopping; look at the generation to see what was done");
  }
}

void append_archive(JsonWriter& json, const Manifest& manifest) {
  append_counts(json.key("archive").begin_object(), manifest);
  json.end_object();
}

// ---- update -------------------------------------------------------------------------------------

void check_lines(const std::string& body) {
  const std::string_view first(body.data(), std::min(body.size(), kRecogniseBytes));
  const ReaderEntry* const reader = recognise(first);
  if (reader == nullptr || reader->name != "jsonl") {
    throw Problem(400, "the body is not JSON lines of captures, such as webstrata extract prints");
  }
}

// Hands the body over while it is read.
InputSummary take_in_body(ArchiveWriter& writer, const Question& question) {
  FedInputs inputs({std::string(kUploadName)});
  std::thread feeder = start_thread([&inputs, &body = question.request.body] {
    std::size_t given = 0;
    while (const auto number = inputs.next()) {
      const std::string piece = body.substr(std::min(given, body.size()), kPieceBytes);
      given += piece.size();
      inputs.give(*number, piece);
    }
  });
  TakeInOptions options;
  options.crawl = question.text("crawl").value_or("");
  options.parallel.work = write_options(question).work;
  std::vector<InputSummary> summaries;
  std::exception_ptr failure;
  try {
    summaries = take_in(writer, inputs.names(), options);
    judge(summaries);
  } catch (...) {
    failure = std::current_exception();
  }
  inputs.close();
  feeder.join();
  if (failure) std::rethrow_exception(failure);
  return std::move(summaries.front());
}

void judge_body(const Question& question, const InputSummary& read) {
  const auto& damages = read.report.damages();
  const std::string first =
      damages.empty() ? std::string()
                      : fmt::format("; at byte {}: {}", damages.front().offset,
                                    damages.front().reason);
  if (read.captures + read.sightings == 0) {
    throw Problem(400, "the body holds no captures and no sightings" + first);
  }
  if (question.truth("strict") && !damages.empty()) {
    throw Problem(400, fmt::format("nothing was changed, since the body is damaged in {} places{}",
                                   read.report.damage_count(), first));
  }
}

void append_left_out(JsonWriter& json, const Report& report) {
  json.key("left_out").begin_object();
  for (const auto& [what, times] : report.counts()) json.field(what, times);
  json.end_object();
}

void append_report(JsonWriter& json, const InputSummary& read) {
  json.key("read").begin_object().field("records", read.records);
  json.field("captures", read.captures).field("sightings", read.sightings);
  json.field("links", read.links).field("bytes", read.bytes);
  append_left_out(json, read.report);
  json.field("damaged", read.report.damage_count()).key("damages").begin_array();
  for (const auto& damage : read.report.damages()) {
    json.begin_object().field("offset", damage.offset).field("reason", damage.reason).end_object();
  }
  json.end_array().end_object();
}

std::string update(const std::filesystem::path& archive, const Question& question) {
  ArchiveWriter writer = ArchiveWriter::update(archive, write_options(question));
  const InputSummary read = take_in_body(writer, question);
  judge_body(question, read);
  const WriteSummary written = writer.commit();
  std::string body;
  JsonWriter json(body);
  json.begin_object().field("changed", written.is_changed);
  json.field("generation", written.manifest.generation);
  append_report(json, read);
  append_left_out(json, written.left_out);
  append_archive(json, written.manifest);
  json.end_object();
  return body;
}

// ---- forget -------------------------------------------------------------------------------------

// The body of a forget: an object with the words of the command line.
class ForgetWords {
 public:
  explicit ForgetWords(const std::string& body) {
    if (parser_.parse(body).get(words_) != simdjson::SUCCESS) {
      throw Problem(400, R"(the body is not a JSON object such as {"url": ["example.org/*"]})");
    }
    for (const auto& [name, value] : words_) check_name(name);
  }

  [[nodiscard]] std::vector<std::string> list(std::string_view name) const {
    std::vector<std::string> found;
    simdjson::dom::element value;
    if (words_.at_key(name).get(value) != simdjson::SUCCESS) return found;
    simdjson::dom::array items;
    if (value.get(items) != simdjson::SUCCESS) refuse_kind(name, "a list of texts");
    for (const simdjson::dom::element item : items) {
      std::string_view text;
      if (item.get(text) != simdjson::SUCCESS || text.empty()) refuse_kind(name, "a list of texts");
      found.emplace_back(text);
    }
    if (found.empty()) refuse_kind(name, "a list with at least one text");
    return found;
  }
  [[nodiscard]] bool truth(std::string_view name) const {
    simdjson::dom::element value;
    if (words_.at_key(name).get(value) != simdjson::SUCCESS) return false;
    bool truth = false;
    if (value.get(truth) != simdjson::SUCCESS) refuse_kind(name, "true or false");
    return truth;
  }
  [[nodiscard]] std::optional<TimeInterval> date(std::string_view name) const {
    simdjson::dom::element value;
    if (words_.at_key(name).get(value) != simdjson::SUCCESS) return std::nullopt;
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) refuse_kind(name, "a date as text");
    return parse_date_word(std::string(name), std::string(text));
  }

 private:
  static constexpr std::array<std::string_view, 9> kNames = {
      "url", "prefix", "host", "from", "to", "exactly", "embedded", "force", "dry_run"};

  void check_name(std::string_view name) {
    if (std::ranges::find(kNames, name) == kNames.end()) {
      throw Problem(400, fmt::format("{}: not a field of this body, which has {}", name,
                                     fmt::join(kNames, ", ")));
    }
    if (!seen_.emplace(name).second) throw Problem(400, fmt::format("{} is given twice", name));
  }
  [[noreturn]] static void refuse_kind(std::string_view name, std::string_view kind) {
    throw Problem(400, fmt::format("{}: it must be {}", name, kind));
  }

  simdjson::dom::parser parser_;
  simdjson::dom::object words_;
  std::set<std::string, std::less<>> seen_;
};

std::optional<TimeInterval> interval_of(const ForgetWords& words) {
  const auto from = words.date("from");
  const auto to = words.date("to");
  if (!from && !to) return std::nullopt;
  const TimeInterval during = {from ? from->first : kEver.first, to ? to->last : kEver.last};
  if (during.first > during.last) throw Problem(400, "from is after to");
  return during;
}

std::vector<Forget> requests_of(const ForgetWords& words) {
  std::vector<Forget> requests;
  const auto during = interval_of(words);
  const bool exactly = words.truth("exactly");
  const auto add = [&](ForgetScope scope, std::string_view name) {
    for (const std::string& text : words.list(name)) {
      requests.push_back(parse_forget_word(scope, text, exactly));
      requests.back().during = during;
    }
  };
  static const std::map<std::string_view, ForgetScope> kScopes = {
      {"url", ForgetScope::Url}, {"prefix", ForgetScope::Prefix}, {"host", ForgetScope::Host}};
  for (const auto& [name, scope] : kScopes) add(scope, name);
  if (requests.empty()) {
    throw Problem(400, fmt::format("name what to forget: {}",
                                   fmt::join(std::views::keys(kScopes), ", ")));
  }
  return requests;
}

// The records are not cut: what is forgotten cannot be asked for again.
std::string forget_urls(const std::filesystem::path& archive, const Question& question) {
  const ForgetWords words(question.request.body);
  const std::vector<Forget> requests = requests_of(words);
  std::string records;
  std::vector<std::string> embedded;
  ForgetOptions options;
  options.embedded = words.truth("embedded");
  options.force = words.truth("force");
  options.write = write_options(question);
  options.on_record = [&](const ForgottenRecord& record) {
    if (!records.empty()) records += ',';
    records += as_json(record);
  };
  options.on_embedded = [&](const std::string& url) { embedded.push_back(url); };
  const ForgetResult result = words.truth("dry_run") ? preview_forget(archive, requests, options)
                                                     : forget(archive, requests, options);
  std::string body;
  JsonWriter json(body);
  json.begin_object().field("changed", result.is_changed);
  json.field("generation", result.manifest.generation).field("names", result.names);
  json.field("sightings", result.sightings).field("tombstones", result.tombstones);
  json.key("embedded").begin_array();
  for (const std::string& url : embedded) json.value(url);
  json.end_array();
  append_archive(json, result.manifest);
  json.end_object();
  body.pop_back();
  return body + ",\"records\":[" + records + "]}";
}

}  // namespace

Response answer_update(const Question& question) {
  check_lines(question.request.body);
  return changed(question,
                 [&](const std::filesystem::path& archive) { return update(archive, question); });
}

Response answer_forget(const Question& question) {
  return changed(question, [&](const std::filesystem::path& archive) {
    return forget_urls(archive, question);
  });
}

Response answer_compact(const Question& question) {
  return changed(question, [&](const std::filesystem::path& archive) {
    const WriteSummary summary = compact(archive, write_options(question));
    std::string body;
    JsonWriter json(body);
    json.begin_object().field("changed", summary.is_changed);
    json.field("generation", summary.manifest.generation);
    append_archive(json, summary.manifest);
    json.end_object();
    return body;
  });
}

}  // namespace webstrata::serve
