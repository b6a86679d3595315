/* PostgreSQL's functions about its catalogue, as macros of our database. They read two tables that catalogue_fill.c fills:
 * phrases (what a number is called) and numbers (which number a name has). Their columns end in _, so that a name in an
 * argument never finds them by accident. */
#include "serve/catalogue_parts.h"

#define M "CREATE MACRO dither."
#define PHRASE(kind)                                                                                         \
    "(SELECT any_value(w_.words_) FROM dither.phrases w_ WHERE w_.kind_ = '" kind                            \
    "' AND w_.number_ = CAST(a_ AS BIGINT) AND w_.part_ = 0)"
#define PART(kind)                                                                                           \
    "(SELECT any_value(w_.words_) FROM dither.phrases w_ WHERE w_.kind_ = '" kind                            \
    "' AND w_.number_ = CAST(a_ AS BIGINT) AND w_.part_ = b_)"
#define FIND(kind)                                                                                           \
    "CAST(coalesce(TRY_CAST(a_ AS BIGINT), (SELECT any_value(w_.number_) FROM dither.numbers w_ WHERE "      \
    "w_.kind_ = '" kind "' AND w_.words_ = dither.bare_name(CAST(a_ AS VARCHAR)))) AS UINTEGER)"
#define TRUE_FOR_ALL "(a_) AS true, (a_, b_) AS true, (a_, b_, c_) AS true, (a_, b_, c_, d_) AS true"
#define NOTHING                                                                                              \
    "(a_) AS CAST(NULL AS VARCHAR), (a_, b_) AS CAST(NULL AS VARCHAR), (a_, b_, c_) AS CAST(NULL AS "        \
    "VARCHAR)"

const char *const catalogue_macros[] = {
    /* A name without its schema, if that is one of ours, and without quotes. */
    M "bare_name(a_) AS regexp_replace(regexp_replace(replace(CAST(a_ AS VARCHAR), '\"', ''), "
      "'^(pg_catalog|public|information_schema)[.]', ''), '[(].*$', '')",
    M "find_regclass(a_) AS " FIND("class"),
    M "find_regtype(a_) AS " FIND("type"),
    M "find_regproc(a_) AS " FIND("function"),
    M "find_regprocedure(a_) AS " FIND("function"),
    M "find_regnamespace(a_) AS " FIND("schema"),
    M "find_regrole(a_) AS CAST(coalesce(TRY_CAST(a_ AS BIGINT), CASE WHEN a_ = 'dither' THEN 10 WHEN a_ = "
      "getvariable('dither_user') THEN 16383 END) AS UINTEGER)",
    M "find_regoperator(a_) AS CAST(TRY_CAST(a_ AS BIGINT) AS UINTEGER)",
    M "regoperator_name(a_) AS CAST(a_ AS VARCHAR)",
    M "to_regclass(a_) AS dither.find_regclass(a_)",
    M "to_regtype(a_) AS dither.find_regtype(a_)",
    M "to_regnamespace(a_) AS dither.find_regnamespace(a_)",
    M "to_regproc(a_) AS dither.find_regproc(a_)",
    M "to_regrole(a_) AS dither.find_regrole(a_)",
    M "regclass_name(a_) AS CASE WHEN CAST(a_ AS BIGINT) = 0 THEN '-' ELSE coalesce(" PHRASE(
        "class") ", CAST(a_ AS VARCHAR)) END",
    M "regtype_name(a_) AS CASE WHEN CAST(a_ AS BIGINT) = 0 THEN '-' ELSE coalesce(" PHRASE(
        "type") ", CAST(a_ AS VARCHAR)) END",
    M "regproc_name(a_) AS CASE WHEN CAST(a_ AS BIGINT) = 0 THEN '-' ELSE coalesce(" PHRASE(
        "function") ", CAST(a_ AS VARCHAR)) END",
    M "regprocedure_name(a_) AS dither.regproc_name(a_)",
    M "regnamespace_name(a_) AS coalesce(" PHRASE("schema") ", CAST(a_ AS VARCHAR))",
    M "format_type(a_, b_) AS CASE WHEN CAST(a_ AS BIGINT) = 1700 AND b_ > 4 THEN 'numeric(' || ((b_ - 4) >> "
      "16) || ',' || "
      "((b_ - 4) & 65535) || ')' ELSE " PHRASE("type") " END",
    M "pg_get_userbyid(a_) AS CASE CAST(a_ AS BIGINT) WHEN 10 THEN 'dither' WHEN 16383 THEN "
      "getvariable('dither_user') ELSE "
      "'unknown (OID=' || CAST(a_ AS VARCHAR) || ')' END",
    M "regrole_name(a_) AS dither.pg_get_userbyid(a_)",
    M "obj_description(a_) AS " PHRASE("class comment") ", (a_, b_) AS CASE b_ WHEN 'pg_class' THEN " PHRASE(
        "class comment") " WHEN 'pg_database' THEN " PHRASE("database comment") " WHEN 'pg_namespace' "
                                                                                "THEN " PHRASE("schema "
                                                                                               "comment") " E"
                                                                                                          "N"
                                                                                                          "D",
    M "shobj_description(a_, b_) AS CASE b_ WHEN 'pg_database' THEN " PHRASE("database comment") " END",
    M "col_description(a_, b_) AS " PART("column comment"),
    M "pg_get_constraintdef(a_) AS " PHRASE("constraint") ", (a_, b_) AS " PHRASE("constraint"),
    M "pg_get_indexdef(a_) AS " PHRASE("index") ", (a_, b_, c_) AS CASE WHEN b_ = 0 AND c_ THEN " PHRASE(
        "index, short") " ELSE " PART("index") " END",
    M "pg_get_expr" NOTHING,
    M "pg_get_viewdef" NOTHING,
    M "pg_get_triggerdef" NOTHING,
    M "pg_get_ruledef" NOTHING,
    M "pg_get_functiondef" NOTHING,
    M "pg_get_function_arguments" NOTHING,
    M "pg_get_function_identity_arguments" NOTHING,
    M "pg_get_function_result" NOTHING,
    M "pg_get_function_sqlbody" NOTHING,
    M "pg_get_statisticsobjdef_columns" NOTHING,
    M "pg_get_statisticsobjdef" NOTHING,
    M "pg_get_serial_sequence" NOTHING,
    M "pg_get_partkeydef" NOTHING,
    M "pg_get_partition_constraintdef" NOTHING,
    M "pg_tablespace_location(a_) AS ''",
    M "inet_server_addr() AS CAST(NULL AS VARCHAR)",
    M "inet_server_port() AS CAST(NULL AS INTEGER)",
    M "inet_client_addr() AS CAST(NULL AS VARCHAR)",
    M "inet_client_port() AS CAST(NULL AS INTEGER)",
    M "pg_my_temp_schema() AS CAST(0 AS UINTEGER)",
    M "pg_is_other_temp_schema(a_) AS false",
    M "pg_table_is_visible(a_) AS EXISTS (SELECT 1 FROM dither.phrases w_ WHERE w_.kind_ = 'visible' AND "
      "w_.number_ = "
      "CAST(a_ AS BIGINT))",
    M "pg_type_is_visible(a_) AS true",
    M "pg_function_is_visible(a_) AS true",
    M "pg_operator_is_visible(a_) AS true",
    M "pg_opclass_is_visible(a_) AS true",
    M "pg_opfamily_is_visible(a_) AS true",
    M "pg_collation_is_visible(a_) AS true",
    M "pg_conversion_is_visible(a_) AS true",
    M "pg_ts_config_is_visible(a_) AS true",
    M "pg_ts_dict_is_visible(a_) AS true",
    M "pg_ts_parser_is_visible(a_) AS true",
    M "pg_ts_template_is_visible(a_) AS true",
    M "pg_statistics_obj_is_visible(a_) AS true",
    M "pg_relation_is_publishable(a_) AS false",
    M "pg_relation_is_updatable(a_, b_) AS 0",
    M "pg_column_is_updatable(a_, b_, c_) AS false",
    /* What may be read may be asked about; nothing may be written. */
    M "has_table_privilege(a_, b_) AS b_ ILIKE '%select%', (a_, b_, c_) AS c_ ILIKE '%select%'",
    M "has_any_column_privilege(a_, b_) AS b_ ILIKE '%select%', (a_, b_, c_) AS c_ ILIKE '%select%'",
    M "has_column_privilege(a_, b_, c_) AS c_ ILIKE '%select%', (a_, b_, c_, d_) AS d_ ILIKE '%select%'",
    M "has_schema_privilege(a_, b_) AS b_ ILIKE '%usage%', (a_, b_, c_) AS c_ ILIKE '%usage%'",
    M "has_database_privilege(a_, b_) AS b_ ILIKE '%connect%', (a_, b_, c_) AS c_ ILIKE '%connect%'",
    M "has_function_privilege" TRUE_FOR_ALL,
    M "has_type_privilege" TRUE_FOR_ALL,
    M "has_language_privilege" TRUE_FOR_ALL,
    M "has_tablespace_privilege(a_, b_) AS false, (a_, b_, c_) AS false",
    M "has_sequence_privilege(a_, b_) AS false, (a_, b_, c_) AS false",
    M "has_server_privilege(a_, b_) AS false, (a_, b_, c_) AS false",
    M "has_foreign_data_wrapper_privilege(a_, b_) AS false, (a_, b_, c_) AS false",
    M "pg_has_role(a_, b_) AS CAST(a_ AS VARCHAR) IN ('16383', getvariable('dither_user')), (a_, b_, c_) AS "
      "CAST(a_ AS "
      "VARCHAR) = CAST(b_ AS VARCHAR)",
    M "row_security_active(a_) AS false",
    M "current_schema() AS 'public'",
    M "current_schemas(a_) AS CASE WHEN a_ THEN ['pg_catalog', 'public'] ELSE ['public'] END",
    M "current_database() AS getvariable('dither_dataset')",
    M
    "current_setting(a_) AS (SELECT any_value(w_.setting) FROM dither.pg_settings w_ WHERE lower(w_.name) = "
    "lower(a_)), "
    "(a_, b_) AS (SELECT any_value(w_.setting) FROM dither.pg_settings w_ WHERE lower(w_.name) = lower(a_))",
    M "set_config(a_, b_, c_) AS CAST(b_ AS VARCHAR)",
    M "version() AS 'PostgreSQL 15.0 (Dither)'",
    M "pg_advisory_unlock_all() AS CAST(NULL AS VARCHAR)",
    M "pg_is_in_recovery() AS false",
    M "pg_is_wal_replay_paused() AS false",
    M "pg_backend_pid() AS 1",
    M "pg_postmaster_start_time() AS CAST(NULL AS TIMESTAMP)",
    M "pg_conf_load_time() AS CAST(NULL AS TIMESTAMP)",
    M "txid_current() AS CAST(NULL AS BIGINT)",
    M "pg_encoding_to_char(a_) AS CASE a_ WHEN 6 THEN 'UTF8' WHEN 0 THEN 'SQL_ASCII' ELSE '' END",
    M "pg_char_to_encoding(a_) AS CASE upper(a_) WHEN 'UTF8' THEN 6 WHEN 'SQL_ASCII' THEN 0 ELSE -1 END",
    M "pg_client_encoding() AS 'UTF8'",
    M "getdatabaseencoding() AS 'UTF8'",
    /* Sizes are of the data: absent. */
    M "pg_table_size(a_) AS CAST(NULL AS BIGINT)",
    M "pg_relation_size(a_) AS CAST(NULL AS BIGINT), (a_, b_) AS CAST(NULL AS BIGINT)",
    M "pg_total_relation_size(a_) AS CAST(NULL AS BIGINT)",
    M "pg_indexes_size(a_) AS CAST(NULL AS BIGINT)",
    M "pg_database_size(a_) AS CAST(NULL AS BIGINT)",
    M "pg_tablespace_size(a_) AS CAST(NULL AS BIGINT)",
    M "pg_stat_get_numscans(a_) AS CAST(NULL AS BIGINT)",
    M "pg_stat_get_live_tuples(a_) AS CAST(NULL AS BIGINT)",
    M "pg_stat_get_dead_tuples(a_) AS CAST(NULL AS BIGINT)",
    M "pg_size_pretty(a_) AS CAST(a_ AS VARCHAR)",
    M "quote_ident(a_) AS CASE WHEN regexp_full_match(CAST(a_ AS VARCHAR), '[a-z_][a-z0-9_]*') THEN CAST(a_ "
      "AS VARCHAR) ELSE '\"' || "
      "replace(CAST(a_ AS VARCHAR), '\"', '\"\"') || '\"' END",
    M "find_regcollation(a_) AS CAST(coalesce(TRY_CAST(a_ AS BIGINT), (SELECT any_value(w_.oid) FROM "
      "dither.pg_collation w_ WHERE w_.collname = dither.bare_name(a_))) AS UINTEGER)",
    M "regcollation_name(a_) AS coalesce((SELECT any_value(dither.quote_ident(w_.collname)) FROM "
      "dither.pg_collation w_ WHERE w_.oid = CAST(a_ AS BIGINT)), CAST(a_ AS VARCHAR))",
    M "quote_literal(a_) AS '''' || replace(CAST(a_ AS VARCHAR), '''', '''''') || ''''",
    M "array_lower(a_, b_) AS CASE WHEN len(a_) > 0 THEN 1 END",
    M "array_upper(a_, b_) AS CASE WHEN len(a_) > 0 THEN CAST(len(a_) AS INTEGER) END",
    M "expand(a_) AS list_transform(a_, lambda x_, i_: {'x': x_, 'n': CAST(i_ AS INTEGER)})",
    /* int2vector and oidvector count from 0. */
    M "vector_index(a_) AS a_ + 1",
    M "pg_partition_root(a_) AS a_",
    M "age(a_) AS 0",
    M "pg_get_keywords() AS TABLE SELECT word_ AS word, 'U' AS catcode, true AS barelabel, 'unreserved' AS "
      "catdesc, 'can be "
      "bare label' AS baredesc FROM (VALUES ('abort')) v_(word_) WHERE false",
    M "pg_options_to_table(a_) AS TABLE SELECT '' AS option_name, '' AS option_value WHERE false",
    M "no_numbers(a_) AS CAST([] AS UINTEGER[])",
    M "pg_partition_tree(a_) AS TABLE SELECT CAST(a_ AS UINTEGER) AS relid, CAST(a_ AS UINTEGER) AS "
      "parentrelid, true AS isleaf, 0 AS level WHERE false",
    M "array_remove(a_, b_) AS list_filter(a_, lambda x_: x_ IS DISTINCT FROM b_)",
    M "aclexplode(a_) AS TABLE SELECT CAST(0 AS UINTEGER) AS grantor, CAST(0 AS UINTEGER) AS grantee, '' AS "
      "privilege_type, "
      "false AS is_grantable WHERE false",
    M "pg_get_publication_tables(a_) AS TABLE SELECT CAST(0 AS UINTEGER) AS relid, CAST(1 AS BIGINT) AS "
      "depth WHERE false",
    M "acldefault(a_, b_) AS CAST(NULL AS VARCHAR[])",
    NULL,
};
