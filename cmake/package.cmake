# SPDX-License-Identifier: Apache-2.0

# Debian packages of the two components of cmake/install.cmake: `webstrata` and `libwebstrata-dev`. tools/deb.sh makes and tries them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "webstrata <webstrata@localhost>")  # a package must name someone; who distributes it sets another
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME webstrata)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# Loaded when the first request is made (docs/decisions/017-start-up.md), which no tool can see.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libcurl4, ca-certificates")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "memory for web crawls: link graphs with history
 Turns archived crawls (WARC, WAT, CDX and others) into a compressed link
 graph that knows time, answers questions about it, and plans what to fetch next.")

# What the static libraries are linked with: the packages that building needs.
file(STRINGS tools/packages.core packages REGEX "^(lib[a-z0-9-]+|zlib1g)-dev$")
list(REMOVE_ITEM packages libgtest-dev libcli11-dev)
list(APPEND packages libcli11-dev pkg-config)
list(JOIN packages ", " needed)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libwebstrata-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${needed}")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "memory for web crawls: C++ library
 Headers and static libraries of webstrata, with files for CMake and pkg-config.")
include(CPack)
