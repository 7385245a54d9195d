// Tested by tests/cli/words_test.cpp.

#include "webstrata/cli/words.h"

#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

[[noreturn]] void refuse(std::string_view flag, std::string_view word, std::string_view wanted) {
  throw Error(ErrorKind::BadInput, fmt::format("{} {}: {}", flag, word, wanted));
}

// The power of two behind a letter; 64 if it is none.
unsigned shift_of(std::string_view unit) {
  constexpr std::string_view kLetters = "KMGT";
  if (unit.empty()) return 0;
  const char letter =
      unit.front() >= 'a' ? static_cast<char>(unit.front() - 'a' + 'A') : unit.front();
  const std::size_t place = kLetters.find(letter);
  const bool is_unit =
      place != std::string_view::npos && (unit.size() == 1 || unit.substr(1) == "B");
  return is_unit ? 10 * (static_cast<unsigned>(place) + 1) : 64;
}

}  // namespace

LinkKinds parse_kinds_flag(std::string_view flag, std::string_view word) {
  if (word == "graph") return kGraphKinds;
  if (word == "all") return kAllKinds;
  const auto kinds = parse_link_kinds(word);
  if (kinds) return *kinds;
  refuse(flag, word,
         fmt::format("not graph, all, or a list of kinds such as {}",
                     to_string(LinkKind::Navigation | LinkKind::Embed)));
}

std::size_t parse_bytes_flag(std::string_view flag, std::string_view word) {
  std::size_t amount = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, amount);
  const unsigned shift = shift_of({rest, static_cast<std::size_t>(end - rest)});
  const bool is_amount = error == std::errc() && shift < 64 &&
                         amount <= std::numeric_limits<std::size_t>::max() >> shift;
  if (!is_amount) refuse(flag, word, "not an amount of memory such as 512M or 4G");
  return amount << shift;
}

TimeInterval parse_date_flag(std::string_view flag, std::string_view word) {
  const auto interval = parse_interval(word);
  if (!interval) refuse(flag, word, "not a date such as 2015, 2015-06 or 20150601120000");
  return *interval;
}

TimeInterval parse_dates_flag(std::string_view flag, std::string_view word) {
  const std::size_t dots = word.find("..");
  if (dots == std::string_view::npos) return parse_date_flag(flag, word);
  const std::string_view from = word.substr(0, dots);
  const std::string_view to = word.substr(dots + 2);
  TimeInterval interval = kEver;
  if (!from.empty()) interval.first = parse_date_flag(flag, from).first;
  if (!to.empty()) interval.last = parse_date_flag(flag, to).last;
  if (interval.first > interval.last) refuse(flag, word, "it ends before it begins");
  return interval;
}

Dialect parse_dialect_flag(std::string_view flag, std::string_view word) {
  const auto dialect = parse_dialect(word);
  if (!dialect) refuse(flag, word, "no such dialect");
  return *dialect;
}

}  // namespace webstrata
