# bench/: dither_bench. The release build makes it only when asked (`make bench`); with tests it is always made.

file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
add_executable(dither_bench ${bench_sources})
set_target_properties(dither_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
add_dependencies(dither_bench dither) # bench/serve.c measures the program itself
target_include_directories(dither_bench PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(dither_bench PRIVATE house ${ROOMS_TO_LINK} PkgConfig::JANSSON)
# A module that bench/serve.c loads into a server.
add_library(slow_sync MODULE ${PROJECT_SOURCE_DIR}/bench/slow_sync/slow_sync.c)
set_target_properties(slow_sync PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench C_VISIBILITY_PRESET default)
target_compile_definitions(slow_sync PRIVATE _GNU_SOURCE)
target_link_libraries(slow_sync PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(dither_bench slow_sync)
if(NOT BUILD_TESTING)
    set_target_properties(dither_bench slow_sync PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
