// SPDX-License-Identifier: Apache-2.0

// Which URLs belong to a crawl.
//
//   CrawlScope scope;
//   scope.add_domain("example.org");
//   scope.add_surt("http://(org,example,www,)/docs/");
//   scope.has(url);
//
// Each rule is a range of keys (url/key.h), of all schemes. Without rules everything belongs.

#pragma once

#include <string_view>
#include <vector>

#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace webstrata {

class CrawlScope {
 public:
  // All throw Error(BadInput) if the text is invalid.
  void add_host(std::string_view host);      // this host alone, all its ports
  void add_domain(std::string_view domain);  // and every host below it
  void add_prefix(std::string_view url);     // everything with this prefix
  // Heritrix's form "http://(org,example,www,)/docs", also without scheme and bracket, and the
  // archives' "org,example,www)/docs". Without ")" it means the domain with all below it.
  void add_surt(std::string_view surt);

  [[nodiscard]] bool empty() const noexcept { return ranges_.empty(); }
  [[nodiscard]] bool has(const Url& url) const;

 private:
  void add(KeyRange range);

  std::vector<KeyRange> ranges_;  // sorted, none inside another
};

}  // namespace webstrata
