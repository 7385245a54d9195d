# SPDX-License-Identifier: Apache-2.0

# webstrata_embed(<target> HEADER <header> NAMESPACE <namespace> FILES <constant>=<file>...)
# adds a C++ file to the target that defines the constants of the header: the texts of the files, and an empty one where a file
# does not exist. No node is needed for that: web/dist is committed (docs/decisions/009).
#
# The file runs itself as a script for that: cmake -DHEADER=… -DNAMESPACE=… -DFILES=kA=a,kB=b -DOUT=… -P embed.cmake

if(CMAKE_SCRIPT_MODE_FILE)
  set(text "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n")
  string(REPLACE "," ";" FILES "${FILES}")
  foreach(part IN LISTS FILES)
    string(FIND "${part}" "=" equals)
    string(SUBSTRING "${part}" 0 ${equals} constant)
    math(EXPR start "${equals} + 1")
    string(SUBSTRING "${part}" ${start} -1 file)
    set(content "")
    if(EXISTS ${file})
      file(READ ${file} content)
    endif()
    string(FIND "${content}" ")bundle\"" end)
    if(NOT end EQUAL -1)
      message(FATAL_ERROR "${file} contains the end of a raw string")
    endif()
    string(APPEND text "const std::string_view ${constant} = R\"bundle(${content})bundle\";\n")
  endforeach()
  file(WRITE ${OUT} "${text}}  // namespace ${NAMESPACE}\n")
  return()
endif()

set(WEBSTRATA_EMBED ${CMAKE_CURRENT_LIST_FILE})

function(webstrata_embed target)
  cmake_parse_arguments(given "" "HEADER;NAMESPACE" "FILES" ${ARGN})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp)
  set(files "")
  foreach(part IN LISTS given_FILES)
    string(REGEX REPLACE "^[^=]*=" "" file "${part}")
    if(EXISTS ${file})
      list(APPEND files ${file})
    endif()
  endforeach()
  list(JOIN given_FILES "," parts)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DHEADER=${given_HEADER} -DNAMESPACE=${given_NAMESPACE} -DFILES=${parts} -DOUT=${out} -P ${WEBSTRATA_EMBED}
    DEPENDS ${files} ${WEBSTRATA_EMBED}
    COMMENT "Embedding files of web/dist in ${target}" VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
