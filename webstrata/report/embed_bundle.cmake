# SPDX-License-Identifier: Apache-2.0

# cmake -DSCRIPT=… -DSTYLE=… -DOUT=… -P embed_bundle.cmake: writes a C++ file that holds both as strings.
set(text "#include \"webstrata/report/bundle.h\"\n\nnamespace webstrata::report {\n")
foreach(part SCRIPT STYLE)
  file(READ ${${part}} content)
  string(SUBSTRING ${part} 1 -1 rest)
  string(TOLOWER ${rest} rest)
  string(SUBSTRING ${part} 0 1 first)
  string(FIND "${content}" ")bundle\"" end)
  if(NOT end EQUAL -1)
    message(FATAL_ERROR "${${part}} contains the end of a raw string")
  endif()
  string(APPEND text "const std::string_view kBundle${first}${rest} = R\"bundle(${content})bundle\";\n")
endforeach()
file(WRITE ${OUT} "${text}}  // namespace webstrata::report\n")
