# duckdb::duckdb: the system's libduckdb, or the one that tools/duckdb keeps in the user's cache.
# The room engine links it.

execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/duckdb --where
                OUTPUT_VARIABLE duckdb_where RESULT_VARIABLE duckdb_failed ERROR_QUIET)
if(duckdb_failed)
    message(STATUS "libduckdb is not there yet: tools/setup fetches it")
else()
    string(REGEX MATCH "include=([^\n]+)" _ "${duckdb_where}")
    set(duckdb_include ${CMAKE_MATCH_1})
    string(REGEX MATCH "library=([^\n]+)" _ "${duckdb_where}")
    set(duckdb_library ${CMAKE_MATCH_1})
    string(REGEX MATCH "ours=([^\n]+)" _ "${duckdb_where}")
    set(DUCKDB_IS_OURS ${CMAKE_MATCH_1}) # yes: from the cache, so `make install` must bring it along

    add_library(duckdb::duckdb SHARED IMPORTED)
    set_target_properties(duckdb::duckdb PROPERTIES
        IMPORTED_LOCATION ${duckdb_library} INTERFACE_INCLUDE_DIRECTORIES ${duckdb_include})
    message(STATUS "libduckdb: ${duckdb_library}")
endif()
