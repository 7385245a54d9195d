# SPDX-License-Identifier: Apache-2.0

# What `cmake --install` copies: the promised headers and what they include, the rooms' libraries, the program, the licence, and
# a CMake package to find them.
get_property(door GLOBAL PROPERTY WEBSTRATA_DOOR)
install(CODE "
  set(door \"${door}\")
  set(source \"${PROJECT_SOURCE_DIR}\")
  set(scratch \"${PROJECT_BINARY_DIR}\")
  set(include_folder \"${CMAKE_INSTALL_INCLUDEDIR}\")")
install(SCRIPT cmake/install_door.cmake)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/webstrata)
foreach(room ${WEBSTRATA_ROOMS})
  list(APPEND room_targets webstrata_${room})
endforeach()
install(TARGETS ${room_targets} webstrata_program EXPORT webstrata
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET webstrata_store)
  install(TARGETS webstrata_store LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/webstrata)
endif()
install(EXPORT webstrata NAMESPACE webstrata:: FILE webstrataTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/webstrata)
install(FILES cmake/webstrataConfig.cmake cmake/packages.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/webstrata)
# Manual pages and completions (webstrata/cli/CMakeLists.txt).
install(DIRECTORY ${PROJECT_BINARY_DIR}/pages/ DESTINATION ${CMAKE_INSTALL_DATADIR})
