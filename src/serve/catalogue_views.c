/* The tables that follow from others, and the rows that are the same for every policy. Who asks is a variable of the
 * connection: nobody sees the names of other analysts. */
#include "serve/catalogue_parts.h"

#define ROLE_COLUMNS                                                                                         \
    "rolname, false AS rolsuper, true AS rolinherit, false AS rolcreaterole, false AS rolcreatedb, rolname " \
    "<> 'dither' AS "                                                                                        \
    "rolcanlogin, false AS rolreplication, -1 AS rolconnlimit, '********' AS rolpassword, CAST(NULL AS "     \
    "TIMESTAMP) AS "                                                                                         \
    "rolvaliduntil, false AS rolbypassrls, CAST(NULL AS VARCHAR[]) AS rolconfig, CAST(number_ AS UINTEGER) " \
    "AS oid"
#define ROLES "(VALUES (10, 'dither'), (16383, getvariable('dither_user'))) r_(number_, rolname)"
#define USER_COLUMNS                                                                                         \
    "rolname AS usename, CAST(number_ AS UINTEGER) AS usesysid, false AS usecreatedb, false AS usesuper, "   \
    "false AS "                                                                                              \
    "userepl, false AS usebypassrls, '********' AS passwd, CAST(NULL AS TIMESTAMP) AS valuntil, CAST(NULL "  \
    "AS "                                                                                                    \
    "VARCHAR[]) AS useconfig"
/* User tables with their schemas. */
#define OURS                                                                                                 \
    "dither.pg_class c JOIN dither.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'v')"
#define STANDARD "INSERT INTO dither_information."

const char *const catalogue_views[] = {
    "INSERT INTO dither.pg_namespace BY NAME SELECT * FROM (VALUES (11, 'pg_catalog', 10), (99, 'pg_toast', "
    "10), (2200, "
    "'public', 10), (13000, 'information_schema', 10)) v(oid, nspname, nspowner)",
    "INSERT INTO dither.pg_am BY NAME SELECT * FROM (VALUES (2, 'heap', 3, 't'), (403, 'btree', 330, 'i'), "
    "(405, 'hash', "
    "331, 'i'), (783, 'gist', 332, 'i'), (2742, 'gin', 333, 'i'), (4000, 'spgist', 334, 'i'), (3580, 'brin', "
    "335, 'i')) "
    "v(oid, amname, amhandler, amtype)",
    "INSERT INTO dither.pg_tablespace BY NAME SELECT * FROM (VALUES (1663, 'pg_default', 10), (1664, "
    "'pg_global', 10)) "
    "v(oid, spcname, spcowner)",
    "INSERT INTO dither.pg_collation BY NAME SELECT *, 11 AS collnamespace, 10 AS collowner, true AS "
    "collisdeterministic, "
    "-1 AS collencoding FROM (VALUES (100, 'default', 'd', NULL), (950, 'C', 'c', 'C'), (951, 'POSIX', 'c', "
    "'POSIX')) "
    "v(oid, collname, collprovider, collcollate)",
    "INSERT INTO dither.pg_language BY NAME SELECT *, 10 AS lanowner, false AS lanispl, false AS "
    "lanpltrusted, 0 AS "
    "lanplcallfoid, 0 AS laninline FROM (VALUES (12, 'internal', 2246), (13, 'c', 2247), (14, 'sql', 2248)) "
    "v(oid, "
    "lanname, lanvalidator)",
    "INSERT INTO dither.pg_database BY NAME SELECT 5 AS oid, getvariable('dither_dataset') AS datname, 10 AS "
    "datdba, 6 AS "
    "encoding, 'c' AS datlocprovider, false AS datistemplate, true AS datallowconn, -1 AS datconnlimit, '0' "
    "AS "
    "datfrozenxid, '0' AS datminmxid, 1663 AS dattablespace, 'C' AS datcollate, 'C' AS datctype",
    "INSERT INTO dither.pg_settings BY NAME SELECT name, setting, 'Preset Options' AS category, '' AS "
    "short_desc, "
    "'internal' AS context, 'string' AS vartype, 'default' AS source, setting AS boot_val, setting AS "
    "reset_val, false AS "
    "pending_restart FROM (VALUES ('server_version', '15.0'), ('server_version_num', '150000'), "
    "('server_encoding', "
    "'UTF8'), ('client_encoding', 'UTF8'), ('standard_conforming_strings', 'on'), ('DateStyle', 'ISO, MDY'), "
    "('IntervalStyle', 'postgres'), ('TimeZone', 'UTC'), ('integer_datetimes', 'on'), ('search_path', "
    "'\"$user\", public'), "
    "('max_index_keys', '32'), ('max_identifier_length', '63'), ('default_transaction_isolation', 'read "
    "committed'), "
    "('transaction_isolation', 'read committed'), ('default_transaction_read_only', 'on'), "
    "('transaction_read_only', "
    "'on'), ('lc_collate', 'C'), ('lc_ctype', 'C'), ('lc_messages', 'C'), ('lc_monetary', 'C'), "
    "('lc_numeric', 'C'), "
    "('lc_time', 'C'), ('bytea_output', 'hex'), ('extra_float_digits', '1'), ('statement_timeout', '0'), "
    "('is_superuser', 'off'), ('backslash_quote', 'safe_encoding'), ('escape_string_warning', 'on'), "
    "('block_size', "
    "'8192'), ('max_connections', '100'), ('jit', 'off'), ('application_name', ''), ('port', '5433'), "
    "('listen_addresses', "
    "'')) v(name, setting)",
    "CREATE VIEW dither.pg_roles AS SELECT " ROLE_COLUMNS " FROM " ROLES,
    "CREATE VIEW dither.pg_authid AS SELECT CAST(number_ AS UINTEGER) AS oid, rolname, false AS rolsuper, "
    "true AS "
    "rolinherit, false AS rolcreaterole, false AS rolcreatedb, rolname <> 'dither' AS rolcanlogin, false AS "
    "rolreplication, false AS rolbypassrls, -1 AS rolconnlimit, CAST(NULL AS VARCHAR) AS rolpassword, "
    "CAST(NULL AS "
    "TIMESTAMP) AS rolvaliduntil FROM " ROLES,
    "CREATE VIEW dither.pg_user AS SELECT " USER_COLUMNS " FROM " ROLES,
    "CREATE VIEW dither.pg_shadow AS SELECT " USER_COLUMNS " FROM " ROLES,
    "INSERT INTO dither.pg_tables BY NAME SELECT n.nspname AS schemaname, c.relname AS tablename, 'dither' "
    "AS tableowner, "
    "c.relhasindex AS hasindexes, false AS hasrules, c.relhastriggers AS hastriggers, false AS rowsecurity "
    "FROM " OURS " AND c.relkind = 'r'",
    "INSERT INTO dither.pg_views BY NAME SELECT n.nspname AS schemaname, c.relname AS viewname, 'dither' AS "
    "viewowner FROM " OURS " AND c.relkind = 'v'",
    "INSERT INTO dither.pg_indexes BY NAME SELECT 'public' AS schemaname, c.relname AS tablename, i.relname "
    "AS indexname, "
    "dither.pg_get_indexdef(i.oid) AS indexdef FROM dither.pg_index x JOIN dither.pg_class c ON c.oid = "
    "x.indrelid JOIN "
    "dither.pg_class i ON i.oid = x.indexrelid",
    /* Which tables; how much is in them, or happened to them, is nobody's business. */
    "INSERT INTO dither.pg_statio_all_tables BY NAME SELECT c.oid AS relid, n.nspname AS schemaname, "
    "c.relname AS relname FROM " OURS " AND c.relkind = 'r'",
    "INSERT INTO dither.pg_stat_all_tables BY NAME SELECT c.oid AS relid, n.nspname AS schemaname, c.relname "
    "AS relname FROM " OURS " AND c.relkind = 'r'",
    "INSERT INTO dither.pg_statio_user_tables BY NAME SELECT c.oid AS relid, n.nspname AS schemaname, "
    "c.relname AS relname FROM " OURS " AND c.relkind = 'r' AND n.nspname = 'public'",
    "INSERT INTO dither.pg_stat_user_tables BY NAME SELECT c.oid AS relid, n.nspname AS schemaname, "
    "c.relname AS relname FROM " OURS " AND c.relkind = 'r' AND n.nspname = 'public'",
    STANDARD "schemata BY NAME SELECT getvariable('dither_dataset') AS catalog_name, nspname AS schema_name, "
             "'dither' AS "
             "schema_owner FROM dither.pg_namespace",
    STANDARD "tables BY NAME SELECT getvariable('dither_dataset') AS table_catalog, n.nspname AS "
             "table_schema, c.relname AS "
             "table_name, CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'BASE TABLE' END AS table_type, 'NO' AS "
             "is_insertable_into, 'NO' AS is_typed FROM " OURS,
    STANDARD "views BY NAME SELECT getvariable('dither_dataset') AS table_catalog, n.nspname AS "
             "table_schema, c.relname AS "
             "table_name, 'NONE' AS check_option, 'NO' AS is_updatable, 'NO' AS is_insertable_into FROM " OURS
             " AND c.relkind = 'v'",
    STANDARD
    "columns BY NAME SELECT getvariable('dither_dataset') AS table_catalog, n.nspname AS table_schema, "
    "c.relname AS "
    "table_name, a.attname AS column_name, a.attnum AS ordinal_position, CASE WHEN a.attnotnull THEN 'NO' "
    "ELSE 'YES' END AS "
    "is_nullable, CASE WHEN t.typcategory = 'A' THEN 'ARRAY' ELSE dither.format_type(a.atttypid, -1) END AS "
    "data_type, CASE "
    "a.atttypid WHEN 20 THEN 64 WHEN 21 THEN 16 WHEN 23 THEN 32 WHEN 701 THEN 53 WHEN 700 THEN 24 WHEN 1700 "
    "THEN 18 END AS "
    "numeric_precision, CASE WHEN a.atttypid IN (20, 21, 23, 700, 701) THEN 2 WHEN a.atttypid = 1700 THEN 10 "
    "END AS "
    "numeric_precision_radix, CASE WHEN a.atttypid IN (20, 21, 23) THEN 0 WHEN a.atttypid = 1700 THEN "
    "(a.atttypmod - 4) & "
    "65535 END AS numeric_scale, CASE a.atttypid WHEN 25 THEN 1073741824 END AS character_octet_length, CASE "
    "a.atttypid WHEN "
    "1082 THEN 0 WHEN 1114 THEN 6 WHEN 1184 THEN 6 END AS datetime_precision, getvariable('dither_dataset') "
    "AS udt_catalog, "
    "'pg_catalog' AS udt_schema, t.typname AS udt_name, CAST(a.attnum AS VARCHAR) AS dtd_identifier, 'NO' AS "
    "is_self_referencing, 'NO' AS is_identity, 'NO' AS identity_cycle, 'NEVER' AS is_generated, 'NO' AS "
    "is_updatable FROM "
    "dither.pg_attribute a JOIN dither.pg_type t ON t.oid = a.atttypid JOIN dither.pg_class c ON c.oid = "
    "a.attrelid JOIN "
    "dither.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'v')",
    STANDARD
    "table_constraints BY NAME SELECT getvariable('dither_dataset') AS constraint_catalog, 'public' AS "
    "constraint_schema, k.conname AS constraint_name, getvariable('dither_dataset') AS table_catalog, "
    "'public' AS "
    "table_schema, c.relname AS table_name, CASE k.contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'FOREIGN KEY' "
    "END AS "
    "constraint_type, 'NO' AS is_deferrable, 'NO' AS initially_deferred, 'YES' AS enforced FROM "
    "dither.pg_constraint k JOIN dither.pg_class c ON c.oid = k.conrelid",
    STANDARD
    "key_column_usage BY NAME SELECT getvariable('dither_dataset') AS constraint_catalog, 'public' AS "
    "constraint_schema, k.conname AS constraint_name, getvariable('dither_dataset') AS table_catalog, "
    "'public' AS "
    "table_schema, c.relname AS table_name, a.attname AS column_name, k.place AS ordinal_position, CASE WHEN "
    "k.contype = 'f' THEN 1 END AS position_in_unique_constraint FROM (SELECT *, unnest(conkey) AS key, "
    "generate_subscripts(conkey, 1) AS place FROM dither.pg_constraint) k JOIN dither.pg_class c ON c.oid = "
    "k.conrelid JOIN dither.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.key",
    STANDARD
    "constraint_column_usage BY NAME SELECT getvariable('dither_dataset') AS table_catalog, 'public' AS "
    "table_schema, c.relname AS table_name, a.attname AS column_name, getvariable('dither_dataset') AS "
    "constraint_catalog, 'public' AS constraint_schema, k.conname AS constraint_name FROM (SELECT *, "
    "unnest(CASE contype WHEN 'f' THEN confkey ELSE conkey END) AS key FROM dither.pg_constraint) k JOIN "
    "dither.pg_class c ON c.oid = CASE k.contype WHEN 'f' THEN k.confrelid ELSE k.conrelid END JOIN "
    "dither.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.key",
    NULL,
};
