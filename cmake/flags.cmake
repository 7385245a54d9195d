# SPDX-License-Identifier: Apache-2.0

# How every target is compiled; attached to targets through `webstrata_flags`, never globally.
add_library(webstrata_flags INTERFACE)
target_compile_features(webstrata_flags INTERFACE cxx_std_20)
target_compile_options(webstrata_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of g++ 12: about std::string at -O3, and about the unnamed namespaces of files in a batch.
  target_compile_options(webstrata_flags INTERFACE -Wno-restrict -Wno-subobject-linkage)
endif()
if(WEBSTRATA_WERROR)
  target_compile_options(webstrata_flags INTERFACE -Werror)
endif()

# What users run resists what its inputs may try: overwritten return addresses, buffers of a known size that overflow, tables
# of functions that are written to, code at known addresses, stacks that grow into other memory, jumps into the middle of
# functions. tests/house/hardening_test.py reads all of it from a binary.
if(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$" AND NOT WEBSTRATA_SANITIZE)
  include(CheckCXXCompilerFlag)
  include(CheckPIESupported)
  check_pie_supported()
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  target_compile_options(webstrata_flags INTERFACE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
  foreach(flag stack-clash-protection cf-protection)  # not on every processor
    check_cxx_compiler_flag(-f${flag} WEBSTRATA_HAS_${flag})
    if(WEBSTRATA_HAS_${flag})
      target_compile_options(webstrata_flags INTERFACE -f${flag})
    endif()
  endforeach()
  target_link_options(webstrata_flags INTERFACE LINKER:-z,relro LINKER:-z,now)
endif()

set(WEBSTRATA_SANITIZE "" CACHE STRING "Sanitizers to switch on, such as address,undefined")
if(WEBSTRATA_SANITIZE)
  target_compile_options(webstrata_flags INTERFACE -fsanitize=${WEBSTRATA_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(webstrata_flags INTERFACE -fsanitize=${WEBSTRATA_SANITIZE})
endif()
if(WEBSTRATA_FUZZ)
  target_compile_options(webstrata_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths below the source folder count as relative: every clone finds what another one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true ${CCACHE})
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
