// SPDX-License-Identifier: Apache-2.0

// The way of a request: is it allowed (host, token, method), is it one of the fixed addresses
// (healthz, metrics, the page), else which route has it. The tag of the archive's generation is
// compared before anything is computed. Errors become problem documents here and nowhere else; what
// is wrong on this side of the line is logged, and the client is not shown names of files.
// Tested by tests/serve/service_test.cpp.

#include "webstrata/serve/service.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/text.h"
#include "webstrata/serve/ask/list_answer.h"
#include "webstrata/serve/guard.h"
#include "webstrata/serve/page_files.h"
#include "webstrata/serve/routes.h"
#include "webstrata/serve/wire/problem.h"

namespace webstrata::serve {
namespace {

Response plain_text(std::string text) {
  Response response;
  response.content_type = "text/plain; charset=utf-8";
  response.headers.emplace_back("Cache-Control", "no-store");
  response.body = std::move(text);
  return response;
}

std::size_t route_number(const Route* route) {
  return static_cast<std::size_t>(route - routes().data());
}

// The path below the base path, without its first slash; nothing if it is elsewhere.
std::optional<std::string_view> below_base(std::string_view path, const std::string& base) {
  if (path.size() + 1 == base.size() && base.starts_with(path)) return std::string_view();
  if (!path.starts_with(base)) return std::nullopt;
  return path.substr(base.size());
}

// With its quotation marks, since the tag of one form begins that of another.
bool has_tag(std::string_view if_none_match, std::string_view quoted_tag) {
  return if_none_match == "*" || if_none_match.find(quoted_tag) != std::string_view::npos;
}

// "http://host/base/", as the client sees it.
std::string base_of(const Request& request, const Settings& settings) {
  const bool is_proxied =
      std::find(settings.trusted_proxies.begin(), settings.trusted_proxies.end(), request.peer) !=
      settings.trusted_proxies.end();
  const bool has_host = is_proxied && is_host_header(request.forwarded_host);
  const std::string& host = has_host ? request.forwarded_host : request.host;
  const bool is_secure = is_proxied && equal_ignoring_case(request.forwarded_proto, "https");
  return fmt::format("{}://{}{}", is_secure ? "https" : "http",
                     is_host_header(host) ? host : std::string("localhost"), settings.base_path);
}

int status_of(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::BadInput:
      return 400;
    case ErrorKind::NotFound:
      return 404;
    case ErrorKind::Cancelled:
      return 503;
    case ErrorKind::Corrupt:
    case ErrorKind::Io:
      return 500;
  }
  return 500;
}

// What tells the forms of a list apart in tags.
std::string_view suffix_of(ListForm form) {
  switch (form) {
    case ListForm::Json:
      return "";
    case ListForm::Lines:
      return "-lines";
    case ListForm::Arrow:
      return "-arrow";
  }
  return "";
}

void check_accept(const Request& request, const Route& route, ListForm form) {
  const bool is_known = form != ListForm::Json || accepts(request.accept, route.content_type);
  if (is_known || !route.path.starts_with("api/")) return;
  const std::string lists =
      route.is_list ? fmt::format(", {} or {}", kLinesType, kArrowType) : std::string();
  throw Problem(406, fmt::format("this address answers with {}{}", route.content_type, lists));
}

[[noreturn]] void refuse_archive(std::string_view name) {
  throw Problem(404, fmt::format("no archive is called {}; api/v1/archives lists them", name));
}

constexpr std::string_view kTooLong = "the answer took too long; ask for less";
constexpr std::string_view kOurFault = "the server cannot read its data; its log has the reason";

}  // namespace

Service::Service(Archives& archives, Runs& runs, const Settings& settings, Logs logs,
                 const RecordedWeb* recorded)
    : archives_(archives),
      runs_(runs),
      recorded_(recorded),
      settings_(settings),
      logs_(std::move(logs)),
      metrics_(routes().size()) {}

// Errors become problem documents.
template <typename Step>
Response Service::guarded(const Request& request, const Step& step) const noexcept {
  const auto troubled = [&](std::string_view reason) {
    if (logs_.trouble) logs_.trouble(fmt::format("{}: {}", request.target, reason));
  };
  try {
    return step();
  } catch (const NeedsWorker&) {
    Response nothing;
    nothing.needs_worker = true;
    return nothing;
  } catch (const Problem& problem) {
    Response response = problem_response(problem.status(), problem.what());
    if (problem.status() == 401) {
      response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"webstrata\"");
      response.headers.emplace_back("WWW-Authenticate", "Basic realm=\"webstrata\"");
    }
    if (problem.status() == 405) response.headers.emplace_back("Allow", allowed_methods(request));
    return response;
  } catch (const Error& error) {
    const int status = status_of(error);
    if (status == 500) troubled(error.what());
    const std::string_view sentence = status == 500   ? kOurFault
                                      : status == 503 ? kTooLong
                                                      : std::string_view(error.what());
    return problem_response(status, sentence);
  } catch (const std::exception& error) {
    troubled(error.what());
    return problem_response(500, kOurFault);
  }
}

Response Service::answer(const Request& request) noexcept {
  Response response = guarded(request, [&] { return answer_or_throw(request); });
  add_cors(request, response);
  return response;
}

const Route* Service::route_of(const Request& request) const noexcept {
  const auto path = below_base(request.path(), settings_.base_path);
  return path ? match_route(*path) : nullptr;
}

BodyRule Service::body_rule(const Request& request) const noexcept {
  const Route* const route = route_of(request);
  if (route == nullptr || !route->is_writing || request.method != Method::Post) return {};
  bool may_write = false;
  Response refusal = guarded(request, [&] {
    check_host(request, settings_);
    check_may_write(request, settings_);
    may_write = true;
    return Response();
  });
  if (!may_write) return {0, std::move(refusal)};
  return {settings_.upload_bytes_max, std::nullopt};
}

std::string Service::allowed_methods(const Request& request) const {
  const Route* const route = route_of(request);
  const bool is_writing = route != nullptr && route->is_writing;
  return is_writing ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
}

// Whether a route that writes is asked for. Throws Problem 405 if the method is another one.
bool Service::is_change(const Request& request) const {
  const Route* const route = route_of(request);
  const bool is_writing = route != nullptr && route->is_writing;
  if (is_writing && request.method != Method::Post) {
    throw Problem(405, fmt::format("{} is not possible here: this address only takes POST",
                                   request.method_text));
  }
  if (!is_writing && request.method != Method::Get && request.method != Method::Head) {
    throw Problem(405, fmt::format("{} is not possible here: this address can only be read",
                                   request.method_text));
  }
  return is_writing;
}

Response Service::answer_or_throw(const Request& request) {
  check_host(request, settings_);
  const auto path = below_base(request.path(), settings_.base_path);
  if (!path) {
    throw Problem(404, fmt::format("nothing is served there; all addresses begin with {}",
                                   settings_.base_path));
  }
  if (request.method == Method::Options) {
    Response response;
    response.status = 204;
    response.headers.emplace_back("Allow", allowed_methods(request));
    return response;
  }
  if (is_change(request)) {
    check_may_write(request, settings_);
    return answer_change(request, *path);
  }
  if (*path == "healthz") return plain_text("ok\n");
  check_token(request, settings_);
  if (*path == "metrics") return plain_text(metrics_text());
  if (const PageFile* file = find_page_file(*path))
    return page_response(*file, request, settings_.base_path);
  return answer_route(request, *path);
}

// The question holds no generation: forget waits for those who do.
Response Service::answer_change(const Request& request, std::string_view path) {
  const auto found = find_route(path, request.query());
  Question question{request, settings_, archives_, runs_, recorded_};
  const std::string& name = found->places.find("archive")->second;
  question.place = archives_.place(name);
  if (question.place == nullptr) refuse_archive(name);
  Response response = computed(question, *found->route);
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

std::shared_ptr<const ServedArchive> Service::archive_of(const Question& question,
                                                         const Route& route) {
  const auto place = question.places.find("archive");
  const bool has_name = place != question.places.end();
  if (!has_name && route.path.starts_with("api/")) return nullptr;
  const std::string& name = has_name ? place->second : archives_.first_name();
  auto served = archives_.find(name);
  if (!served) refuse_archive(name);
  return served;
}

Response Service::answer_route(const Request& request, std::string_view path) {
  auto found = find_route(path, request.query());
  if (!found) {
    if (const PageFile* page = page_of_view(path))
      return page_response(*page, request, settings_.base_path);
    throw Problem(404, "there is no such address; api/v1/openapi.json lists those of the API");
  }
  const Route& route = *found->route;
  Question question{request, settings_, archives_, runs_, recorded_};
  question.places = std::move(found->places);
  question.tail = std::move(found->tail);
  question.served = archive_of(question, route);
  const ListForm form = route.is_list ? form_of(request.accept) : ListForm::Json;
  check_accept(request, route, form);
  if (!question.served) return computed(question, route);
  if (route.is_live) {
    Response response = computed(question, route);
    response.headers.emplace_back("Cache-Control", "no-store");
    return response;
  }
  const std::string tag = fmt::format("\"{}{}\"", question.served->tag, suffix_of(form));
  Response response;
  if (has_tag(request.if_none_match, tag)) {
    response.status = 304;
    if (route.is_list) response.headers.emplace_back("Vary", "Accept, Accept-Encoding");
  } else {
    response = form == ListForm::Json ? kept_or_computed(question, route)
                                      : computed(question, route);
  }
  response.headers.emplace_back("ETag", "W/" + tag);
  response.headers.emplace_back("Cache-Control", "no-cache");
  return response;
}

Response Service::computed(Question& question, const Route& route) const {
  question.base = base_of(question.request, settings_);
  const bool has_query = question.tail.empty();
  if (has_query) question.given = parse_query(question.request.query());
  check_parameters(route, question.given);
  return route.answer(question);
}

// Answers of the API about one generation depend on nothing but the address.
Response Service::kept_or_computed(Question& question, const Route& route) const {
  const std::string& target = question.request.target;
  const bool may_keep = route.path.starts_with("api/") && route.effort == Effort::Quick;
  if (!may_keep) return computed(question, route);
  if (const auto known = question.served->answers.find(target)) return *known;
  Response response = computed(question, route);
  question.served->answers.add(target, response, settings_.answers_bytes_max);
  return response;
}

Effort Service::effort_of(const Request& request) const noexcept {
  const Route* const route = route_of(request);
  if (route == nullptr) return Effort::Quick;
  if (route->is_writing) return request.method == Method::Post ? Effort::Long : Effort::Quick;
  // One URL is looked up at once; a wildcard may cover a whole site.
  const std::string_view query = request.query();
  const auto has = [&](std::string_view part) { return query.find(part) != query.npos; };
  const bool is_wide =
      has("*") || has("%2A") || has("%2a") || (route->path.ends_with("cdx") && has("matchType"));
  return is_wide ? Effort::Slow : route->effort;
}

void Service::ended(const Request& request, const Exchange& exchange) noexcept {
  try {
    const Route* const route = route_of(request);
    const std::size_t number = route == nullptr ? routes().size() : route_number(route);
    metrics_.count(number, exchange.status, exchange.seconds, exchange.bytes);
    if (!logs_.access) return;
    const std::string client =
        client_address(request.peer, request.forwarded_for, settings_.trusted_proxies);
    logs_.access(combined_log_line(request, client, exchange.status, exchange.bytes));
  } catch (const std::exception&) {  // a lost line of a log ends no request
  }
}

void Service::connections_changed(int change) noexcept { metrics_.change_connections(change); }

void Service::tick() noexcept {
  archives_.refresh();
  runs_.refresh();
}

std::string Service::metrics_text() {
  std::vector<std::string> names;
  for (const Route& route : routes()) names.emplace_back(route.path);
  names.emplace_back("other");
  std::string text = metrics_.text(names);
  text +=
      "# HELP webstrata_generation The generation of an archive that is served.\n"
      "# TYPE webstrata_generation gauge\n";
  for (const auto& served : archives_.all()) {
    text += fmt::format("webstrata_generation{{archive=\"{}\"}} {}\n", served->name,
                        served->archive.manifest().generation);
  }
  return text;
}

void Service::add_cors(const Request& request, Response& response) const {
  if (request.origin.empty()) return;
  const auto& origins = settings_.origins;
  const bool is_allowed =
      std::find(origins.begin(), origins.end(), request.origin) != origins.end();
  const bool all = std::find(origins.begin(), origins.end(), "*") != origins.end();
  if (!is_allowed && !all) return;
  response.headers.emplace_back("Access-Control-Allow-Origin", all ? "*" : request.origin);
  response.headers.emplace_back("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS");
  response.headers.emplace_back("Access-Control-Allow-Headers", "Authorization, Accept");
  response.headers.emplace_back("Access-Control-Expose-Headers", "ETag, Link");
  if (!all) response.headers.emplace_back("Vary", "Origin");
}

}  // namespace webstrata::serve
