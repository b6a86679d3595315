# The outside libraries, and which room uses which. tools/setup installs them.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto SSL)
pkg_check_modules(GMP REQUIRED IMPORTED_TARGET gmp)
pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(LIBPQ REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(MICROHTTPD REQUIRED IMPORTED_TARGET libmicrohttpd)
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(CLP REQUIRED IMPORTED_TARGET clp)
find_library(CADICAL_LIBRARY cadical REQUIRED) # C++ inside
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
include(DuckDB) # duckdb::duckdb
find_library(PG_QUERY_LIBRARY pg_query REQUIRED)
pkg_check_modules(PROTOBUF_C REQUIRED IMPORTED_TARGET libprotobuf-c)

# room -> what it links beside the rooms above it, which it gets anyway, with what those link.
set(PARTS_OF_base PkgConfig::JANSSON PkgConfig::YAML PkgConfig::GMP PkgConfig::MPFR PkgConfig::LIBPQ m)
set(PARTS_OF_random OpenSSL::Crypto)
set(PARTS_OF_ledger PkgConfig::SQLITE)
set(PARTS_OF_sql ${PG_QUERY_LIBRARY} PkgConfig::PROTOBUF_C Threads::Threads)
set(PARTS_OF_engine duckdb::duckdb PkgConfig::SECCOMP)
set(PARTS_OF_serve OpenSSL::SSL PkgConfig::MICROHTTPD)
set(PARTS_OF_attack PkgConfig::CLP ${CADICAL_LIBRARY} stdc++)
