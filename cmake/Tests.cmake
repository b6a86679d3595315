# tests/ROOM/test_NAME.c and tests/ROOM/test_NAME.sh become the CTest test ROOM/NAME; nothing to add here.
# lint/* are the checks of `make lint`.

enable_testing()

# Helpers that several tests share: #include "tests/support/NAME.h".
add_library(test_support INTERFACE)
file(GLOB support_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.c)
if(support_sources)
    add_library(test_support_code STATIC ${support_sources})
    target_include_directories(test_support_code PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(test_support_code PUBLIC house ${ROOMS_TO_LINK} PkgConfig::CMOCKA)
    target_link_libraries(test_support INTERFACE test_support_code)
endif()
target_include_directories(test_support INTERFACE ${PROJECT_SOURCE_DIR})
target_link_libraries(test_support INTERFACE house ${ROOMS_TO_LINK} PkgConfig::CMOCKA)

set(TEST_ENVIRONMENT
    "SOURCE_DIR=${PROJECT_SOURCE_DIR}"
    "BUILD_DIR=${PROJECT_BINARY_DIR}"
    "DITHER=${PROJECT_BINARY_DIR}/dither"
    "CC=${CMAKE_C_COMPILER}"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1"
    "DITHER_SANITIZE=${DITHER_SANITIZE}" # a program linked with our libdither.so must be built with the same
)

set(DITHER_TEST_TIMEOUT 600 CACHE STRING "Seconds after which a test has failed") # tools/mutants waits less

function(add_house_test name)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
    string(REGEX MATCH "^[^/]+" label ${name})
    set_tests_properties(${name} PROPERTIES
        ENVIRONMENT "${TEST_ENVIRONMENT}" LABELS ${label} TIMEOUT ${DITHER_TEST_TIMEOUT} SKIP_RETURN_CODE 77)
endfunction()

file(GLOB c_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*/test_*.c)
foreach(source IN LISTS c_tests)
    string(REGEX MATCH "tests/([^/]+)/test_([^/]+)\\.c$" _ ${source})
    set(room ${CMAKE_MATCH_1})
    set(name ${CMAKE_MATCH_2})
    add_executable(test_${room}_${name} ${source})
    set_target_properties(test_${room}_${name} PROPERTIES
        OUTPUT_NAME test_${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/${room})
    target_link_libraries(test_${room}_${name} PRIVATE test_support)
    add_house_test(${room}/${name} test_${room}_${name})
    file(STRINGS ${source} starts_program REGEX "getenv\\(\"DITHER\"\\)|two_catalogues.h")
    if(starts_program AND TARGET dither)
        add_dependencies(test_${room}_${name} dither)
    endif()
endforeach()

if(TARGET dither) # scripts test the program
    file(GLOB script_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*/test_*.sh)
    foreach(script IN LISTS script_tests)
        string(REGEX MATCH "tests/([^/]+)/test_([^/]+)\\.sh$" _ ${script})
        add_house_test(${CMAKE_MATCH_1}/${CMAKE_MATCH_2} bash ${script})
    endforeach()
    add_house_test(lint/mechanisms ${PROJECT_SOURCE_DIR}/tools/lint mechanisms)
endif()

foreach(check format rooms shell words)
    add_house_test(lint/${check} ${PROJECT_SOURCE_DIR}/tools/lint ${check})
endforeach()

# The benchmarks are built and run once here too, so that they cannot rot.
add_house_test(bench/runs dither_bench --quick --output ${PROJECT_BINARY_DIR}/bench-quick.json)

# The fuzzers: tests/fuzz/fuzz_NAME.c. In the fuzz preset each is a program of libFuzzer's; elsewhere one program runs all of them over
# their corpora, tests/base/corpus/NAME, as the tests fuzz/NAME.
file(GLOB fuzzers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_*.c)
if(DITHER_FUZZ)
    foreach(source IN LISTS fuzzers)
        get_filename_component(name ${source} NAME_WE)
        add_executable(${name} ${source})
        target_link_libraries(${name} PRIVATE test_support)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    endforeach()
else()
    set(list "")
    add_executable(fuzz_replay ${PROJECT_SOURCE_DIR}/tests/fuzz/replay.c ${fuzzers})
    target_link_libraries(fuzz_replay PRIVATE test_support)
    target_include_directories(fuzz_replay PRIVATE ${PROJECT_BINARY_DIR}/tests/fuzz)
    foreach(source IN LISTS fuzzers)
        get_filename_component(name ${source} NAME_WE)
        string(REPLACE fuzz_ "" name ${name})
        string(APPEND list "FUZZER(${name})\n")
        set_source_files_properties(${source} PROPERTIES
            COMPILE_DEFINITIONS LLVMFuzzerTestOneInput=fuzz_${name})
        add_house_test(fuzz/${name} fuzz_replay ${name} ${PROJECT_SOURCE_DIR}/tests/base/corpus/${name})
    endforeach()
    file(CONFIGURE OUTPUT tests/fuzz/fuzzers.inc CONTENT "${list}")
endif()
