# What `make install` copies: the library and the small one for clients, their one header, dither.pc and dither-client.pc, the program, its page of the manual and its unit for systemd.

file(GLOB public_header CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/dither.h)
if(TARGET libdither AND public_header)
    # The prefix is found from where dither.pc lies, so that --prefix and DESTDIR may be chosen at installation.
    set(PC_DIRECTORY ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    file(RELATIVE_PATH PC_PREFIX /${PC_DIRECTORY} /)
    string(REGEX REPLACE "/$" "" PC_PREFIX ${PC_PREFIX})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/dither.pc.in ${PROJECT_BINARY_DIR}/dither.pc @ONLY)

    install(TARGETS libdither LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES ${public_header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/dither-client.pc.in ${PROJECT_BINARY_DIR}/dither-client.pc @ONLY)
    install(FILES ${client_library} DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES ${PROJECT_BINARY_DIR}/dither.pc ${PROJECT_BINARY_DIR}/dither-client.pc DESTINATION ${PC_DIRECTORY})
endif()
if(TARGET dither)
    install(TARGETS dither RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES ${PROJECT_SOURCE_DIR}/docs/dither.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    # The unit names the program by its whole path, which is known at installation.
    install(CODE "set(DITHER_PROGRAM \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/dither\")
        configure_file(\"${PROJECT_SOURCE_DIR}/packaging/dither@.service.in\" \"${PROJECT_BINARY_DIR}/dither@.service\" @ONLY)")
    install(FILES ${PROJECT_BINARY_DIR}/dither@.service DESTINATION lib/systemd/system)
endif()

# The libduckdb that tools/duckdb fetched is on nobody's search path: where a room links it, it comes along.
if(DUCKDB_IS_OURS AND "duckdb::duckdb" IN_LIST LIBRARY_PARTS)
    install(FILES ${duckdb_library} DESTINATION ${CMAKE_INSTALL_LIBDIR}/dither)
    set_target_properties(libdither PROPERTIES INSTALL_RPATH "\$ORIGIN/dither")
    if(TARGET dither)
        set_target_properties(dither PROPERTIES INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/dither")
    endif()
endif()
