# How every target is compiled; attached to targets through `webstrata_flags`, never globally.
add_library(webstrata_flags INTERFACE)
target_compile_features(webstrata_flags INTERFACE cxx_std_20)
target_compile_options(webstrata_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of g++ 12 about std::string at -O3.
  target_compile_options(webstrata_flags INTERFACE -Wno-restrict)
endif()
if(WEBSTRATA_WERROR)
  target_compile_options(webstrata_flags INTERFACE -Werror)
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
