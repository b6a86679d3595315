# How everything is compiled: C17, strict warnings, hardening, and the sanitizers of the preset.

set(DITHER_SANITIZE "" CACHE STRING "Sanitizers, as in -fsanitize=")
option(DITHER_COVERAGE "Count the lines that run (gcov)" OFF)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

# No NDEBUG anywhere: a broken promise inside the program stops it, also at the user's.
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")
set(CMAKE_C_FLAGS_RELEASE "-O3 -g") # the noise loops are vectorised at -O3
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")

add_library(house_flags INTERFACE)
target_compile_definitions(house_flags INTERFACE _GNU_SOURCE)
target_compile_options(house_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
    -Wvla -Wcast-qual -Wformat=2 -Wundef -Wpointer-arith -Wwrite-strings -Wconversion -Wno-sign-conversion
    -Wimplicit-fallthrough
    -ffp-contract=off   # a*b+c rounds the same on every machine
    -fstack-protector-strong -fstack-clash-protection)
target_link_options(house_flags INTERFACE -Wl,-z,relro,-z,now -Wl,-z,noexecstack)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(house_flags INTERFACE -fcf-protection)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    target_compile_options(house_flags INTERFACE -mbranch-protection=standard)
endif()

if(DITHER_SANITIZE)
    set(sanitize -fsanitize=${DITHER_SANITIZE} -fno-sanitize-recover=all)
    target_compile_options(house_flags INTERFACE ${sanitize})
    target_link_options(house_flags INTERFACE ${sanitize})
elseif(CMAKE_BUILD_TYPE STREQUAL "Release" OR CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    target_compile_options(house_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()

if(DITHER_FUZZ)
    target_compile_options(house_flags INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(house_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(DITHER_COVERAGE)
    target_compile_options(house_flags INTERFACE --coverage -O0 -fprofile-update=atomic)
    target_link_options(house_flags INTERFACE --coverage)
endif()
