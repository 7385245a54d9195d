// SPDX-License-Identifier: Apache-2.0

// A list is made element by element: as JSON up to its limit, with one more to see whether it goes
// on; as lines or as batches of Arrow in pieces, while the client reads them.
// Tested by tests/serve/answers_test.cpp and tests/serve/arrow_test.py.

#include "webstrata/serve/ask/list_answer.h"

#include <fmt/format.h>

#include "webstrata/arrow/ipc.h"
#include "webstrata/base/json.h"

namespace webstrata::serve {
namespace {

// About how much JSON becomes one batch of rows.
constexpr std::size_t kBatchBytes = std::size_t{128} << 10;

std::string next_field(const std::string& resume) {
  std::string text = "\"next\":";
  append_json_string(text, resume);
  return text;
}

Response list_as_json(const Question& question, const ListAnswer& list) {
  std::string body = "{" + list.head;
  if (!list.head.empty()) body += ',';
  body += fmt::format("\"{}\":[", list.name);
  std::string next_key;
  for (std::uint64_t count = 0;; ++count) {
    if (count % 64 == 0) question.check_time();
    // One more than the limit says whether there are more.
    const std::string resume = count == list.limit ? list.resume() : std::string();
    const std::size_t before = body.size();
    if (count > 0) body += ',';
    const bool has_more = list.next(body);
    if (has_more && count < list.limit) continue;
    body.resize(before);
    if (has_more) next_key = resume;
    break;
  }
  body += ']';
  if (!next_key.empty()) body += "," + next_field(next_key);
  return json_response(body + "}\n");
}

Response list_as_lines(const Question& question, ListAnswer list, std::uint64_t limit) {
  Response response;
  response.content_type = kLinesType;
  // The stream outlives the question: it holds the generation itself.
  response.more = [held = question.served, list = std::move(list), limit,
                   count = std::uint64_t{0}](std::string& out) mutable {
    const std::string resume = count == limit ? list.resume() : std::string();
    const std::size_t before = out.size();
    if (!list.next(out)) return More::End;
    if (count == limit) {
      out.resize(before);
      out += "{" + next_field(resume) + "}\n";
      return More::End;
    }
    out += '\n';
    ++count;
    return More::Data;
  };
  return response;
}

// Batch after batch; the last one has a note where the list goes on.
class ArrowList {
 public:
  ArrowList(std::shared_ptr<const ServedArchive> held, ListAnswer list, std::uint64_t limit)
      : held_(std::move(held)), list_(std::move(list)), limit_(limit), rows_(list_.columns) {}

  void append_schema(std::string& out) { arrow::append_ipc_schema(out, rows_.finish()); }

  More append_batch(std::string& out) {
    std::size_t bytes = 0;
    while (bytes < kBatchBytes) {
      const std::string resume = count_ == limit_ ? list_.resume() : std::string();
      element_.clear();
      const bool has_more = list_.next(element_);
      if (!has_more || count_ == limit_) {
        arrow::IpcNotes notes;
        if (has_more) notes.emplace_back("next", resume);
        if (rows_.size() > 0 || has_more) arrow::append_ipc_batch(out, rows_.finish(), notes);
        arrow::append_ipc_end(out);
        return More::End;
      }
      ++count_;
      rows_.add(element_);
      bytes += element_.size();
    }
    arrow::append_ipc_batch(out, rows_.finish());
    return More::Data;
  }

 private:
  std::shared_ptr<const ServedArchive> held_;  // the generation
  ListAnswer list_;
  std::uint64_t limit_;
  std::uint64_t count_ = 0;
  ListRows rows_;
  std::string element_;
};

Response list_as_arrow(const Question& question, ListAnswer list, std::uint64_t limit) {
  Response response;
  response.content_type = kArrowType;
  const auto stream = std::make_shared<ArrowList>(question.served, std::move(list), limit);
  stream->append_schema(response.body);
  response.more = [stream](std::string& out) { return stream->append_batch(out); };
  return response;
}

Response list_in_form(const Question& question, ListAnswer list) {
  const ListForm form = form_of(question.request.accept);
  if (form == ListForm::Json) return list_as_json(question, list);
  const std::uint64_t limit = question.text("limit") ? list.limit : list.stream_limit;
  return form == ListForm::Lines ? list_as_lines(question, std::move(list), limit)
                                 : list_as_arrow(question, std::move(list), limit);
}

}  // namespace

ListForm form_of(std::string_view accept) noexcept {
  if (accepts_by_name(accept, kArrowType)) return ListForm::Arrow;
  const bool wants_lines =
      accepts_by_name(accept, kLinesType) || accepts_by_name(accept, "application/jsonl");
  return wants_lines ? ListForm::Lines : ListForm::Json;
}

Response list_response(const Question& question, ListAnswer list) {
  list.limit = question.whole("limit", 1, question.settings.list_max, list.limit);
  Response response = list_in_form(question, std::move(list));
  response.headers.emplace_back("Vary", "Accept, Accept-Encoding");
  return response;
}

}  // namespace webstrata::serve
