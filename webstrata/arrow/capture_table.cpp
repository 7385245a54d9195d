// Tested by tests/arrow/capture_table_test.cpp and tests/python/read_test.py.

#include "webstrata/arrow/capture_table.h"

#include "webstrata/arrow/common_crawl_builder.h"

namespace webstrata::arrow {
namespace {

// The links of all rows, in order.
class LinksBuilder {
 public:
  void add(const Capture& capture) {
    for (std::size_t i = 0; i < capture.links.size(); ++i) add(capture.links[i]);
    ends_.push_back(ends_.back() + static_cast<std::int64_t>(capture.links.size()));
    known_.add(capture.links_known);
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return url_.bytes() + kinds_.bytes() + count_.bytes() + text_.bytes() + context_.bytes();
  }
  Column finish(std::string_view name) {
    Column items =
        struct_column("item", {url_.finish("url"), kinds_.finish("kinds"), count_.finish("count"),
                               text_.finish("text"), context_.finish("context")});
    Column column = list_column(name, std::move(ends_), std::exchange(known_, {}), items);
    ends_ = {0};
    return column;
  }

 private:
  void add(const Link& link) {
    url_.add(link.target);
    kinds_.add(to_string(link.kinds));
    count_.add(link.count);
    text_.add_or_null(link.text);
    context_.add_or_null(link.context);
  }

  std::vector<std::int64_t> ends_ = {0};
  Validity known_;
  TextBuilder url_;
  TextBuilder kinds_;
  NumberBuilder<std::uint8_t> count_;
  TextBuilder text_;
  TextBuilder context_;
};

template <typename Number>
std::optional<std::int64_t> as_64_bits(const std::optional<Number>& number) {
  if (!number) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

class OwnBuilder : public CaptureBuilder {
 public:
  void add(const Capture& capture) override {
    const Sighting& sighting = capture.sighting;
    url_.add(sighting.url);
    time_.add(sighting.time);
    status_.add(sighting.status);
    outcome_.add(to_string(sighting.outcome));
    kind_.add(to_string(sighting.kind));
    mime_.add_or_null(sighting.mime);
    digest_.add_or_null(sighting.digest);
    redirect_target_.add_or_null(sighting.redirect_target);
    truncated_.add(sighting.truncated);
    file_.add_or_null(sighting.file);
    offset_.add(as_64_bits(sighting.offset));
    length_.add(as_64_bits(sighting.length));
    crawl_.add_or_null(sighting.crawl);
    spelling_.add_or_null(sighting.spelling);
    refers_to_url_.add_or_null(sighting.refers_to_url);
    refers_to_time_.add(sighting.refers_to_time);
    title_.add_or_null(capture.title);
    text_.add_or_null(capture.text);
    links_.add(capture);
    ++rows_;
  }
  [[nodiscard]] std::int64_t row_count() const override { return rows_; }
  [[nodiscard]] std::size_t bytes() const override {
    return url_.bytes() + digest_.bytes() + file_.bytes() + title_.bytes() + text_.bytes() +
           links_.bytes() + static_cast<std::size_t>(rows_) * 100;
  }
  Table finish() override {
    rows_ = 0;
    return {{url_.finish("url"), time_.finish("time"), status_.finish("status"),
             outcome_.finish("outcome"), kind_.finish("kind"), mime_.finish("mime"),
             digest_.finish("digest"), redirect_target_.finish("redirect_target"),
             truncated_.finish("truncated"), file_.finish("file"), offset_.finish("offset"),
             length_.finish("length"), crawl_.finish("crawl"), spelling_.finish("spelling"),
             refers_to_url_.finish("refers_to_url"), refers_to_time_.finish("refers_to_time"),
             title_.finish("title"), text_.finish("text"), links_.finish("links")}};
  }

 private:
  std::int64_t rows_ = 0;
  TextBuilder url_;
  NumberBuilder<Time> time_{kTimeFormat};
  NumberBuilder<std::int16_t> status_;
  TextBuilder outcome_;
  TextBuilder kind_;
  TextBuilder mime_;
  TextBuilder digest_;
  TextBuilder redirect_target_;
  BoolBuilder truncated_;
  TextBuilder file_;
  NumberBuilder<std::int64_t> offset_;
  NumberBuilder<std::int64_t> length_;
  TextBuilder crawl_;
  TextBuilder spelling_;
  TextBuilder refers_to_url_;
  NumberBuilder<Time> refers_to_time_{kTimeFormat};
  TextBuilder title_;
  TextBuilder text_;
  LinksBuilder links_;
};

}  // namespace

std::optional<CaptureSchema> parse_capture_schema(std::string_view name) noexcept {
  if (name == "webstrata") return CaptureSchema::Webstrata;
  if (name == "commoncrawl") return CaptureSchema::CommonCrawl;
  return std::nullopt;
}

std::unique_ptr<CaptureBuilder> make_capture_builder(CaptureSchema schema) {
  if (schema == CaptureSchema::CommonCrawl) return make_common_crawl_builder();
  return std::make_unique<OwnBuilder>();
}

}  // namespace webstrata::arrow
