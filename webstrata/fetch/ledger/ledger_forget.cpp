// SPDX-License-Identifier: Apache-2.0

// Names occur in records as a whole (a URL, a host) and inside text (the reason of an outcome, the
// name of a setting); both are checked.
// Tested by tests/fetch/ledger_test.cpp and tests/fetch/crawl_forget_test.cpp.

#include "webstrata/fetch/ledger/ledger_forget.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "webstrata/fetch/ledger/ledger.h"
#include "webstrata/fetch/ledger/ledger_keys.h"
#include "webstrata/fetch/ledger/ledger_records.h"

namespace webstrata {
namespace {

using namespace ledger_keys;

class Purge {
 public:
  Purge(LedgerStore& store, const std::function<bool(const Url&)>& is_forgotten)
      : store_(store), is_forgotten_(is_forgotten) {}

  std::uint64_t run() {
    urls();
    turned_away();
    charges();
    learned();
    places();
    robots();
    settings();
    if (changed_ > 0) store_.put(kResidue, "1");
    store_.commit();
    return changed_;
  }

 private:
  bool is_name_forgotten(std::string_view name) {
    return parse_url(name, url_) && is_forgotten_(url_);
  }
  // A host, as "www.example.org" or as the origin "http://www.example.org:8080".
  bool is_host_forgotten(std::string_view host) {
    const bool is_origin = host.find("://") != std::string_view::npos;
    return is_name_forgotten(fmt::format("{}{}/robots.txt", is_origin ? "" : "http://", host));
  }
  // Whether some URL inside the text is forgotten.
  bool mentions(std::string_view text) {
    for (std::size_t at = text.find("http"); at != std::string_view::npos;
         at = text.find("http", at + 1)) {
      const std::string_view rest = text.substr(at);
      if (!rest.starts_with("http://") && !rest.starts_with("https://")) continue;
      std::string_view name = rest.substr(0, rest.find_first_of(" \t\n\"<>"));
      if (is_name_forgotten(name)) return true;
      while (!name.empty() && std::string_view(";,.:)'").find(name.back()) != name.npos) {
        name.remove_suffix(1);
      }
      if (is_name_forgotten(name)) return true;
    }
    return false;
  }

  std::string hosts_kept(std::string_view lines) {
    std::string kept;
    while (!lines.empty()) {
      const std::string_view host = lines.substr(0, lines.find('\n'));
      if (!is_host_forgotten(host)) kept += fmt::format("{}\n", host);
      lines.remove_prefix(std::min(host.size() + 1, lines.size()));
    }
    return kept;
  }

  template <typename Record>
  void put(std::string_view letter, std::string_view key, const Record& record) {
    store_.put(named(letter, key), encode(record));
    ++changed_;
  }
  void remove(std::string_view letter, std::string_view key) {
    store_.remove(named(letter, key));
    ++changed_;
  }

  void urls() {
    LedgerUrl url;
    store_.scan(kUrl, [&](std::string_view key, std::string_view value) {
      decode(value, url);
      if (url.url.empty()) {
        gone_.insert(static_cast<UrlNumber>(number_of(key)));
      } else if (is_name_forgotten(url.url)) {
        gone_.insert(static_cast<UrlNumber>(number_of(key)));
        put(kUrl, key, forgotten_url(url));
      } else if (is_name_forgotten(url.target) || mentions(url.evidence)) {
        url.target.clear();
        url.evidence.clear();
        put(kUrl, key, url);
      }
      return true;
    });
  }
  void turned_away() {
    LedgerUrl url;
    store_.scan(kTurnedAway, [&](std::string_view key, std::string_view value) {
      decode(value, url);
      if (is_name_forgotten(url.url) || mentions(url.evidence)) remove(kTurnedAway, key);
      return true;
    });
  }
  void charges() {
    Charge charge;
    store_.scan(kCharge, [&](std::string_view key, std::string_view value) {
      decode(value, charge);
      const Charge before = charge;
      const bool is_gone =
          charge.url == kNoUrl ? mentions(charge.text) : gone_.contains(charge.url);
      if (is_gone) {
        charge.text.clear();
        charge.score = 0;
      }
      if (is_gone || mentions(charge.why)) charge.why.clear();
      if (!charge.is_lost && (is_gone || mentions(charge.evidence))) charge.evidence.clear();
      if (!charge.host.empty() && is_host_forgotten(charge.host)) charge.host.clear();
      if (charge != before) put(kCharge, key, charge);
      return true;
    });
  }
  void learned() {
    if (gone_.empty()) return;
    LearnedPage page;
    store_.scan(kLearned, [&](std::string_view key, std::string_view value) {
      decode(value, page);
      if (gone_.contains(page.url)) {
        remove(kLearned, key);
        return true;
      }
      const std::size_t dropped = std::erase_if(
          page.links, [&](const LearnedLink& link) { return gone_.contains(link.target); });
      if (dropped > 0) put(kLearned, key, page);
      return true;
    });
  }
  void places() {
    store_.scan(kPlace, [&](std::string_view name, std::string_view) {
      if (!name.starts_with('@') && is_host_forgotten(name)) remove(kPlace, name);
      return true;
    });
  }
  void robots() {
    store_.scan(kRobots, [&](std::string_view origin, std::string_view) {
      if (is_host_forgotten(origin)) remove(kRobots, origin);
      return true;
    });
  }
  // Only those that are named after a URL. The job's flags were typed by the user, and without one
  // of them the crawl might go where it must not.
  void settings() {
    store_.scan(kSetting, [&](std::string_view name, std::string_view value) {
      if (mentions(name)) remove(kSetting, name);
      if (name != kSeedHosts) return true;
      const std::string kept = hosts_kept(value);
      if (kept != value) store_.put(named(kSetting, name), kept), ++changed_;
      return true;
    });
  }

  LedgerStore& store_;
  const std::function<bool(const Url&)>& is_forgotten_;
  std::unordered_set<UrlNumber> gone_;
  std::uint64_t changed_ = 0;
  Url url_;
};

}  // namespace

std::uint64_t forget_records(LedgerStore& store,
                             const std::function<bool(const Url&)>& is_forgotten) {
  return Purge(store, is_forgotten).run();
}

}  // namespace webstrata
