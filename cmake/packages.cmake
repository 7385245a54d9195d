# SPDX-License-Identifier: Apache-2.0

# Outside libraries, all from Debian packages. The reason for each is in docs/DEPENDENCIES.md.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(CURL 7.85 REQUIRED)
find_package(RocksDB REQUIRED)
find_package(Boost 1.74 REQUIRED)
foreach(module libdeflate libzstd liblz4 libbrotlidec libxxhash libpsl libidn2 libutf8proc re2)
  pkg_check_modules(${module} REQUIRED IMPORTED_TARGET ${module})
endforeach()
