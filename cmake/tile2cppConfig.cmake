# What find_package(tile2cpp) gives. Find it with -Dtile2cpp_DIR=$(tile2cpp include-path --cmake).
#
#   tile2cpp::cpu    kernels compiled by the C++ compiler, for the CPU; no CUDA toolkit is needed
#   tile2cpp::cuda   kernels compiled by nvcc 12 or 13, with the bundled library
#   tile2cpp::tile   kernels compiled by NVIDIA's tile compiler: nvcc 13.3 or newer, -enable-tile
#   tile2cpp::tile2cpp   one of them, which TILE2CPP_MACHINE names: cpu, cuda or tile
#
#   tile2cpp_sources(TARGET file.cu...)
#       adds files with kernels in C++, to be compiled for the machine.
#   tile2cpp_kernels(TARGET kernels.py KERNELS name... [SIGNATURE text...] [GPU sm_XX] [DEPENDS file...])
#       translates kernels of a Python file when it or one of the other files changes, and compiles them into TARGET,
#       whose files include "name.hpp" and call launch_name(grid, stream, ...). A kernel called by a word of C++, such as
#       double, is double_ here. Several signatures say which kernel they are for: "name(x: f32[?], N=16)".

if(TARGET tile2cpp_tile2cpp)
  return()
endif()

get_filename_component(tile2cpp_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(tile2cpp_INCLUDE_DIR "${tile2cpp_ROOT}/include")

# --- the machine ----------------------------------------------------------------------

if(NOT DEFINED TILE2CPP_MACHINE)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(tile2cpp_found cuda)
  else()
    set(tile2cpp_found cpu)
  endif()
  set(TILE2CPP_MACHINE ${tile2cpp_found} CACHE STRING "What compiles and runs kernels: cpu, cuda, or tile")
  set_property(CACHE TILE2CPP_MACHINE PROPERTY STRINGS cpu cuda tile)
endif()
if(NOT TILE2CPP_MACHINE MATCHES "^(cpu|cuda|tile)$")
  message(FATAL_ERROR "TILE2CPP_MACHINE is '${TILE2CPP_MACHINE}'; it must be cpu, cuda or tile")
endif()
if(NOT TILE2CPP_MACHINE STREQUAL cpu)
  enable_language(CUDA)
endif()

# --- targets --------------------------------------------------------------------------
# Not IMPORTED ones: headers of those come last, and toolkits from 13.1 on have a cuda_tile.h, too.

add_library(tile2cpp_cpu INTERFACE)
add_library(tile2cpp::cpu ALIAS tile2cpp_cpu)
target_include_directories(tile2cpp_cpu INTERFACE "${tile2cpp_INCLUDE_DIR}" "${tile2cpp_INCLUDE_DIR}/host_shims")
target_compile_features(tile2cpp_cpu INTERFACE cxx_std_20)
# Integers wrap around, floats are rounded after every operation; a compiler does not know the hints in attributes.
target_compile_options(tile2cpp_cpu INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fwrapv;-fno-strict-aliasing;-ffp-contract=off;-Wno-attributes>)

add_library(tile2cpp_cuda INTERFACE)
add_library(tile2cpp::cuda ALIAS tile2cpp_cuda)
target_include_directories(tile2cpp_cuda INTERFACE "${tile2cpp_INCLUDE_DIR}" "${tile2cpp_INCLUDE_DIR}/device_shims")
target_compile_features(tile2cpp_cuda INTERFACE cxx_std_20)
target_compile_definitions(tile2cpp_cuda INTERFACE T2C_CUDA)
target_compile_options(tile2cpp_cuda INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)  # not every CMake knows a feature for it

add_library(tile2cpp_tile INTERFACE)
add_library(tile2cpp::tile ALIAS tile2cpp_tile)
target_include_directories(tile2cpp_tile INTERFACE "${tile2cpp_INCLUDE_DIR}")
target_compile_features(tile2cpp_tile INTERFACE cxx_std_20)
target_compile_definitions(tile2cpp_tile INTERFACE T2C_CUDA)
target_compile_options(tile2cpp_tile INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;-enable-tile>)

# C++ files that call kernels need the headers of the runtime, too; its library is linked by CMake itself.
foreach(machine cuda tile)
  target_include_directories(tile2cpp_${machine} SYSTEM INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}>)
endforeach()

add_library(tile2cpp_tile2cpp INTERFACE)
add_library(tile2cpp::tile2cpp ALIAS tile2cpp_tile2cpp)
target_link_libraries(tile2cpp_tile2cpp INTERFACE tile2cpp_${TILE2CPP_MACHINE})

# --- kernels --------------------------------------------------------------------------

# Compiles files with kernels in them, which end in .cu, by the machine's compiler.
function(tile2cpp_sources target)
  foreach(file IN LISTS ARGN)
    if(TILE2CPP_MACHINE STREQUAL cpu)
      set_source_files_properties("${file}" PROPERTIES LANGUAGE CXX)
    else()
      set_source_files_properties("${file}" PROPERTIES LANGUAGE CUDA)
    endif()
  endforeach()
  target_sources(${target} PRIVATE ${ARGN})
endfunction()

# The command that translates; a list, such as python3;-m;tile2cpp.
function(tile2cpp_command result)
  if(NOT TILE2CPP_COMMAND)
    find_program(tile2cpp_PROGRAM tile2cpp)
    if(NOT tile2cpp_PROGRAM)
      message(FATAL_ERROR "the command `tile2cpp` was not found: pip install tile2cpp, or set TILE2CPP_COMMAND")
    endif()
    set(TILE2CPP_COMMAND "${tile2cpp_PROGRAM}")
  endif()
  set(${result} ${TILE2CPP_COMMAND} PARENT_SCOPE)
endfunction()

function(tile2cpp_kernels target python_file)
  cmake_parse_arguments(given "" "GPU" "KERNELS;SIGNATURE;DEPENDS" ${ARGN})
  if(NOT given_KERNELS)
    message(FATAL_ERROR "tile2cpp_kernels(${target} ${python_file}): name the kernels of the file, KERNELS name...")
  endif()
  tile2cpp_command(command)
  get_filename_component(source "${python_file}" ABSOLUTE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels")
  set(options "")
  foreach(text IN LISTS given_SIGNATURE)
    list(APPEND options --signature "${text}")
  endforeach()
  if(given_GPU)
    list(APPEND options --target ${given_GPU})
  endif()
  foreach(kernel IN LISTS given_KERNELS)
    add_custom_command(
      OUTPUT "${folder}/${kernel}.cu" "${folder}/${kernel}.hpp"
      COMMAND ${command} translate "${source}" --kernel ${kernel} --launcher -o "${folder}" ${options}
      DEPENDS "${source}" ${given_DEPENDS} VERBATIM COMMENT "Translating ${kernel}")
    # The one file that holds the launcher; all others see its declaration.
    file(GENERATE OUTPUT "${folder}/${kernel}_launcher.cu" CONTENT "#define T2C_DEFINE_LAUNCHERS\n#include \"${kernel}.hpp\"\n")
    set_source_files_properties("${folder}/${kernel}_launcher.cu" PROPERTIES OBJECT_DEPENDS "${folder}/${kernel}.cu;${folder}/${kernel}.hpp")
    tile2cpp_sources(${target} "${folder}/${kernel}_launcher.cu")
    target_sources(${target} PRIVATE "${folder}/${kernel}.hpp")
  endforeach()
  target_include_directories(${target} PRIVATE "${folder}")
  target_compile_definitions(${target} PRIVATE T2C_DECLARE_LAUNCHERS)
endfunction()
