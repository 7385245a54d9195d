// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/warc_writer_test.cpp and tests/capture/wacz_writer_test.cpp.

#include "webstrata/capture/gzip_member.h"

#include <libdeflate.h>

#include <memory>
#include <new>

namespace webstrata {
namespace {

constexpr int kCompressionLevel = 6;

struct FreeCompressor {
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};

}  // namespace

std::string gzip_member(std::string_view bytes) {
  thread_local const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor(
      libdeflate_alloc_compressor(kCompressionLevel));
  if (compressor == nullptr) throw std::bad_alloc();
  std::string out(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()), '\0');
  out.resize(libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), out.data(),
                                      out.size()));
  return out;
}

}  // namespace webstrata
