# SPDX-License-Identifier: BSD-3-Clause
# varia_io: scenario files (toml++), outputs (HDF5, nlohmann-json), the report; and the program.
enable_language(C)  # FindHDF5 asks for it
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
include(cmake/report.cmake)

file(GLOB io_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/io/*/*.cpp ${PROJECT_SOURCE_DIR}/src/report/*.cpp)
varia_unity(io_units varia_io 8 ${io_sources})
# The one path of this clone in the library has a source of its own: all others come from the compiler cache.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/source_gallery.cpp CONTENT
  "namespace varia::io {\nextern const char* const source_gallery;\nconst char* const source_gallery = \"${PROJECT_SOURCE_DIR}/gallery\";\n}  // namespace varia::io\n" @ONLY)
add_library(varia_io STATIC ${io_units} ${PROJECT_BINARY_DIR}/source_gallery.cpp)
target_link_libraries(varia_io PUBLIC varia::varia
  PRIVATE tomlplusplus::tomlplusplus nlohmann_json::nlohmann_json fmt::fmt hdf5::hdf5)
target_compile_definitions(varia_io PRIVATE TOML_HEADER_ONLY=0)
varia_flags(varia_io)
# A call from one source to another goes through the linker, as in the library varia: tools/mutate.py replaces single sources.
set_target_properties(varia_io PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_options(varia_io PRIVATE $<$<CONFIG:Debug>:-O0>)
# Half of the time goes into reading these; clang-tidy and the check of the headers do without.
target_precompile_headers(varia_io PRIVATE <Eigen/Dense> <nlohmann/json.hpp> <fmt/format.h> <algorithm> <map> <string> <vector>)
varia_report(varia_io)

file(GLOB app_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/*.cpp)
varia_unity(app_units varia_cli 16 ${app_sources})
varia_program(varia_cli "${app_units}" OUTPUT varia FOLDER bin)
target_compile_options(varia_cli PRIVATE $<$<CONFIG:Debug>:-O0>)
target_link_libraries(varia_cli PRIVATE varia_io nlohmann_json::nlohmann_json fmt::fmt CLI11::CLI11)
install(DIRECTORY gallery DESTINATION ${CMAKE_INSTALL_DATADIR}/varia OPTIONAL)

# The completion scripts and the manual page are what the program prints: it knows its verbs and options.
if(NOT CMAKE_CROSSCOMPILING)
  set(shell_files ${PROJECT_BINARY_DIR}/shell)
  add_custom_command(TARGET varia_cli POST_BUILD
    COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:varia_cli> -D folder=${shell_files} -P ${PROJECT_SOURCE_DIR}/cmake/shell_files.cmake
    BYPRODUCTS ${shell_files}/varia ${shell_files}/_varia ${shell_files}/varia.fish ${shell_files}/varia.1
    VERBATIM)
  install(FILES ${shell_files}/varia DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${shell_files}/_varia DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${shell_files}/varia.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(FILES ${shell_files}/varia.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
