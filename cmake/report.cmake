# SPDX-License-Identifier: BSD-3-Clause
# The report page: report/build.mjs bundles report/ into one HTML file, which is compiled into a library as a string.
#
# varia_report(target): adds the page to the target. The work is done in <build>/report: the sources are copied there,
# packages are fetched when package-lock.json changes, the page is bundled when a source changes.

function(varia_report target)
  set(source ${PROJECT_SOURCE_DIR}/report)
  set(work ${PROJECT_BINARY_DIR}/report)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  find_program(VARIA_NPM npm)
  find_program(VARIA_NODE NAMES node nodejs)
  mark_as_advanced(VARIA_NPM VARIA_NODE)
  set(node_version)
  if(VARIA_NODE)
    execute_process(COMMAND ${VARIA_NODE} --version OUTPUT_VARIABLE node_version OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX REPLACE "^v" "" node_version "${node_version}")
  endif()
  if(NOT VARIA_NPM OR node_version VERSION_LESS 18)
    message(FATAL_ERROR "The report page of the program `varia` is built with npm and Node.js 18 or later. Found: "
                        "npm '${VARIA_NPM}', Node.js '${node_version}'. Install them, or configure with -DVARIA_IO=OFF "
                        "to build the library alone.")
  endif()

  set(packages package.json package-lock.json .npmrc)
  file(GLOB pages CONFIGURE_DEPENDS RELATIVE ${source}
       ${source}/index.html ${source}/build.mjs ${source}/src/*.js ${source}/src/*.css ${source}/test/*.mjs)
  file(MAKE_DIRECTORY ${work}/src ${work}/test)
  list(TRANSFORM packages PREPEND ${source}/ OUTPUT_VARIABLE package_files)
  list(TRANSFORM pages PREPEND ${source}/ OUTPUT_VARIABLE page_files)

  set(copy_pages)
  foreach(page IN LISTS pages)
    list(APPEND copy_pages COMMAND ${CMAKE_COMMAND} -E copy ${source}/${page} ${work}/${page})
  endforeach()

  add_custom_command(OUTPUT ${work}/packages.stamp
    COMMAND ${CMAKE_COMMAND} -E copy ${package_files} ${work}
    COMMAND ${VARIA_NPM} ci --no-audit --no-fund --ignore-scripts --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch packages.stamp
    DEPENDS ${package_files} WORKING_DIRECTORY ${work} VERBATIM
    COMMENT "Fetching the packages of the report page")

  # A deleted source must not stay in the copy: the folder starts empty.
  add_custom_command(OUTPUT ${work}/dist/index.html
    COMMAND ${CMAKE_COMMAND} -E rm -rf src test dist
    COMMAND ${CMAKE_COMMAND} -E make_directory src test
    ${copy_pages}
    COMMAND ${VARIA_NODE} build.mjs
    DEPENDS ${page_files} ${work}/packages.stamp WORKING_DIRECTORY ${work} VERBATIM
    COMMENT "Bundling the report page")

  add_custom_command(OUTPUT ${work}/page_template.cpp
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tools/embed_file.py
            dist/index.html page_template.cpp varia::report::page_template
    DEPENDS ${work}/dist/index.html ${PROJECT_SOURCE_DIR}/tools/embed_file.py
    WORKING_DIRECTORY ${work} VERBATIM
    COMMENT "Embedding the report page")

  target_sources(${target} PRIVATE ${work}/page_template.cpp)
endfunction()
