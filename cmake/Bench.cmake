# bench/: dither_bench. The release build makes it only when asked (`make bench`); with tests it is always made.

file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
add_executable(dither_bench ${bench_sources})
set_target_properties(dither_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
add_dependencies(dither_bench dither) # bench/serve.c measures the program itself
target_include_directories(dither_bench PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(dither_bench PRIVATE house ${ROOMS_TO_LINK} PkgConfig::JANSSON)
if(NOT BUILD_TESTING)
    set_target_properties(dither_bench PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
