# SPDX-License-Identifier: Apache-2.0

# webstrata_batches(RESULT SOURCES files... [ALONE files...])
#
# Joins sources into files that include ten of them each, or twenty in a release. Most of a compiler's time goes into headers and
# templates that every file needs; a batch pays for them once (docs/decisions/016-batches.md). CMake's own UNITY_BUILD writes
# absolute paths into such files, so no clone would find in ccache what another one compiled; these name their sources relative to the top folder.
#
# Files in a batch share their unnamed namespaces. ALONE names the files (relative to the calling folder) whose names clash with
# those of another; the rest of a room can be joined in any way. WEBSTRATA_BATCHES=OFF compiles every file by itself.
option(WEBSTRATA_BATCHES "Compile ten sources at a time" ON)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(WEBSTRATA_BATCH_SIZE 20)  # it is mostly built as a whole, and not changed file by file
else()
  set(WEBSTRATA_BATCH_SIZE 10)
endif()

function(webstrata_batches result)
  cmake_parse_arguments(BATCH "" "" "SOURCES;ALONE" ${ARGN})
  if(NOT WEBSTRATA_BATCHES)
    set(${result} ${BATCH_SOURCES} PARENT_SCOPE)
    return()
  endif()
  set(files)
  foreach(source ${BATCH_ALONE})
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    if(file IN_LIST BATCH_SOURCES)
      list(APPEND files ${file})
    endif()
  endforeach()
  list(REMOVE_ITEM BATCH_SOURCES ${files})

  list(LENGTH BATCH_SOURCES left)
  set(number 0)
  while(left GREATER 0)
    list(SUBLIST BATCH_SOURCES 0 ${WEBSTRATA_BATCH_SIZE} sources)
    list(REMOVE_ITEM BATCH_SOURCES ${sources})
    _webstrata_batch(${CMAKE_CURRENT_BINARY_DIR}/${result}_${number}.cpp ${sources})
    list(APPEND files ${CMAKE_CURRENT_BINARY_DIR}/${result}_${number}.cpp)
    math(EXPR number "${number} + 1")
    list(LENGTH BATCH_SOURCES left)
  endwhile()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# Writes a file that includes the sources. A file that would not change keeps its time.
function(_webstrata_batch file)
  set(text)
  foreach(source ${ARGN})
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
    string(APPEND text "#include \"${path}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
endfunction()
