# SPDX-License-Identifier: Apache-2.0

# find_package(webstrata) for programs that use the installed copy.
include(${CMAKE_CURRENT_LIST_DIR}/packages.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/webstrataTargets.cmake)
