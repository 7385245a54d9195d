# SPDX-License-Identifier: Apache-2.0

# What `cmake --install` copies, in two components that are Debian packages too (cmake/package.cmake).
# program: the program, what it loads, manual pages and completions, the licence.
# development: the promised headers and what they include, the rooms' libraries, a CMake package and a file for pkg-config.
get_property(door GLOBAL PROPERTY WEBSTRATA_DOOR)
install(CODE "
  set(door \"${door}\")
  set(source \"${PROJECT_SOURCE_DIR}\")
  set(scratch \"${PROJECT_BINARY_DIR}\")
  set(include_folder \"${CMAKE_INSTALL_INCLUDEDIR}\")" COMPONENT development)
install(SCRIPT cmake/install_door.cmake COMPONENT development)
configure_file(packaging/webstrata.service.in ${PROJECT_BINARY_DIR}/webstrata.service @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/webstrata.service DESTINATION lib/systemd/system COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/webstrata COMPONENT program)
foreach(room ${WEBSTRATA_ROOMS})
  list(APPEND room_targets webstrata_${room})
endforeach()
install(TARGETS ${room_targets} EXPORT webstrata ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(TARGETS webstrata_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
if(TARGET webstrata_store)
  install(TARGETS webstrata_store LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/webstrata COMPONENT program)
endif()
if(TARGET webstrata_frontier_module)
  install(TARGETS webstrata_frontier_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/webstrata COMPONENT program)
endif()
install(EXPORT webstrata NAMESPACE webstrata:: FILE webstrataTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/webstrata COMPONENT development)
install(FILES cmake/webstrataConfig.cmake cmake/packages.cmake ${PROJECT_BINARY_DIR}/webstrataConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/webstrata COMPONENT development)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/webstrataConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# Manual pages and completions (webstrata/cli/CMakeLists.txt).
install(DIRECTORY ${PROJECT_BINARY_DIR}/pages/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT program)

# For pkg-config: the rooms, those that others need last.
set(pc_rooms ${WEBSTRATA_ROOMS})
list(REVERSE pc_rooms)
list(REMOVE_ITEM pc_rooms cli)
list(TRANSFORM pc_rooms PREPEND "-lwebstrata_")
list(JOIN pc_rooms " " pc_libraries)
configure_file(cmake/webstrata.pc.in ${PROJECT_BINARY_DIR}/webstrata.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/webstrata.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
