// SPDX-License-Identifier: Apache-2.0

// Each decoder returns what it could decode of a damaged body and says why it stopped.
// Codings are undone from the last to the first. A gzip body is tried at once with libdeflate, and
// in steps with zlib if that fails, which keeps everything up to the damage.
// Tested by tests/capture/content_coding_test.cpp; fuzz/http_fuzz.cpp.

#include "webstrata/capture/http/content_coding.h"

#include <brotli/decode.h>
#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <new>

#include <fmt/format.h>

#include "webstrata/base/text.h"

namespace webstrata {
namespace {

constexpr std::size_t kStepBytes = std::size_t{1} << 16;

// The result of a decoder: empty, or why it stopped. NotCoded: these bytes are not in this coding.
struct Verdict {
  bool is_coded = true;
  std::string problem;
};
const Verdict kNotCoded{false, {}};

// Makes room after what is written, up to the limit of a body.
char* room_for_step(std::string& out, std::size_t written) {
  out.resize(std::min(std::max(out.capacity(), written + kStepBytes), BodyDecoder::kContentMax));
  return out.data() + written;
}

// ---- chunked ------------------------------------------------------------------------------------

// The size on a chunk's first line; `next` is where its data begins. Empty if it is not such a
// line.
std::optional<std::uint64_t> chunk_size(std::string_view body, std::size_t start,
                                        std::size_t& next) {
  constexpr std::size_t kChunkLineMax = 1024;
  const std::size_t end = body.substr(start, kChunkLineMax).find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = body.substr(start, end);
  std::uint64_t size = 0;
  const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), size, 16);
  const bool ends_well = stop == line.data() + line.size() || *stop == '\r' || *stop == ';' ||
                         *stop == ' ' || *stop == '\t';
  if (error != std::errc() || !ends_well) return std::nullopt;
  next = start + end + 1;
  return size;
}

Verdict dechunk(std::string_view body, std::string& out) {
  out.clear();
  std::size_t position = 0;
  for (bool is_first = true;; is_first = false) {
    std::size_t data = 0;
    const auto size = chunk_size(body, position, data);
    if (!size && is_first) return kNotCoded;
    if (!size && position >= body.size()) return {true, "the last chunk is missing"};
    if (!size) {
      out.append(body.substr(position));  // keep the rest rather than lose it
      return {true, fmt::format("no chunk size at byte {} of the body", position)};
    }
    if (*size == 0) return {};
    const std::string_view chunk = body.substr(data, *size);
    out.append(chunk);
    if (chunk.size() < *size) return {true, "a chunk is cut off"};
    position = data + chunk.size();
    // Chunks are separated by a line end; writers that count wrongly leave a byte more or less.
    position = std::min(body.find_first_not_of("\r\n", position), body.size());
  }
}

// ---- gzip and deflate ---------------------------------------------------------------------------

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

// The size stated at the end of a gzip stream; 0 if it is implausible.
std::size_t gzip_size_hint(std::string_view body) {
  if (body.size() < 18) return 0;
  std::uint32_t size = 0;
  std::memcpy(&size, body.data() + body.size() - 4, 4);
  return size <= body.size() * 1032 ? size : 0;
}

bool gunzip_at_once(std::string_view body, std::string& out) {
  thread_local const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor(
      libdeflate_alloc_decompressor());
  if (decompressor == nullptr) return false;  // inflating in steps needs less, or throws
  const std::size_t size = gzip_size_hint(body);
  if (size == 0 || size > BodyDecoder::kContentMax) return false;
  out.resize(size);
  std::size_t written = 0;
  const auto result = libdeflate_gzip_decompress(decompressor.get(), body.data(), body.size(),
                                                 out.data(), out.size(), &written);
  return result == LIBDEFLATE_SUCCESS && written == size;
}

// `window_bits` as zlib takes them: 31 gzip, 15 zlib, -15 raw deflate.
Verdict inflate_in_steps(std::string_view body, int window_bits, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, window_bits) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closer(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  std::size_t written = 0;
  int code = Z_OK;
  while (code == Z_OK && written < BodyDecoder::kContentMax) {
    stream.next_out = reinterpret_cast<Bytef*>(room_for_step(out, written));
    const std::size_t room = out.size() - written;
    stream.avail_out = static_cast<uInt>(room);
    code = inflate(&stream, Z_NO_FLUSH);
    written += room - stream.avail_out;
  }
  if (code == Z_MEM_ERROR) throw std::bad_alloc();
  const std::string reason = stream.msg != nullptr ? stream.msg : "it is cut off";
  out.resize(written);
  if (code == Z_STREAM_END) return {};
  if (code == Z_OK) return {true, "the decoded body exceeds the limit"};
  return {true, "compressed body: " + reason};
}

Verdict gunzip(std::string_view body, std::string& out) {
  if (!body.starts_with("\x1f\x8b")) return kNotCoded;
  return gunzip_at_once(body, out) ? Verdict{} : inflate_in_steps(body, 31, out);
}

// "deflate" means zlib's format; some servers send raw deflate.
Verdict undeflate(std::string_view body, std::string& out) {
  if (body.size() < 2) return kNotCoded;
  const auto first = static_cast<unsigned char>(body[0]);
  const auto second = static_cast<unsigned char>(body[1]);
  const bool has_zlib_head = (first & 0x0f) == 8 && (first * 256 + second) % 31 == 0;
  if (has_zlib_head) return inflate_in_steps(body, 15, out);
  Verdict verdict = inflate_in_steps(body, -15, out);
  return verdict.problem.empty() ? verdict : kNotCoded;
}

// ---- br and zstd --------------------------------------------------------------------------------

bool is_out_of_memory(const BrotliDecoderState& state) noexcept {
  const auto error = BrotliDecoderGetErrorCode(&state);  // those of allocations are a range
  return error <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
         error >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES;
}

Verdict unbrotli(std::string_view body, std::string& out) {
  const std::unique_ptr<BrotliDecoderState, void (*)(BrotliDecoderState*)> state(
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr), BrotliDecoderDestroyInstance);
  if (state == nullptr) throw std::bad_alloc();
  auto in_left = body.size();
  const auto* in = reinterpret_cast<const std::uint8_t*>(body.data());
  std::size_t written = 0;
  auto result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
  while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && written < BodyDecoder::kContentMax) {
    auto* to = reinterpret_cast<std::uint8_t*>(room_for_step(out, written));
    const std::size_t room = out.size() - written;
    std::size_t room_left = room;
    result = BrotliDecoderDecompressStream(state.get(), &in_left, &in, &room_left, &to, nullptr);
    written += room - room_left;
  }
  out.resize(written);
  if (result == BROTLI_DECODER_RESULT_SUCCESS) return {};
  if (result == BROTLI_DECODER_RESULT_ERROR && is_out_of_memory(*state)) throw std::bad_alloc();
  // Brotli has no magic bytes: text that is already decoded fails early, mostly without output.
  if (result == BROTLI_DECODER_RESULT_ERROR && in_left + 1024 > body.size()) return kNotCoded;
  if (result == BROTLI_DECODER_RESULT_ERROR) return {true, "brotli body is damaged"};
  return {true, result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT
                    ? "brotli body is cut off"
                    : "the decoded body exceeds the limit"};
}

Verdict unzstd(std::string_view body, std::string& out) {
  if (!body.starts_with("\x28\xb5\x2f\xfd")) return kNotCoded;
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                        ZSTD_freeDCtx);
  if (context == nullptr) throw std::bad_alloc();
  ZSTD_inBuffer in{body.data(), body.size(), 0};
  std::size_t written = 0;
  std::size_t result = 1;
  while (result != 0 && ZSTD_isError(result) == 0 && written < BodyDecoder::kContentMax) {
    char* to = room_for_step(out, written);
    ZSTD_outBuffer step{to, out.size() - written, 0};
    result = ZSTD_decompressStream(context.get(), &step, &in);
    written += step.pos;
    if (step.pos == 0 && in.pos == in.size && result != 0) break;
  }
  out.resize(written);
  if (result == 0) return {};
  if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (ZSTD_isError(result) != 0) {
    return {true, fmt::format("zstd body: {}", ZSTD_getErrorName(result))};
  }
  return {true, in.pos == in.size ? "zstd body is cut off" : "the decoded body exceeds the limit"};
}

Verdict decode_one(std::string_view coding, std::string_view body, std::string& out) {
  if (equal_ignoring_case(coding, "gzip") || equal_ignoring_case(coding, "x-gzip"))
    return gunzip(body, out);
  if (equal_ignoring_case(coding, "deflate")) return undeflate(body, out);
  if (equal_ignoring_case(coding, "br")) return unbrotli(body, out);
  if (equal_ignoring_case(coding, "zstd")) return unzstd(body, out);
  return kNotCoded;
}

// Removes the last name from a comma-separated list.
std::string_view take_last(std::string_view& list) {
  const std::size_t comma = list.rfind(',');
  std::string_view name = comma == std::string_view::npos ? list : list.substr(comma + 1);
  list = comma == std::string_view::npos ? std::string_view() : list.substr(0, comma);
  while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return name;
}

}  // namespace

DecodedBody BodyDecoder::decode(const HttpResponse& response) {
  DecodedBody decoded{response.body, response.body, {}};
  std::string_view transfer = response.headers.value("Transfer-Encoding");
  if (equal_ignoring_case(take_last(transfer), "chunked")) {
    const Verdict verdict = dechunk(response.body, dechunked_);
    if (verdict.is_coded) decoded = {dechunked_, dechunked_, verdict.problem};
  }
  constexpr int kCodingsMax = 4;
  std::string_view codings = response.headers.value("Content-Encoding");
  for (int i = 0; i < kCodingsMax && !codings.empty(); ++i) {
    std::string& out = content_[i % 2];
    Verdict verdict = decode_one(take_last(codings), decoded.content, out);
    if (!verdict.is_coded) continue;
    decoded.content = out;
    if (decoded.problem.empty()) decoded.problem = std::move(verdict.problem);
  }
  return decoded;
}

}  // namespace webstrata
