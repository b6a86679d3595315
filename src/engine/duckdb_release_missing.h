/* Until duckdb_release.h is here. */
#ifndef ENGINE_DUCKDB_RELEASE_MISSING_H
#define ENGINE_DUCKDB_RELEASE_MISSING_H
#define duckdb_release_run(connection, dialect, request, arena, out, complaint, why)                         \
    ((void)(dialect), (void)(connection), (void)(request), (void)(arena), (void)(out),                       \
     fail(why, DITHER_IO, "not there yet"))
#define duckdb_release_text(dialect, release, out, why)                                                      \
    ((void)(dialect), (void)(release), (void)(out), fail(why, DITHER_IO, "not there yet"))
#define duckdb_release_prepare(connection, dialect, release, why)                                            \
    ((void)(dialect), (void)(connection), (void)(release), fail(why, DITHER_IO, "not there yet"))
static inline status duckdb_bound_register_missing(duckdb_connection connection)
{
    return connection != NULL ? DITHER_OK : DITHER_IO;
}
#define duckdb_bound_register(connection, why) duckdb_bound_register_missing(connection)
#endif
