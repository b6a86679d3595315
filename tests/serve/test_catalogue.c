/* What psql, JDBC, ODBC, SQLAlchemy, psycopg, asyncpg and node's clients really send at connect and to list tables was
 * recorded from a server's log (tests/serve/catalogue/CLIENT.sql) and is replayed here twice: to a real PostgreSQL with the
 * same tables, and to our catalogue. After each statement stands what must hold:
 *
 *     --> same       the same columns (names, families of types) and the same rows, in any order
 *     --> columns    the same columns; rows differ for a reason that the line says
 *     --> refused    ours says 0A000, for a reason that the line says
 *
 *     --> other columns    a type differs for a reason that the line says
 *
 * {patients} stands for the number of that table, which differs between the two; so does it in the rows that are compared.
 * Types of one family have the same bytes for clients: text, name, varchar, "char"; and whole numbers. */
#include "tests/support/test.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "serve/catalogue.h"
#include "tests/support/catalogue.h"
#include "tests/support/scratch_postgres.h"

static const char policy[] =
    "dataset: hospital\n"
    "description: A made-up hospital\n"
    "tables:\n"
    "  patients:\n"
    "    description: People who were treated\n"
    "    source: patients.csv\n"
    "    unit: patient_id\n"
    "    rows_per_unit: 1\n"
    "    columns:\n"
    "      patient_id: {type: integer, null: false}\n"
    "      age: {type: integer, range: [0, 120], null: false}\n"
    "      region: {type: text, values: [north, south], null: false}\n"
    "      smoker: {type: boolean, null: false}\n"
    "      salary: {type: real, range: [0, 100000], description: 'Yearly, before tax'}\n"
    "      disease: {type: text}\n"
    "  visits:\n"
    "    source: visits.csv\n"
    "    join: {patient_id: patients.patient_id}\n"
    "    max_rows: 6\n"
    "    max_groups: 2\n"
    "    columns:\n"
    "      patient_id: {type: integer, null: false}\n"
    "      clinic_id: {type: integer, range: [1, 12], null: false}\n"
    "      day: {type: date, range: [2024-01-01, 2026-12-31]}\n"
    "      cost: {type: decimal, scale: 2, range: [0, 2000]}\n"
    "      arrived: {type: timestamp}\n"
    "  clinics:\n"
    "    source: clinics.csv\n"
    "    public: true\n"
    "    columns:\n"
    "      clinic_id: {type: integer}\n"
    "      name: {type: text}\n"
    "      Beds: {type: integer}\n"
    "budget:\n"
    "  epsilon: 10\n"
    "  per_question: 0.1\n"
    "analysts:\n"
    "  alice: {epsilon: 3}\n"
    "  mallory: {epsilon: 3}\n";

static const char tables[] = "CREATE TABLE patients (patient_id bigint NOT NULL PRIMARY KEY, age bigint NOT "
                             "NULL, region text NOT NULL, "
                             "smoker boolean NOT NULL, salary double precision, disease text);"
                             "CREATE TABLE visits (patient_id bigint NOT NULL REFERENCES patients "
                             "(patient_id), clinic_id bigint NOT NULL, "
                             "day date, cost numeric(18,2), arrived timestamp);"
                             "CREATE TABLE clinics (clinic_id bigint, name text, \"Beds\" bigint);"
                             "COMMENT ON TABLE patients IS 'People who were treated';"
                             "COMMENT ON COLUMN patients.salary IS 'Yearly, before tax';"
                             "COMMENT ON DATABASE hospital IS 'A made-up hospital';"
                             "CREATE ROLE alice LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO alice";

enum { MOST_PARAMETERS = 4, TEXT_BYTES = 80000 };

struct side {
    struct catalogue *ours;
    PGconn *theirs;
};

struct block {
    char place[200], title[400], text[TEXT_BYTES], expected[400];
    char parameters[MOST_PARAMETERS][400];
    size_t parameter_count;
};

static const char *const relations[] = {"patients_pkey", "patients", "visits", "clinics"};

/* ---- Two answers in one form ---- */

struct table {
    struct buffer columns;
    char **rows;
    size_t row_count;
    char state[6];
};

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void table_free(struct table *table)
{
    for (size_t i = 0; i < table->row_count; i++)
        free(table->rows[i]);
    free(table->rows);
    buffer_free(&table->columns);
}

static const char *family(unsigned oid)
{
    switch (oid) {
    case 20:
    case 21:
    case 23:
    case 26:
        return "whole";
    case 16:
        return "boolean";
    case 700:
    case 701:
        return "real";
    case 1005:
    case 1007:
    case 1016:
    case 1028:
    case 22:
    case 30:
    case 2211:
        return "whole[]";
    case 1000:
        return "boolean[]";
    case 1184:
        return "time";
    case 1002:
    case 1003:
    case 1009:
    case 1015:
    case 1034:
        return "text[]";
    case 3807:
    case 199:
        return "text[]";
    default:
        return "text";
    }
}

static char *number_of(const struct side *side, bool ours, const char *name, char out[40])
{
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT oid FROM pg_catalog.pg_class WHERE relname = '%s'", name);
    if (ours) {
        struct arena arena;
        struct catalogue_reply reply;
        char state[6];
        arena_init(&arena, 16 << 20);
        const struct catalogue_question question = {.text = sql, .length = strlen(sql), .user = "alice"};
        error why = {.message = ""};
        if (catalogue_answer(side->ours, &question, &arena, &reply, state, &why) != DITHER_OK)
            fail_msg("%s: %s", sql, why.message);
        assert_int_equal(reply.row_count, 1);
        snprintf(out, 40, "%s", reply.cells[0]);
        arena_free(&arena);
        return out;
    }
    PGresult *result = PQexec(side->theirs, sql);
    assert_int_equal(PQntuples(result), 1);
    snprintf(out, 40, "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
    return out;
}

/* {patients} -> its number. */
static char *fill_in(const struct side *side, bool ours, const char *text)
{
    struct buffer out;
    buffer_init(&out, 1 << 20);
    while (*text != '\0') {
        bool found = false;
        for (size_t i = 0; i < sizeof relations / sizeof *relations && !found; i++) {
            char mark[80], number[40];
            snprintf(mark, sizeof mark, "{%s}", relations[i]);
            found = strncmp(text, mark, strlen(mark)) == 0;
            if (found) {
                buffer_text(&out, number_of(side, ours, relations[i], number));
                text += strlen(mark);
            }
        }
        if (!found)
            buffer_byte(&out, *text++);
    }
    buffer_text(&out, "");
    assert_int_equal(buffer_check(&out, NULL), DITHER_OK);
    char *copy = strdup(out.data);
    buffer_free(&out);
    return copy;
}

/* A cell as it is compared: numbers of tables by name, and the name of the one who made everything. */
static void add_cell(struct buffer *row, const char *cell, char numbers[][40])
{
    buffer_byte(row, '|');
    if (cell == NULL) {
        buffer_text(row, "NULL");
        return;
    }
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (strcmp(cell, numbers[i]) == 0) {
            buffer_format(row, "<%s>", relations[i]);
            return;
        }
    buffer_text(row, strcmp(cell, "postgres") == 0 ? "dither" : cell);
}

static void add_row(struct table *table, size_t row, struct buffer *text)
{
    assert_int_equal(buffer_check(text, NULL), DITHER_OK);
    table->rows[row] = strdup(text->length > 0 ? text->data : "");
    buffer_free(text);
}

static void ask_ours(const struct side *side, const struct block *block, struct table *out)
{
    struct arena arena;
    struct catalogue_reply reply;
    error why = {.message = ""};
    char *text = fill_in(side, true, block->text), *given[MOST_PARAMETERS], numbers[8][40];
    struct catalogue_parameter parameters[MOST_PARAMETERS];
    for (size_t i = 0; i < block->parameter_count; i++) {
        given[i] = fill_in(side, true, block->parameters[i]);
        parameters[i] = (struct catalogue_parameter){0, given[i]};
    }
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        number_of(side, true, relations[i], numbers[i]);
    arena_init(&arena, 256 << 20);
    const struct catalogue_question question = {text, strlen(text), "alice", parameters,
                                                block->parameter_count};
    memset(out, 0, sizeof *out);
    buffer_init(&out->columns, 65536);
    if (catalogue_answer(side->ours, &question, &arena, &reply, out->state, &why) != DITHER_OK) {
        assert_true(why.message[0] != '\0');
        buffer_format(&out->columns, "%s", why.message);
    } else {
        strcpy(out->state, "00000");
        for (size_t i = 0; i < reply.column_count; i++)
            buffer_format(&out->columns, "%s %s; ", reply.columns[i].name, family(reply.columns[i].oid));
        out->row_count = reply.row_count;
        out->rows = calloc(reply.row_count + 1, sizeof *out->rows);
        for (size_t row = 0; row < reply.row_count; row++) {
            struct buffer line;
            buffer_init(&line, 1 << 20);
            for (size_t i = 0; i < reply.column_count; i++)
                add_cell(&line, reply.cells[row * reply.column_count + i], numbers);
            add_row(out, row, &line);
        }
        qsort(out->rows, out->row_count, sizeof *out->rows, by_text);
    }
    for (size_t i = 0; i < block->parameter_count; i++)
        free(given[i]);
    free(text);
    arena_free(&arena);
}

static void ask_theirs(const struct side *side, const struct block *block, struct table *out)
{
    char *text = fill_in(side, false, block->text), *given[MOST_PARAMETERS], numbers[8][40];
    for (size_t i = 0; i < block->parameter_count; i++)
        given[i] = fill_in(side, false, block->parameters[i]);
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        number_of(side, false, relations[i], numbers[i]);
    PGresult *result = PQexecParams(side->theirs, text, (int)block->parameter_count, NULL,
                                    (const char *const *)given, NULL, NULL, 0);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: PostgreSQL says %s", block->place, PQerrorMessage(side->theirs));
    memset(out, 0, sizeof *out);
    strcpy(out->state, "00000");
    buffer_init(&out->columns, 65536);
    for (int i = 0; i < PQnfields(result); i++)
        buffer_format(&out->columns, "%s %s; ", PQfname(result, i), family(PQftype(result, i)));
    out->row_count = (size_t)PQntuples(result);
    out->rows = calloc(out->row_count + 1, sizeof *out->rows);
    for (int row = 0; row < PQntuples(result); row++) {
        struct buffer line;
        buffer_init(&line, 1 << 20);
        for (int i = 0; i < PQnfields(result); i++)
            add_cell(&line, PQgetisnull(result, row, i) ? NULL : PQgetvalue(result, row, i), numbers);
        add_row(out, (size_t)row, &line);
    }
    qsort(out->rows, out->row_count, sizeof *out->rows, by_text);
    PQclear(result);
    for (size_t i = 0; i < block->parameter_count; i++)
        free(given[i]);
    free(text);
}

/* ---- Comparing ---- */

static const char *verdict(const struct table *ours, const struct table *theirs)
{
    if (strcmp(ours->state, "00000") != 0)
        return "refused";
    if (strcmp(ours->columns.data != NULL ? ours->columns.data : "",
               theirs->columns.data != NULL ? theirs->columns.data : "") != 0)
        return "other columns";
    if (ours->row_count != theirs->row_count)
        return "columns";
    for (size_t i = 0; i < ours->row_count; i++)
        if (strcmp(ours->rows[i], theirs->rows[i]) != 0)
            return "columns";
    return "same";
}

static void show(const char *who, const struct table *table)
{
    print_error("%s: %s, %zu rows: %s\n", who, table->state, table->row_count,
                table->columns.data != NULL ? table->columns.data : "");
    for (size_t i = 0; i < table->row_count && i < 12; i++)
        print_error("    %s\n", table->rows[i]);
}

static size_t wrong;

static void replay(const struct side *side, const struct block *block)
{
    struct table ours, theirs;
    ask_ours(side, block, &ours);
    ask_theirs(side, block, &theirs);
    const char *found = verdict(&ours, &theirs);
    if (strncmp(block->expected, found, strlen(found)) != 0 ||
        (strcmp(found, "refused") == 0 && strcmp(ours.state, "0A000") != 0)) {
        print_error("\n%s (%s): expected %s, found %s\n", block->place, block->title, block->expected, found);
        show("ours", &ours);
        show("theirs", &theirs);
        wrong++;
    }
    table_free(&ours);
    table_free(&theirs);
}

/* ---- Files ---- */

/* "$1 = 'a', $2 = 'b'" */
static void read_parameters(const char *line, struct block *block)
{
    while ((line = strchr(line, '\'')) != NULL && block->parameter_count < MOST_PARAMETERS) {
        size_t length = strcspn(line + 1, "'");
        assert_true(length < sizeof block->parameters[0]);
        snprintf(block->parameters[block->parameter_count++], sizeof block->parameters[0], "%.*s",
                 (int)length, line + 1);
        line += length + 2;
    }
}

static size_t replay_file(const struct side *side, const char *name)
{
    static struct block block;
    char path[300], line[TEXT_BYTES];
    size_t count = 0, number = 0, used = 0;
    snprintf(path, sizeof path, "%s/tests/serve/catalogue/%s.sql", getenv("SOURCE_DIR"), name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    memset(&block, 0, sizeof block);
    while (fgets(line, sizeof line, file) != NULL) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "--> ", 4) == 0) {
            snprintf(block.expected, sizeof block.expected, "%.300s", line + 4);
            replay(side, &block);
            memset(&block, 0, sizeof block);
            used = 0;
            count++;
        } else if (strncmp(line, "--$ ", 4) == 0) {
            read_parameters(line + 4, &block);
        } else if (strncmp(line, "-- ", 3) == 0 && used == 0) {
            snprintf(block.title, sizeof block.title, "%.300s", line + 3);
            snprintf(block.place, sizeof block.place, "%s.sql:%zu", name, number);
        } else if (line[0] != '\0') {
            assert_true(used + strlen(line) + 2 < sizeof block.text);
            used += (size_t)snprintf(block.text + used, sizeof block.text - used, "%s\n", line);
        }
    }
    fclose(file);
    assert_int_equal(used, 0);
    return count;
}

static void open_sides(struct side *side, struct scratch_postgres *scratch, struct arena *arena)
{
    char connection[200];
    error why = {.message = ""};
    scratch_postgres_start(scratch, "-c fsync=off");
    PGconn *first = PQconnectdb(scratch->connection);
    PGresult *made = PQexec(first, "CREATE DATABASE hospital");
    assert_int_equal(PQresultStatus(made), PGRES_COMMAND_OK);
    PQclear(made);
    PQfinish(first);
    snprintf(connection, sizeof connection, "host=127.0.0.1 port=%d user=postgres dbname=hospital",
             scratch->port);
    side->theirs = PQconnectdb(connection);
    made = PQexec(side->theirs, tables);
    if (PQresultStatus(made) != PGRES_COMMAND_OK)
        fail_msg("%s", PQerrorMessage(side->theirs));
    PQclear(made);
    made = PQexec(side->theirs, "SET SESSION AUTHORIZATION alice");
    PQclear(made);
    if (catalogue_open(catalogue_of(policy, arena), &side->ours, &why) != DITHER_OK)
        fail_msg("%s", why.message);
}

static void what_clients_send_is_answered_as_postgresql_does(void **state)
{
    (void)state;
    static const char *const files[] = {"psql", "jdbc", "odbc", "sqlalchemy", "psycopg", "node"};
    struct side side = {NULL, NULL};
    struct scratch_postgres scratch;
    struct arena arena;
    size_t count = 0;
    arena_init(&arena, 64 << 20);
    open_sides(&side, &scratch, &arena);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        count += replay_file(&side, files[i]);
    assert_true(count >= 150);
    PQfinish(side.theirs);
    scratch_postgres_stop(&scratch);
    catalogue_close(side.ours);
    arena_free(&arena);
    assert_int_equal(wrong, 0);
}

/* ---- Without a server ---- */

struct asked {
    struct arena arena;
    struct catalogue *catalogue;
    struct catalogue_reply reply;
    char state[6];
    error why;
};

static status ask(struct asked *asked, const char *text, const struct catalogue_parameter *parameters,
                  size_t count)
{
    const struct catalogue_question question = {text, strlen(text), "alice", parameters, count};
    asked->why.message[0] = '\0';
    return catalogue_answer(asked->catalogue, &question, &asked->arena, &asked->reply, asked->state,
                            &asked->why);
}

static int open_asked(void **state)
{
    struct asked *asked = calloc(1, sizeof *asked);
    arena_init(&asked->arena, 1 << 30);
    *state = asked;
    return catalogue_open(catalogue_of(policy, &asked->arena), &asked->catalogue, &asked->why) == DITHER_OK
               ? 0
               : -1;
}

static int close_asked(void **state)
{
    struct asked *asked = *state;
    catalogue_close(asked->catalogue);
    arena_free(&asked->arena);
    free(asked);
    return 0;
}

static const char *single(struct asked *asked, const char *text)
{
    if (ask(asked, text, NULL, 0) != DITHER_OK)
        fail_msg("%s: %s", text, asked->why.message);
    assert_int_equal(asked->reply.row_count, 1);
    assert_int_equal(asked->reply.column_count, 1);
    return asked->reply.cells[0] != NULL ? asked->reply.cells[0] : "NULL";
}

static void catalogue_questions_are_told_from_others(void **state)
{
    (void)state;
    static const char *const ours[] = {
        "SELECT * FROM pg_catalog.pg_class",
        "select relname from pg_class",
        "SELECT version()",
        "SELECT current_schema()",
        "SELECT current_user",
        "SELECT 'patients'::regclass",
        "SELECT * FROM information_schema.tables",
        "SELECT pg_is_in_recovery()",
        "SELECT * FROM pg_catalog.pg_nothing",
    };
    static const char *const others[] = {
        "SELECT count(*) FROM patients",
        "SELECT 1",
        "SELECT count(*) FROM patients WHERE region = version()",
        "SELECT * FROM",
        "DELETE FROM pg_class",
        "",
        "SELECT current_date",
    };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_true(catalogue_concerns(ours[i], strlen(ours[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(catalogue_concerns(others[i], strlen(others[i])));
}

static void what_is_not_understood_is_refused_with_a_state(void **state)
{
    struct asked *asked = *state;
    static const char *const refused[][2] = {
        {"SELECT * FROM read_csv('/etc/passwd')", "0A000"},
        {"SELECT * FROM '/etc/passwd'", "42601"},
        {"SELECT * FROM \"/etc/passwd\"", "42P01"},
        {"SELECT pg_read_file('/etc/passwd')", "0A000"},
        {"SELECT getvariable('dither_user')", "0A000"},
        {"SELECT * FROM duckdb_settings()", "0A000"},
        {"SELECT * FROM dither.phrases", "42P01"},
        {"SELECT dither.find_regclass('x')", "42883"},
        {"SELECT * FROM patients, pg_class", "42P01"},
        {"SELECT * FROM main.pg_class", "42P01"},
        {"SELECT 1::pg_catalog.polygon", "0A000"},
        {"SELECT relname, nonsense FROM pg_class", "0A000"},
        {"SELECT FROM WHERE", "42601"},
        {"DROP TABLE pg_class", "0A000"},
        {"SELECT 1; SELECT 2", "0A000"},
        {"SELECT repeat('x', 1000000000) FROM pg_class", "0A000"},
        {"SELECT a.attnum FROM pg_attribute a, pg_attribute b, pg_class c", "54000"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (ask(asked, refused[i][0], NULL, 0) == DITHER_OK)
            fail_msg("%s was answered", refused[i][0]);
        if (strcmp(asked->state, refused[i][1]) != 0)
            print_error("%s: %s %s\n", refused[i][0], asked->state, asked->why.message);
        assert_string_equal(asked->state, refused[i][1]);
        assert_true(asked->why.message[0] != '\0');
        assert_null(strstr(asked->why.message, "DuckDB"));
    }
}

static void only_the_asker_is_known_by_name(void **state)
{
    struct asked *asked = *state;
    assert_string_equal(single(asked, "SELECT string_agg(rolname, ',' ORDER BY rolname) FROM pg_roles"),
                        "alice,dither");
    assert_string_equal(single(asked, "SELECT string_agg(usename, ',' ORDER BY usename) FROM pg_user"),
                        "alice,dither");
    assert_string_equal(single(asked, "SELECT current_user"), "alice");
    assert_string_equal(single(asked, "SELECT count(*) FROM pg_authid WHERE rolname = 'mallory'"), "0");
}

static void nothing_tells_how_much_there_is(void **state)
{
    struct asked *asked = *state;
    assert_string_equal(single(asked, "SELECT min(reltuples) FROM pg_class"), "-1");
    assert_string_equal(single(asked, "SELECT max(reltuples) FROM pg_class"), "-1");
    assert_string_equal(single(asked, "SELECT max(relpages) FROM pg_class"), "0");
    assert_string_equal(single(asked, "SELECT pg_total_relation_size('patients'::regclass)"), "NULL");
    assert_string_equal(single(asked, "SELECT count(n_live_tup) FROM pg_stat_user_tables"), "0");
    assert_string_equal(single(asked, "SELECT count(*) FROM pg_stats"), "0");
}

static void parameters_take_the_places_of_literals(void **state)
{
    struct asked *asked = *state;
    const struct catalogue_parameter name[] = {{25, "patients"}};
    assert_int_equal(ask(asked, "SELECT relkind FROM pg_class WHERE relname = $1", name, 1), DITHER_OK);
    assert_int_equal(asked->reply.row_count, 1);
    assert_string_equal(asked->reply.cells[0], "r");
    assert_int_equal(asked->reply.columns[0].oid, 18);
    const struct catalogue_parameter names[] = {{1009, "{patients,\"visits\",none}"}};
    assert_int_equal(ask(asked, "SELECT relname FROM pg_class WHERE relname = ANY($1) ORDER BY 1", names, 1),
                     DITHER_OK);
    assert_int_equal(asked->reply.row_count, 2);
    const struct catalogue_parameter evil[] = {{25, "x' OR true --"}};
    assert_int_equal(ask(asked, "SELECT relname FROM pg_class WHERE relname = $1", evil, 1), DITHER_OK);
    assert_int_equal(asked->reply.row_count, 0);
    assert_int_equal(ask(asked, "SELECT relname FROM pg_class WHERE relname = $1", NULL, 0), DITHER_OK);
    assert_int_equal(asked->reply.row_count, 0);
    uint32_t oids[3];
    size_t count = 0;
    static const char text[] = "SELECT $2::oid FROM pg_class WHERE relname = $1 AND oid = ANY($3::oid[])";
    assert_int_equal(catalogue_parameters(text, strlen(text), oids, 3, &count, &asked->why), DITHER_OK);
    assert_int_equal(count, 3);
    assert_int_equal(oids[0], 25);
    assert_int_equal(oids[1], 26);
    assert_int_equal(oids[2], 1028);
}

int main(void)
{
    const struct CMUnitTest tests_of_catalogue[] = {
        cmocka_unit_test(catalogue_questions_are_told_from_others),
        cmocka_unit_test_setup_teardown(what_is_not_understood_is_refused_with_a_state, open_asked,
                                        close_asked),
        cmocka_unit_test_setup_teardown(only_the_asker_is_known_by_name, open_asked, close_asked),
        cmocka_unit_test_setup_teardown(nothing_tells_how_much_there_is, open_asked, close_asked),
        cmocka_unit_test_setup_teardown(parameters_take_the_places_of_literals, open_asked, close_asked),
        cmocka_unit_test(what_clients_send_is_answered_as_postgresql_does),
    };
    return cmocka_run_group_tests(tests_of_catalogue, NULL, NULL);
}
