# SPDX-License-Identifier: BSD-3-Clause

# varia_flags(target): the flags of our own targets. A consumer of the library does not inherit them.
# Contraction to fused multiply-add is off so that every machine computes the same bits.
function(varia_flags target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off
    $<$<BOOL:${VARIA_WERROR}>:-Werror>)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
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
