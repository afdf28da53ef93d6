# SPDX-License-Identifier: BSD-3-Clause

# varia_flags(target): the flags of our own targets. A consumer of the library does not inherit them.
# Contraction to fused multiply-add is off so that every machine computes the same bits.
function(varia_flags target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off
    $<$<BOOL:${VARIA_WERROR}>:-Werror>)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# varia_unity(target size): compiles the sources of a folder together, `size` at a time. Headers are then read and
# templates instantiated once for all of them. Names at namespace scope must differ within a folder.
function(varia_unity target size)
  if(NOT VARIA_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(folder_before)
  set(count 0)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    if(NOT folder STREQUAL folder_before)
      set(count 0)
      set(folder_before ${folder})
    endif()
    math(EXPR number "${count} / ${size}")
    math(EXPR count "${count} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${number})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# varia_program(target source OUTPUT name FOLDER folder): a program <build>/<folder>/<name>.
function(varia_program target source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "OUTPUT;FOLDER" "")
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE varia::varia)
  varia_flags(${target})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${arg_OUTPUT} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${arg_FOLDER})
endfunction()
