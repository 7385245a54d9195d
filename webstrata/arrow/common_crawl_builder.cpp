// SPDX-License-Identifier: Apache-2.0

// The 30 columns of Common Crawl's flat schema and its two partitions, in their order:
// https://github.com/commoncrawl/cc-index-table. Fields detected from the payload (MIME, charset,
// languages) are unknown here and null.
// Tested by tests/arrow/capture_table_test.cpp and tests/python/read_test.py.

#include "webstrata/arrow/common_crawl_builder.h"

#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/url/dialect.h"
#include "webstrata/url/host.h"
#include "webstrata/url/url.h"

namespace webstrata::arrow {
namespace {

// "co.uk" of "example.co.uk".
std::string_view behind_first_label(std::string_view domain) {
  const std::size_t dot = domain.find('.');
  return dot == std::string_view::npos ? std::string_view() : domain.substr(dot + 1);
}

// The last `count` labels, in reverse order; missing ones are empty.
template <std::size_t count>
std::array<std::string_view, count> last_labels(std::string_view host) {
  std::array<std::string_view, count> labels;
  if (is_ip_address(host)) return labels;
  for (std::string_view& label : labels) {
    const std::size_t dot = host.rfind('.');
    label = dot == std::string_view::npos ? host : host.substr(dot + 1);
    host = dot == std::string_view::npos ? std::string_view() : host.substr(0, dot);
  }
  return labels;
}

std::string reversed(std::string_view host) {
  if (is_ip_address(host)) return std::string(host);
  std::string out;
  while (!host.empty()) {
    const std::size_t dot = host.rfind('.');
    if (!out.empty()) out += '.';
    out += dot == std::string_view::npos ? host : host.substr(dot + 1);
    host = dot == std::string_view::npos ? std::string_view() : host.substr(0, dot);
  }
  return out;
}

std::optional<std::int32_t> port_of(const Url& url) {
  std::int32_t port = 0;
  const std::string_view text = url.port();
  if (text.empty()) return std::nullopt;
  std::from_chars(text.data(), text.data() + text.size(), port);
  return port;
}

// Their digests are SHA-1 in base 32, without the "sha1:".
std::string_view digest_of(const Sighting& sighting) {
  std::string_view digest = sighting.digest;
  if (digest.starts_with("sha1:")) digest.remove_prefix(5);
  return digest;
}

std::string_view subset_of(const Url& url, int status) {
  if (url.path() == "/robots.txt") return "robotstxt";
  return status == 200 ? "warc" : "crawldiagnostics";
}

// Offsets have 32 bits there.
std::int32_t place_of(const std::optional<std::uint64_t>& place, const Sighting& sighting) {
  if (!place) return -1;
  if (*place <= std::numeric_limits<std::int32_t>::max()) return static_cast<std::int32_t>(*place);
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: offset {} does not fit Common Crawl's columns; use the schema "
                          "webstrata, or cut the file",
                          sighting.file, *place));
}

class CommonCrawlBuilder : public CaptureBuilder {
 public:
  void add(const Capture& capture) override {
    const Sighting& sighting = capture.sighting;
    if (!sighting.status || !parse_url(sighting.url, url_) || !url_.is_web()) return;
    const std::int32_t offset = place_of(sighting.offset, sighting);
    const std::int32_t length = place_of(sighting.length, sighting);
    add_names(sighting);
    time_.add(sighting.time * 1000);
    status_.add(*sighting.status);
    texts_[kRedirect].add_or_null(sighting.redirect_target);
    texts_[kDigest].add_or_null(digest_of(sighting));
    texts_[kMime].add_or_null(sighting.mime);
    for (const auto missing : {kMimeDetected, kCharset, kLanguages}) texts_[missing].add_null();
    texts_[kTruncated].add_or_null(sighting.truncated ? "unspecified" : "");
    texts_[kFile].add(sighting.file);
    offset_.add(offset);
    length_.add(length);
    texts_[kSegment].add("");
    texts_[kCrawl].add(sighting.crawl);
    texts_[kSubset].add(subset_of(url_, *sighting.status));
    ++rows_;
  }

  [[nodiscard]] std::int64_t row_count() const override { return rows_; }

  [[nodiscard]] std::size_t bytes() const override {
    std::size_t bytes = 0;
    for (const TextBuilder& text : texts_) bytes += text.bytes();
    return bytes;
  }

  Table finish() override {
    rows_ = 0;
    const auto text = [this](TextColumn which, const char* name, bool is_nullable = true) {
      Column column = texts_[which].finish(name);
      column.is_nullable = is_nullable;
      return column;
    };
    const auto known = [](Column column) {
      column.is_nullable = false;
      return column;
    };
    return {{text(kSurtKey, "url_surtkey", false),
             text(kUrl, "url", false),
             text(kHost, "url_host_name", false),
             text(kTld, "url_host_tld"),
             text(kPart2, "url_host_2nd_last_part"),
             text(kPart3, "url_host_3rd_last_part"),
             text(kPart4, "url_host_4th_last_part"),
             text(kPart5, "url_host_5th_last_part"),
             text(kRegistrySuffix, "url_host_registry_suffix"),
             text(kRegisteredDomain, "url_host_registered_domain"),
             text(kPrivateSuffix, "url_host_private_suffix"),
             text(kPrivateDomain, "url_host_private_domain"),
             text(kReversed, "url_host_name_reversed"),
             text(kProtocol, "url_protocol", false),
             port_.finish("url_port"),
             text(kPath, "url_path", false),
             text(kQuery, "url_query"),
             known(time_.finish("fetch_time")),
             known(status_.finish("fetch_status")),
             text(kRedirect, "fetch_redirect"),
             text(kDigest, "content_digest"),
             text(kMime, "content_mime_type"),
             text(kMimeDetected, "content_mime_detected"),
             text(kCharset, "content_charset"),
             text(kLanguages, "content_languages"),
             text(kTruncated, "content_truncated"),
             text(kFile, "warc_filename", false),
             known(offset_.finish("warc_record_offset")),
             known(length_.finish("warc_record_length")),
             text(kSegment, "warc_segment", false),
             text(kCrawl, "crawl", false),
             text(kSubset, "subset", false)}};
  }

 private:
  enum TextColumn : std::size_t {
    kSurtKey,
    kUrl,
    kHost,
    kTld,
    kPart2,
    kPart3,
    kPart4,
    kPart5,
    kRegistrySuffix,
    kRegisteredDomain,
    kPrivateSuffix,
    kPrivateDomain,
    kReversed,
    kProtocol,
    kPath,
    kQuery,
    kRedirect,
    kDigest,
    kMime,
    kMimeDetected,
    kCharset,
    kLanguages,
    kTruncated,
    kFile,
    kSegment,
    kCrawl,
    kSubset,
    kTextColumns,
  };

  void add_names(const Sighting& sighting) {
    const std::string_view host = url_.host();
    texts_[kSurtKey].add(fold(Dialect::Pywb, sighting.url));
    texts_[kUrl].add(sighting.url);
    texts_[kHost].add(host);
    const auto labels = last_labels<5>(host);
    for (std::size_t i = 0; i < labels.size(); ++i) texts_[kTld + i].add_or_null(labels[i]);
    const std::string_view registered = registered_domain(host, Suffixes::Icann);
    const std::string_view of_company = registered_domain(host, Suffixes::IcannAndPrivate);
    texts_[kRegistrySuffix].add_or_null(behind_first_label(registered));
    texts_[kRegisteredDomain].add_or_null(registered);
    texts_[kPrivateSuffix].add_or_null(behind_first_label(of_company));
    texts_[kPrivateDomain].add_or_null(of_company);
    texts_[kReversed].add(reversed(host));
    texts_[kProtocol].add(url_.scheme());
    port_.add(port_of(url_));
    texts_[kPath].add(url_.path());
    const std::string_view query = url_.query();
    texts_[kQuery].add_or_null(query.empty() ? query : query.substr(1));
  }

  std::int64_t rows_ = 0;
  Url url_;
  std::array<TextBuilder, kTextColumns> texts_;
  NumberBuilder<std::int32_t> port_;
  NumberBuilder<std::int64_t> time_{"tsm:UTC"};
  NumberBuilder<std::int16_t> status_;
  NumberBuilder<std::int32_t> offset_;
  NumberBuilder<std::int32_t> length_;
};

}  // namespace

std::unique_ptr<CaptureBuilder> make_common_crawl_builder() {
  return std::make_unique<CommonCrawlBuilder>();
}

}  // namespace webstrata::arrow
