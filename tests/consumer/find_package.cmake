# SPDX-License-Identifier: BSD-3-Clause
file(REMOVE_RECURSE ${work})

function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

step(${CMAKE_COMMAND} --install ${varia_build} --prefix ${work}/prefix)
step(${CMAKE_COMMAND} -S ${project} -B ${work}/build -G ${generator} -D CMAKE_CXX_COMPILER=${compiler}
     -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${work}/prefix -D VARIA_EXPECTED=${version})
step(${CMAKE_COMMAND} --build ${work}/build)
step(${work}/build/consumer)
if(NOT output MATCHES "varia ${version}")
  message(FATAL_ERROR "the consumer printed\n${output}")
endif()
step(${work}/prefix/bin/varia --version)
message(STATUS "${output}")
