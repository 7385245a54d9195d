// SPDX-License-Identifier: Apache-2.0

// Compressed test data, made with the reference libraries, and a WARC record to put into it.

#pragma once

#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace webstrata {

// `window_bits` as zlib takes them: 31 gzip, 15 zlib, -15 raw deflate.
inline std::string deflated(std::string_view bytes, int window_bits) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string gzip_member(std::string_view bytes) { return deflated(bytes, 31); }

inline std::string zstd_frame(std::string_view bytes, std::string_view dictionary = {},
                              bool has_checksum = true) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, has_checksum ? 1 : 0);
  if (!dictionary.empty()) {
    ZSTD_CCtx_loadDictionary(context, dictionary.data(), dictionary.size());
  }
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size()));
  ZSTD_freeCCtx(context);
  return out;
}

inline std::string lz4_frame(std::string_view bytes) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string out(LZ4F_compressFrameBound(bytes.size(), &preferences), '\0');
  out.resize(LZ4F_compressFrame(out.data(), out.size(), bytes.data(), bytes.size(), &preferences));
  return out;
}

inline std::string warc_record(std::string_view type, std::string_view url, std::string_view block,
                               std::string_view more_fields = "",
                               std::string_view date = "2023-06-10T00:00:00Z") {
  return fmt::format(
      "WARC/1.1\r\nWARC-Type: {}\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\n"
      "WARC-Record-ID: <urn:uuid:1>\r\n{}Content-Length: {}\r\n\r\n{}\r\n\r\n",
      type, url, date, more_fields, block.size(), block);
}

inline std::string http_page(std::string_view body, std::string_view headers = "") {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{}\r\n{}", headers, body);
}

inline std::string page_record(std::string_view url, std::string_view body) {
  return warc_record("response", url, http_page(body));
}

}  // namespace webstrata
