# src/: every folder named in src/ROOMS is one static library, room_NAME, that links the rooms above it.
# New files need no line here: the folder is looked through at every build.

file(STRINGS ${PROJECT_SOURCE_DIR}/src/ROOMS ROOMS REGEX "^[a-z]+$")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/ROOMS)

add_library(house INTERFACE) # what every piece of our code is compiled with
target_include_directories(house INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(house INTERFACE DITHER_VERSION="${PROJECT_VERSION}")
target_link_libraries(house INTERFACE house_flags Threads::Threads)

set(PROGRAM_ROOMS attack cli) # the program's alone: who links libdither need not have a SAT solver
set(BUILT_ROOMS "")   # room_base room_random ...: those that have code, in order
set(ROOMS_TO_LINK "") # the same, last first: the order in which the linker wants them
set(LIBRARY_PARTS "") # all that libdither.so links

function(add_room name)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.c)
    list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/src/cli/main.c) # the program's, below
    if(NOT sources)
        return()
    endif()
    add_library(room_${name} STATIC ${sources})
    set_target_properties(room_${name} PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/rooms)
    target_link_libraries(room_${name} PUBLIC house ${ROOMS_TO_LINK} ${PARTS_OF_${name}})
    set(BUILT_ROOMS ${BUILT_ROOMS} room_${name} PARENT_SCOPE)
    set(ROOMS_TO_LINK room_${name} ${ROOMS_TO_LINK} PARENT_SCOPE)
    if(NOT name IN_LIST PROGRAM_ROOMS)
        set(LIBRARY_PARTS ${LIBRARY_PARTS} ${PARTS_OF_${name}} PARENT_SCOPE)
    endif()
endfunction()

foreach(name IN LISTS ROOMS)
    add_room(${name})
endforeach()

set(LIBRARY_ROOMS ${BUILT_ROOMS})
list(TRANSFORM PROGRAM_ROOMS PREPEND room_ OUTPUT_VARIABLE program_rooms)
list(REMOVE_ITEM LIBRARY_ROOMS ${program_rooms})

# The shared library: all rooms but the program's; only dither_* can be seen from outside.
if(LIBRARY_ROOMS)
    list(TRANSFORM LIBRARY_ROOMS REPLACE ".+" "$<TARGET_OBJECTS:\\0>" OUTPUT_VARIABLE library_objects)
    add_library(libdither SHARED ${library_objects})
    set_target_properties(libdither PROPERTIES
        OUTPUT_NAME dither
        LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}
        LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_link_libraries(libdither PRIVATE house ${LIBRARY_PARTS})
    target_link_options(libdither PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
    if(NOT DITHER_FUZZ) # clang leaves its sanitizers' symbols open in a shared library
        target_link_options(libdither PRIVATE -Wl,-z,defs)
    endif()
endif()

# The program.
file(GLOB program_main CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/main.c)
if(program_main)
    add_executable(dither ${program_main})
    target_link_libraries(dither PRIVATE house ${ROOMS_TO_LINK})
endif()
