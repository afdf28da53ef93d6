# SPDX-License-Identifier: BSD-3-Clause
file(REMOVE_RECURSE ${work})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${project} -B ${work} -G ${generator}
                        -D CMAKE_CXX_COMPILER=${compiler} -D VARIA_SOURCE=${source}
                RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "configuring varia as a subproject failed\n${output}")
endif()
load_cache(${work} READ_WITH_PREFIX sub_ VARIA_TESTS VARIA_EXAMPLES VARIA_BENCH)
foreach(option VARIA_TESTS VARIA_EXAMPLES VARIA_BENCH)
  if(NOT DEFINED sub_${option} OR sub_${option})
    message(FATAL_ERROR "${option} is '${sub_${option}}' in a subproject, expected OFF")
  endif()
endforeach()
