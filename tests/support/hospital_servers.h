/* hospital_servers.h - where the rows of a small hospital are: in files for DuckDB, on a PostgreSQL server, or on three.
 *
 * The three are a coordinator and two shards: tables partitioned by the hash of their unit, whose partitions are
 * foreign tables (postgres_fdw, asynchronous). Clinics and readings stay on the coordinator. Keys are primary keys
 * where a server can enforce them. The role is `dither`, which may SELECT and nothing else. */
#ifndef TESTS_SUPPORT_HOSPITAL_SERVERS_H
#define TESTS_SUPPORT_HOSPITAL_SERVERS_H

#include "tests/support/scratch_postgres.h"
#include "tests/support/small_hospital.h"

enum hospital_place { HOSPITAL_FILES, HOSPITAL_SERVER, HOSPITAL_CLUSTER };

struct hospital_servers {
    enum hospital_place place;
    struct scratch_postgres servers[3];
    size_t count;
};

void hospital_servers_start(struct hospital_servers *servers, enum hospital_place place);
void hospital_servers_stop(struct hospital_servers *servers);

/* Makes the hospital with its rows in a database of its own. On the cluster the owner's proofs are made, too. */
void hospital_servers_make(struct hospital_servers *servers, const char *database,
                           struct small_hospital *hospital, const struct small_hospital_options *options);

/* "host=... user=... dbname=..." of server `index`. */
void hospital_servers_connection(const struct hospital_servers *servers, size_t index, const char *user,
                                 const char *database, char room[200]);

#endif
