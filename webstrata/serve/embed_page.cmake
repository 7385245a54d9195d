# SPDX-License-Identifier: Apache-2.0

# cmake -DFOLDER=web/dist -DOUT=… -P embed_page.cmake: writes a C++ file that holds app.html, app.js and app.css as strings; an
# empty one for each file that does not exist.
set(text "#include \"webstrata/serve/page_bundle.h\"\n\nnamespace webstrata::serve {\n")
foreach(part "Html app.html" "Script app.js" "Style app.css")
  separate_arguments(part)
  list(GET part 0 name)
  list(GET part 1 file)
  set(content "")
  if(EXISTS ${FOLDER}/${file})
    file(READ ${FOLDER}/${file} content)
  endif()
  string(FIND "${content}" ")bundle\"" end)
  if(NOT end EQUAL -1)
    message(FATAL_ERROR "${FOLDER}/${file} contains the end of a raw string")
  endif()
  string(APPEND text "const std::string_view kApp${name} = R\"bundle(${content})bundle\";\n")
endforeach()
file(WRITE ${OUT} "${text}}  // namespace webstrata::serve\n")
