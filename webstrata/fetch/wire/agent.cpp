// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/agent_test.cpp.

#include "webstrata/fetch/wire/agent.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"

namespace webstrata {
namespace {

bool is_name_byte(char c) noexcept {
  return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_';
}

// The number of leading bytes that may occur in the name of a host.
std::size_t name_length(std::string_view text) noexcept {
  const auto end = std::find_if_not(text.begin(), text.end(), is_name_byte);
  return static_cast<std::size_t>(end - text.begin());
}

// A dot with something on either side.
bool is_dotted_name(std::string_view text) noexcept {
  while (text.ends_with('.')) text.remove_suffix(1);
  const std::size_t dot = text.find('.');
  return dot != std::string_view::npos && dot > 0;
}

bool names_a_page(std::string_view agent) noexcept {
  for (const std::string_view scheme : {"http://", "https://"}) {
    for (std::size_t at = agent.find(scheme); at != std::string_view::npos;
         at = agent.find(scheme, at + 1)) {
      const std::string_view rest = agent.substr(at + scheme.size());
      if (is_dotted_name(rest.substr(0, name_length(rest)))) return true;
    }
  }
  return false;
}

bool names_a_mailbox(std::string_view agent) noexcept {
  for (std::size_t at = agent.find('@'); at != std::string_view::npos;
       at = agent.find('@', at + 1)) {
    const std::string_view rest = agent.substr(at + 1);
    if (at > 0 && is_name_byte(agent[at - 1]) &&
        is_dotted_name(rest.substr(0, name_length(rest)))) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool names_a_contact(std::string_view agent) noexcept {
  return names_a_page(agent) || names_a_mailbox(agent);
}

std::string checked_agent(std::string_view agent) {
  constexpr std::string_view kExample = "\"my-archive/1.0 (+https://archive.example/crawler)\"";
  agent = trim(agent);
  if (agent.empty()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("nothing is requested without a contact: give an agent such as {}", kExample));
  }
  if (std::any_of(agent.begin(), agent.end(), [](char c) { return c < 0x20 || c == 0x7f; })) {
    throw Error(ErrorKind::BadInput, "the agent must be one line of printable ASCII");
  }
  if (product_token(agent).empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("agent \"{}\": it must begin with a name made of letters, such as {}",
                            agent, kExample));
  }
  if (!names_a_contact(agent)) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("agent \"{}\" names no contact: add a mail address or a web page, as in {}",
                    agent, kExample));
  }
  return std::string(agent);
}

std::string_view product_token(std::string_view agent) noexcept {
  const auto end = std::find_if_not(agent.begin(), agent.end(),
                                    [](char c) { return is_letter(c) || c == '-' || c == '_'; });
  return agent.substr(0, static_cast<std::size_t>(end - agent.begin()));
}

}  // namespace webstrata
