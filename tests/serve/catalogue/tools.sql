-- Statements in the manner of Metabase and DBeaver, written for this test: the constructs that they use, on the tables that they ask.

-- which privileges there are, by quoted names
WITH rights AS (
    SELECT t.schemaname AS schema, t.objectname AS name,
        pg_catalog.has_table_privilege(current_user, '"' || replace(t.schemaname, '"', '""') || '"."' || replace(t.objectname, '"', '""') || '"', 'select') AS may_select,
        pg_catalog.has_any_column_privilege(current_user, '"' || replace(t.schemaname, '"', '""') || '"."' || replace(t.objectname, '"', '""') || '"', 'update') AS may_update
    FROM (SELECT schemaname, tablename AS objectname FROM pg_catalog.pg_tables
        UNION SELECT schemaname, viewname FROM pg_catalog.pg_views
        UNION SELECT schemaname, matviewname FROM pg_catalog.pg_matviews) AS t
    WHERE t.schemaname !~ '^pg_' AND t.schemaname <> 'information_schema' AND pg_catalog.has_schema_privilege(current_user, t.schemaname, 'usage'))
SELECT r.* FROM rights AS r
--> same

-- tables with comments; an estimate of rows is never there
SELECT n.nspname AS schema, c.relname AS name, CASE c.relkind WHEN 'r' THEN 'TABLE' WHEN 'v' THEN 'VIEW' ELSE NULL END AS type, d.description
FROM pg_catalog.pg_class AS c INNER JOIN pg_catalog.pg_namespace AS n ON c.relnamespace = n.oid
LEFT JOIN pg_catalog.pg_description AS d ON c.oid = d.objoid AND d.objsubid = '0' AND d.classoid = 'pg_class'::regclass
LEFT JOIN pg_stat_user_tables AS s ON n.nspname = s.schemaname AND c.relname = s.relname
WHERE n.nspname !~ '^pg_' AND c.relkind IN ('r', 'p', 'v', 'f', 'm') AND n.nspname IN ('public') ORDER BY type, schema, name
--> same

-- columns with names of types by format, comments by a name made of two, keys by a join of views
SELECT c.column_name AS name, CASE WHEN c.udt_schema IN ('public', 'pg_catalog') THEN FORMAT('%s', c.udt_name) ELSE FORMAT('"%s"."%s"', c.udt_schema, c.udt_name) END AS type,
    c.ordinal_position - 1 AS place, k.column_name IS NOT NULL AS is_key,
    COL_DESCRIPTION(CAST(CAST(FORMAT('%I.%I', CAST(c.table_schema AS TEXT), CAST(c.table_name AS TEXT)) AS REGCLASS) AS OID), c.ordinal_position) AS comment,
    (column_default IS NULL OR LOWER(column_default) = 'null') AND is_nullable = 'NO' AND NOT (column_default IS NOT NULL AND column_default LIKE '%nextval(%') AS required
FROM information_schema.columns AS c LEFT JOIN (
    SELECT tc.table_schema, tc.table_name, kc.column_name FROM information_schema.table_constraints AS tc
    INNER JOIN information_schema.key_column_usage AS kc ON tc.constraint_name = kc.constraint_name AND tc.table_schema = kc.table_schema AND tc.table_name = kc.table_name
    WHERE tc.constraint_type = 'PRIMARY KEY') AS k ON c.table_schema = k.table_schema AND c.table_name = k.table_name AND c.column_name = k.column_name
WHERE c.table_schema !~ '^information_schema|pg_' AND c.table_schema = 'public' ORDER BY c.table_name, place
--> columns: key_column_usage shows keys of tables that one may change; a role that only reads has none in PostgreSQL

-- letters of format
SELECT format('%s-%I-%L-%%', 'a b', 'a b', 'a''b'), format('%s', NULL::text), format('')
--> same

-- paths between tables, by numbers of columns
SELECT f.relname, fa.attname, p.relname AS to_table, pa.attname AS to_column FROM pg_constraint AS c
INNER JOIN pg_class AS f ON c.conrelid = f.oid INNER JOIN pg_attribute AS fa ON c.conrelid = fa.attrelid
INNER JOIN pg_class AS p ON c.confrelid = p.oid INNER JOIN pg_attribute AS pa ON c.confrelid = pa.attrelid
WHERE c.contype = 'f'::char AND fa.attnum = ANY(c.conkey) AND pa.attnum = ANY(c.confkey) ORDER BY 1, 2
--> same

-- schemas with all their columns
SELECT n.oid, n.*, d.description FROM pg_catalog.pg_namespace AS n
LEFT OUTER JOIN pg_catalog.pg_description AS d ON d.objoid = n.oid AND d.objsubid = 0 AND d.classoid = 'pg_namespace'::regclass WHERE n.nspname = 'public' ORDER BY nspname
--> columns: the owner and the rights of the schema differ

-- columns of one table with everything that may hang on them
SELECT c.relname, a.attname, a.attnum, a.atttypid, a.attnotnull, pg_catalog.pg_get_expr(ad.adbin, ad.adrelid, true) AS standard, d.description, dep.objid
FROM pg_catalog.pg_attribute AS a INNER JOIN pg_catalog.pg_class AS c ON a.attrelid = c.oid
LEFT OUTER JOIN pg_catalog.pg_attrdef AS ad ON a.attrelid = ad.adrelid AND a.attnum = ad.adnum
LEFT OUTER JOIN pg_catalog.pg_description AS d ON c.oid = d.objoid AND a.attnum = d.objsubid
LEFT OUTER JOIN pg_depend AS dep ON dep.refobjid = a.attrelid AND dep.deptype = 'i' AND dep.refobjsubid = a.attnum AND dep.classid = dep.refclassid
WHERE NOT a.attisdropped AND a.attnum > 0 AND c.oid = {patients} ORDER BY a.attnum
--> same

-- an index with its keys, sizes and use, which are absent
SELECT i.indkey AS keys, c.relname, t.relname AS of_table, i.indisunique, i.indisprimary, pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS condition,
    pg_catalog.pg_relation_size(i.indexrelid) AS size, pg_catalog.pg_stat_get_numscans(i.indexrelid) AS scans
FROM pg_catalog.pg_index AS i INNER JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid INNER JOIN pg_catalog.pg_class AS t ON t.oid = i.indrelid
WHERE i.indrelid = {patients} ORDER BY of_table, c.relname
--> columns: how large an index is and how often it was used is absent

-- whether a type is an array, by a function's name
SELECT t.typinput = 'pg_catalog.array_in'::regproc AS is_array, t.typtype, t.typname, n.nspname = ANY(current_schemas(true)) AS in_sight
FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n ON t.typnamespace = n.oid WHERE t.oid IN (25, 1009, 1700)
--> same

-- as SQLAlchemy 1.4: the columns of indexes by an outer join, their numbers as text
SELECT i.relname, ix.indisunique, a.attname, ix.indkey::varchar, ix.indoption::varchar
FROM pg_class AS t JOIN pg_index AS ix ON t.oid = ix.indrelid JOIN pg_class AS i ON i.oid = ix.indexrelid
LEFT OUTER JOIN pg_attribute AS a ON t.oid = a.attrelid AND a.attnum = ANY(ix.indkey)
WHERE t.relkind IN ('r', 'v', 'm') AND t.oid = {patients} AND ix.indisprimary = 't' ORDER BY t.relname, i.relname
--> same

-- what everybody asks first: columns with their types
SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position
--> same
