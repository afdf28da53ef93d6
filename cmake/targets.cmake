# SPDX-License-Identifier: BSD-3-Clause

# varia_flags(target): the flags of our own targets. A consumer of the library does not inherit them.
# Contraction to fused multiply-add is off so that every machine computes the same bits. GCC collects garbage from 1 GB on, not
# from 128 MB: a tenth of the time of a compilation of tests.
function(varia_flags target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off
    $<$<BOOL:${VARIA_WERROR}>:-Werror>
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})  # what varia_unity writes
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# varia_unity(out target size sources...): puts into `out` the sources to compile for `sources`, given as absolute paths.
# With VARIA_UNITY off these are themselves; with it on, files that include those of a folder, `size` at a time: headers are
# then read, and templates instantiated, once for all of them. Names at namespace scope must differ within a folder.
# CMake's own UNITY_BUILD writes absolute paths, and a second clone would find nothing in the compiler cache.
function(varia_unity out target size)
  if(NOT VARIA_UNITY)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(folder_before)
  set(units)
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
    get_filename_component(folder ${path} DIRECTORY)
    if(NOT folder STREQUAL folder_before)
      set(count 0)
      set(folder_before ${folder})
    endif()
    math(EXPR number "${count} / ${size}")
    math(EXPR count "${count} + 1")
    get_filename_component(name ${folder} NAME)
    set(unit ${name}_${number})
    list(APPEND units ${unit})
    string(APPEND content_${unit} "#include \"${path}\"\n")
  endforeach()
  list(REMOVE_DUPLICATES units)
  set(files)
  foreach(unit IN LISTS units)
    set(file ${PROJECT_BINARY_DIR}/unity/${target}/${unit}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${content_${unit}}" @ONLY)
    list(APPEND files ${file})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# varia_program(target sources OUTPUT name FOLDER folder): a program <build>/<folder>/<name>.
function(varia_program target sources)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "OUTPUT;FOLDER" "")
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE varia::varia)
  varia_flags(${target})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${arg_OUTPUT} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${arg_FOLDER})
endfunction()
