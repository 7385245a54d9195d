# The installed door: public headers, the rooms' libraries, and a CMake package to find them.
foreach(room ${WEBSTRATA_ROOMS})
  list(APPEND room_targets webstrata_${room})
endforeach()
install(TARGETS ${room_targets} webstrata_program EXPORT webstrata
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT webstrata NAMESPACE webstrata:: FILE webstrataTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/webstrata)
install(FILES cmake/webstrataConfig.cmake cmake/packages.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/webstrata)
# Manual pages and completions (webstrata/cli/CMakeLists.txt).
install(DIRECTORY ${PROJECT_BINARY_DIR}/pages/ DESTINATION ${CMAKE_INSTALL_DATADIR})
