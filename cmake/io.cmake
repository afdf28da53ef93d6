# SPDX-License-Identifier: BSD-3-Clause
# varia_io: scenario files (toml++), outputs (HDF5, nlohmann-json), the report; and the program.
enable_language(C)  # FindHDF5 asks for it
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
include(cmake/report.cmake)

file(GLOB io_sources CONFIGURE_DEPENDS src/io/*.cpp src/report/*.cpp)
add_library(varia_io STATIC ${io_sources})
target_link_libraries(varia_io PUBLIC varia::varia
  PRIVATE tomlplusplus::tomlplusplus nlohmann_json::nlohmann_json fmt::fmt hdf5::hdf5)
target_compile_definitions(varia_io PRIVATE
  TOML_HEADER_ONLY=0 VARIA_GALLERY_DIR="${PROJECT_SOURCE_DIR}/gallery")
varia_flags(varia_io)
varia_unity(varia_io 8)
# Half of the time goes into reading these; clang-tidy and the check of the headers do without.
target_precompile_headers(varia_io PRIVATE <Eigen/Dense> <nlohmann/json.hpp> <fmt/format.h> <algorithm> <map> <string> <vector>)
varia_report(varia_io)

file(GLOB app_sources CONFIGURE_DEPENDS apps/*.cpp)
varia_program(varia_cli "${app_sources}" OUTPUT varia FOLDER bin)
target_link_libraries(varia_cli PRIVATE varia_io nlohmann_json::nlohmann_json fmt::fmt CLI11::CLI11)
varia_unity(varia_cli 16)
install(DIRECTORY gallery DESTINATION ${CMAKE_INSTALL_DATADIR}/varia OPTIONAL)
