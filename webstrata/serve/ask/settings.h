// SPDX-License-Identifier: Apache-2.0

// How `serve` was started, as far as its answers depend on it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata::serve {

inline constexpr std::string_view kReplayExample =
    "http://localhost:8080/coll/{timestamp}id_/{url}";

struct Settings {
  std::string base_path = "/";                    // begins and ends with a slash
  std::string token = {};                         // empty: none is needed
  bool reading_needs_token = true;                // if there is one
  bool is_writable = false;                       // archives may be changed, with the token
  std::size_t upload_bytes_max = std::size_t{64} << 20;
  std::vector<std::string> origins = {};          // that may read from a script (CORS); "*": all
  std::vector<std::string> trusted_proxies = {};  // addresses whose X-Forwarded-… headers count
  // Requests must name one of these hosts, or an address of loopback; "*": any. It keeps pages of
  // other sites from reading by a name that they point to this machine.
  std::vector<std::string> hosts = {};
  std::string replay = {};  // "https://…/{timestamp}id_/{url}"; empty: unknown
  std::uint64_t list_max = 100'000;
  std::size_t answers_bytes_max = std::size_t{64} << 20;  // kept for the same question, per archive
};

// Adds the slashes. Throws Error(BadInput) for what is not a path.
std::string parse_base_path(const std::string& word);

// The address of a memento. Throws Error(BadInput) from check_replay() unless it has {url} and
// {timestamp}.
void check_replay(const std::string& replay);
std::string memento_address(const std::string& replay, const std::string& timestamp,
                            const std::string& url);

}  // namespace webstrata::serve
