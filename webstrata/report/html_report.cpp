// SPDX-License-Identifier: Apache-2.0

// The page: a fixed frame, the bundle's style and script, and the data as JSON between them.
//
// Nothing can be loaded and no script except the bundle can run: the Content-Security-Policy allows
// the two inline blocks only by their hashes, and trusted types keep even the bundle from making
// markup out of text. Title, result and subtitle are in the frame, so that a page without scripts
// says what it is and what was found. Tested by tests/report/html_report_test.cpp and
// browser_test.py.

#include "webstrata/report/html_report.h"

#include <openssl/evp.h>

#include <array>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/utf8.h"
#include "webstrata/report/bundle.h"
#include "webstrata/report/check_report.h"
#include "webstrata/report/report_json.h"

namespace webstrata::report {
namespace {

constexpr std::string_view kPage = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="webstrata">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header>
<h1><bdi>{title}</bdi></h1>
{result}<p class="subtitle">{subtitle}</p>
</header>
<noscript><p class="notice">The plots and tables of this page are drawn by a script inside it, and scripts are switched off here. Nothing is loaded from elsewhere when they are switched on.</p></noscript>
<main id="report"></main>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
)";

// Control characters, which HTML does not allow, and those that change the direction of the text:
// with them a crawled title could mislead the reader.
bool is_control(std::uint32_t code_point) {
  return (code_point < 0x20 && code_point != '\n' && code_point != '\t') ||
         (code_point >= 0x7f && code_point < 0xa0) ||
         (code_point >= 0x2028 && code_point <= 0x202e) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

void append_html(std::string& out, std::uint32_t code_point) {
  if (is_control(code_point)) {
    append_utf8(out, 0xfffd);
  } else if (code_point == '<' || code_point == '>' || code_point == '&' || code_point == '"' ||
             code_point == '\'') {
    out += fmt::format("&#{};", code_point);
  } else {
    append_utf8(out, code_point);
  }
}

std::string escape_html(std::string_view text) {
  std::string out;
  while (!text.empty()) append_html(out, take_utf8(text));
  return out;
}

// 'sha256-…' as a Content-Security-Policy names an inline block.
std::string policy_hash(std::string_view block) {
  std::array<unsigned char, 32> digest{};
  if (EVP_Digest(block.data(), block.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw Error(ErrorKind::Io, "report: OpenSSL gives no SHA-256");
  }
  std::array<unsigned char, 45> base64{};  // 44 characters and a zero
  EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(digest.size()));
  return fmt::format("'sha256-{}'", reinterpret_cast<const char*>(base64.data()));
}

// A page that found nothing worth a sentence has no empty paragraph.
std::string result_paragraph(const std::string& result) {
  if (result.empty()) return {};
  return fmt::format("<p class=\"result\"><bdi>{}</bdi></p>\n", escape_html(result));
}

std::string content_security_policy() {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; "
      "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      policy_hash(kBundleScript), policy_hash(kBundleStyle));
}

}  // namespace

std::string to_html(const HtmlReport& report) {
  check_report(report);
  return fmt::format(kPage, fmt::arg("policy", content_security_policy()),
                     fmt::arg("title", escape_html(report.title)),
                     fmt::arg("result", result_paragraph(report.result)),
                     fmt::arg("subtitle", escape_html(report.subtitle)),
                     fmt::arg("style", kBundleStyle), fmt::arg("data", to_script_json(report)),
                     fmt::arg("script", kBundleScript));
}

void write_html(const HtmlReport& report, const std::filesystem::path& path) {
  write_file(path, to_html(report));
}

}  // namespace webstrata::report
