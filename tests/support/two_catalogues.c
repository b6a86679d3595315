#include "tests/support/two_catalogues.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/catalogue.h"

const char two_catalogues_policy[] =
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

static const char *const relations[] = {"patients_pkey", "patients", "visits", "clinics"};

/* ---- Two answers in one form ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void two_table_free(struct two_table *table)
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

static char *number_of(const struct two_catalogues *side, bool ours, const char *name, char out[40])
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
static char *fill_in(const struct two_catalogues *side, bool ours, const char *text)
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

static void add_row(struct two_table *table, size_t row, struct buffer *text)
{
    assert_int_equal(buffer_check(text, NULL), DITHER_OK);
    table->rows[row] = strdup(text->length > 0 ? text->data : "");
    buffer_free(text);
}

void two_ask_ours(const struct two_catalogues *side, const struct two_question *block, struct two_table *out)
{
    struct arena arena;
    struct catalogue_reply reply;
    error why = {.message = ""};
    char *text = fill_in(side, true, block->text), *given[TWO_MOST_PARAMETERS], numbers[8][40];
    struct catalogue_parameter parameters[TWO_MOST_PARAMETERS];
    for (size_t i = 0; i < block->parameter_count; i++) {
        given[i] = fill_in(side, true, block->parameters[i]);
        parameters[i] = (struct catalogue_parameter){0, given[i]};
    }
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        number_of(side, true, relations[i], numbers[i]);
    arena_init(&arena, 256 << 20);
    const struct catalogue_question question = {.text = text,
                                                .length = strlen(text),
                                                .user = "alice",
                                                .parameters = parameters,
                                                .parameter_count = block->parameter_count};
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

void two_ask_theirs(const struct two_catalogues *side, const struct two_question *block,
                    struct two_table *out)
{
    char *text = fill_in(side, false, block->text), *given[TWO_MOST_PARAMETERS], numbers[8][40];
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

const char *two_verdict(const struct two_table *ours, const struct two_table *theirs)
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

void two_table_show(const char *who, const struct two_table *table)
{
    print_error("%s: %s, %zu rows: %s\n", who, table->state, table->row_count,
                table->columns.data != NULL ? table->columns.data : "");
    for (size_t i = 0; i < table->row_count && i < 12; i++)
        print_error("    %s\n", table->rows[i]);
}

/* ---- Opening ---- */

void two_catalogues_open(struct two_catalogues *side, struct arena *arena)
{
    char connection[200];
    error why = {.message = ""};
    scratch_postgres_start(&side->scratch, "-c fsync=off");
    PGconn *first = PQconnectdb(side->scratch.connection);
    PGresult *made = PQexec(first, "CREATE DATABASE hospital");
    assert_int_equal(PQresultStatus(made), PGRES_COMMAND_OK);
    PQclear(made);
    PQfinish(first);
    snprintf(connection, sizeof connection, "host=127.0.0.1 port=%d user=postgres dbname=hospital",
             side->scratch.port);
    side->theirs = PQconnectdb(connection);
    made = PQexec(side->theirs, tables);
    if (PQresultStatus(made) != PGRES_COMMAND_OK)
        fail_msg("%s", PQerrorMessage(side->theirs));
    PQclear(made);
    made = PQexec(side->theirs, "SET SESSION AUTHORIZATION alice");
    PQclear(made);
    if (catalogue_open(catalogue_of(two_catalogues_policy, arena), getenv("DITHER"), &side->ours, &why) !=
        DITHER_OK)
        fail_msg("%s", why.message);
}

void two_catalogues_close(struct two_catalogues *side)
{
    PQfinish(side->theirs);
    scratch_postgres_stop(&side->scratch);
    catalogue_close(side->ours);
}
