# SPDX-License-Identifier: BSD-3-Clause
# cmake -D program=... -D folder=... -P shell_files.cmake: what the program prints for shells and for man, as files.
function(write file)
  execute_process(COMMAND ${program} ${ARGN} OUTPUT_FILE ${folder}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY ${folder})
write(varia completion bash)
write(_varia completion zsh)
write(varia.fish completion fish)
write(varia.1 man)
