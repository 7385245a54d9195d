# SPDX-License-Identifier: Apache-2.0

# Installs the headers of `door` and every header of ours that they include, directly or not; nothing else. Runs as part of
# `cmake --install`, so that it sees the includes as they are then. include/webstrata/HEADERS lists which are promised to users
# and which are only needed by those. tests/house/installed_door_test.py checks the result.
cmake_policy(VERSION 3.25)
set(headers ${door})
set(unread ${door})
while(unread)
  list(POP_FRONT unread header)
  file(STRINGS ${source}/${header} lines REGEX "^#include \"webstrata/")
  foreach(line ${lines})
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" used "${line}")
    if(NOT used IN_LIST headers)
      list(APPEND headers ${used})
      list(APPEND unread ${used})
    endif()
  endforeach()
endwhile()

foreach(header ${headers})
  get_filename_component(folder ${header} DIRECTORY)
  file(INSTALL ${source}/${header} DESTINATION "${CMAKE_INSTALL_PREFIX}/${include_folder}/${folder}")
endforeach()

set(needed ${headers})
list(REMOVE_ITEM needed ${door})
list(SORT needed)
list(SORT door)
list(JOIN door "\n" door_lines)
list(JOIN needed "\n" needed_lines)
file(WRITE ${scratch}/HEADERS "# Promised: include these.\n${door_lines}\n
# Needed by the promised ones: may change or disappear in any version.\n${needed_lines}\n")
file(INSTALL ${scratch}/HEADERS DESTINATION "${CMAKE_INSTALL_PREFIX}/${include_folder}/webstrata")
