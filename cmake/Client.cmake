# libdither_client.a: the clients of local privacy (dither_local_*, and the random bits that they need) for apps that have no use for the rest. Needs
# libcrypto, which is where random bits come from, and libm; nothing else.
#
# The linker takes from the rooms what these functions reach, as one object of which only dither_* can be seen. The exact laws of the mechanisms
# (`probability`), which tests enumerate, are reached too and count with GMP; no client calls them, so GMP's names may stay open.

set(client_rooms local policy sql random base)
set(client_archives "")
set(client_targets "")
foreach(name IN LISTS client_rooms)
    list(APPEND client_archives $<TARGET_FILE:room_${name}>)
    list(APPEND client_targets room_${name})
endforeach()
set(client_names "")
foreach(name random_new random_free local_init local_report local_report_number local_report_set local_report_text local_report_size
        local_report_again local_memory_size local_draw)
    list(APPEND client_names -u dither_${name})
endforeach()

set(client_library ${PROJECT_BINARY_DIR}/libdither_client.a)
add_custom_command(OUTPUT ${client_library}
    COMMAND ${CMAKE_LINKER} -r -o client.o ${client_names} --start-group ${client_archives} --end-group
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard --weaken-symbol=__gmp* client.o
    COMMAND ${CMAKE_COMMAND} -E rm -f ${client_library}
    COMMAND ${CMAKE_AR} rcs ${client_library} client.o
    DEPENDS ${client_targets}
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    VERBATIM)
add_custom_target(libdither_client ALL DEPENDS ${client_library})
