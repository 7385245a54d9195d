# SPDX-License-Identifier: Apache-2.0

# webstrata_room(NAME [DOOR headers...] [USES rooms...] [LINKS libraries...] [ALONE sources...])
#
# Makes the library webstrata::NAME out of every .cpp file in the folder of the calling CMakeLists.txt and below, except main.cpp
# and module_*.cpp.
# DOOR headers are promised to users: README.md lists each of them, and they are installed together with what they include
# (cmake/install_door.cmake). USES mirrors the table in docs/ARCHITECTURE.md; the test `rooms` compares the includes with
# that table. ALONE: see cmake/batches.cmake.
set(WEBSTRATA_ROOMS "" CACHE INTERNAL "")
function(webstrata_room name)
  cmake_parse_arguments(ROOM "" "" "DOOR;USES;LINKS;ALONE" ${ARGN})
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "room ${name}: unknown words ${ROOM_UNPARSED_ARGUMENTS}")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/(main|module_[a-z_]+)\\.cpp$")
  webstrata_batches(${name}_batch SOURCES ${sources} ALONE ${ROOM_ALONE})
  add_library(webstrata_${name} STATIC ${${name}_batch})
  add_library(webstrata::${name} ALIAS webstrata_${name})
  set_target_properties(webstrata_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(webstrata_${name} PUBLIC cxx_std_20)
  target_include_directories(webstrata_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM ROOM_USES PREPEND webstrata::)
  target_link_libraries(webstrata_${name} PUBLIC ${ROOM_USES} PRIVATE ${ROOM_LINKS}
                        $<BUILD_INTERFACE:webstrata_flags>)
  if(WEBSTRATA_SANITIZE)
    target_link_options(webstrata_${name} INTERFACE $<BUILD_INTERFACE:-fsanitize=${WEBSTRATA_SANITIZE}>)
  endif()
  list(TRANSFORM ROOM_DOOR PREPEND webstrata/${name}/)
  set_property(GLOBAL APPEND PROPERTY WEBSTRATA_DOOR ${ROOM_DOOR})
  set(WEBSTRATA_ROOMS ${WEBSTRATA_ROOMS} ${name} CACHE INTERNAL "")
endfunction()
