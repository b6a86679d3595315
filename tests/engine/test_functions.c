/* Every function of the list means what PostgreSQL means by it, and never fails.
 *
 * Each overload is called on all combinations of edge values: in DuckDB through our printer and our C functions, and in
 * a PostgreSQL server, which gets PostgreSQL's own spelling. The values must be equal; where PostgreSQL raises an
 * error, or leaves the years 1 to 9999, we must have NULL. The same for all casts. The tables of values are columns,
 * not literals, so that the vectors are used and nothing is folded away. */
#include <libpq-fe.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/scratch.h"
#include "sql/function.h"
#include "sql/print_template.h"
#include "sql/relation.h"
#include "sql/text_form.h"
#include "tests/engine/edge_values.h"
#include "tests/support/scratch_postgres.h"
#include "tests/support/test.h"

enum { MOST_ARGUMENTS = 4, MOST_ROWS = 300 };

static struct scratch_postgres server;
static PGconn *postgres;
static struct scratch *duckdb;

static int start(void **state)
{
    (void)state;
    if (!scratch_postgres_available())
        return 0;
    scratch_postgres_start(&server, "-c fsync=off");
    postgres = PQconnectdb(server.connection);
    PQclear(PQexec(postgres, "SET datestyle = ISO; SET extra_float_digits = 1"));
    error why;
    return PQstatus(postgres) == CONNECTION_OK && scratch_open(NULL, &duckdb, &why) == DITHER_OK ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    if (postgres != NULL) {
        PQfinish(postgres);
        scratch_close(duckdb);
        scratch_postgres_stop(&server);
    }
    return 0;
}

/* ---- Columns of edge values ---- */

struct edge {
    enum sql_type type;
    int scale;
    const char *postgres; /* the type's name */
    const char *const *values;
    size_t count;
};

static struct edge edge_of(char letter)
{
    switch (letter) {
    case 'b':
        return (struct edge){SQL_BOOLEAN, 0, "boolean", edge_booleans, COUNT(edge_booleans)};
    case 'i':
        return (struct edge){SQL_INTEGER, 0, "bigint", edge_wholes, COUNT(edge_wholes)};
    case 'j': /* an integer that PostgreSQL wants in 32 bits */
        return (struct edge){SQL_INTEGER, 0, "bigint", edge_small_wholes, COUNT(edge_small_wholes)};
    case 'n':
        return (struct edge){SQL_DECIMAL, 2, "numeric(18, 2)", edge_decimals, COUNT(edge_decimals)};
    case 'k': /* one that fits other scales */
        return (struct edge){SQL_DECIMAL, 2, "numeric(18, 2)", edge_small_decimals,
                             COUNT(edge_small_decimals)};
    case 'w': /* a modest real */
        return (struct edge){SQL_REAL, 0, "double precision", edge_small_reals, COUNT(edge_small_reals)};
    case 'm': /* a decimal of another scale */
        return (struct edge){SQL_DECIMAL, 4, "numeric(18, 4)", edge_fine_decimals, COUNT(edge_fine_decimals)};
    case 'r':
        return (struct edge){SQL_REAL, 0, "double precision", edge_reals, COUNT(edge_reals)};
    case 't':
        return (struct edge){SQL_TEXT, 0, "text", edge_texts, COUNT(edge_texts)};
    case 'f': /* forms of other types */
        return (struct edge){SQL_TEXT, 0, "text", edge_forms, COUNT(edge_forms)};
    case 'd':
        return (struct edge){SQL_DATE, 0, "date", edge_dates, COUNT(edge_dates)};
    case 's':
        return (struct edge){SQL_TIMESTAMP, 0, "timestamp", edge_timestamps, COUNT(edge_timestamps)};
    default:
        return (struct edge){SQL_INTERVAL, 0, "interval", edge_intervals, COUNT(edge_intervals)};
    }
}

/* One comparison: an expression over columns of edge values, and PostgreSQL's text for it. */
struct trial {
    struct sql_builder builder;
    struct arena arena;
    struct edge edges[MOST_ARGUMENTS];
    size_t edge_count;
    const struct sql_expression *expression;
    struct buffer postgres_text;
};

static void trial_init(struct trial *trial)
{
    *trial = (struct trial){0};
    arena_init(&trial->arena, 64 << 20);
    trial->builder.arena = &trial->arena;
    buffer_init(&trial->postgres_text, 1 << 20);
}

static void trial_free(struct trial *trial)
{
    arena_free(&trial->arena);
    buffer_free(&trial->postgres_text);
}

/* A column with the next edge values. */
static const struct sql_expression *add_column(struct trial *trial, char letter)
{
    struct edge edge = edge_of(letter);
    struct sql_column column = {.type = edge.type, .scale = edge.scale, .nullable = true};
    struct sql_column columns[MOST_ARGUMENTS];
    for (size_t i = 0; i < MOST_ARGUMENTS; i++)
        columns[i] = column;
    struct sql_relation relation = {.columns = columns, .column_count = MOST_ARGUMENTS};
    const struct sql_expression *out = NULL;
    error why;
    trial->edges[trial->edge_count] = edge;
    assert_int_equal(sql_column_of(&trial->builder, &relation, trial->edge_count++, -1, &out, &why),
                     DITHER_OK);
    return out;
}

static const struct sql_expression *constant(struct trial *trial, enum sql_type type, const char *text)
{
    const struct sql_expression *literal = NULL, *out = NULL;
    error why;
    struct sql_value value = {.type = SQL_UNKNOWN, .text = text, .null = text == NULL};
    assert_int_equal(sql_literal(&trial->builder, &value, -1, &literal, &why), DITHER_OK);
    assert_int_equal(sql_cast(&trial->builder, literal, type, 0, -1, &out, &why), DITHER_OK);
    return out;
}

/* ---- PostgreSQL's side ---- */

static void print_quoted(struct buffer *buffer, const char *text, const char *type)
{
    if (text == NULL) {
        buffer_format(buffer, "CAST(NULL AS %s)", type);
        return;
    }
    buffer_text(buffer, "CAST('");
    for (; *text != '\0'; text++) {
        buffer_byte(buffer, *text);
        if (*text == '\'')
            buffer_byte(buffer, '\'');
    }
    buffer_format(buffer, "' AS %s)", type);
}

static const char *postgres_type(enum sql_type type, int scale, char room[40])
{
    switch (type) {
    case SQL_BOOLEAN:
        return "boolean";
    case SQL_INTEGER:
        return "bigint";
    case SQL_REAL:
        return "double precision";
    case SQL_DATE:
        return "date";
    case SQL_TIMESTAMP:
        return "timestamp";
    case SQL_DECIMAL:
        snprintf(room, 40, "numeric(18, %d)", scale);
        return room;
    default:
        return "text";
    }
}

static void print_postgres_argument(struct sql_printer *printer, const struct sql_expression *call,
                                    size_t index)
{
    const struct sql_expression *argument = call->arguments[index];
    char room[40], number[32];
    if (argument->kind == SQL_COLUMN) {
        buffer_format(printer->buffer, "c%zu", argument->column);
    } else if (argument->kind == SQL_LITERAL) {
        snprintf(number, sizeof number, "%lld", (long long)argument->value.whole);
        bool text = argument->type == SQL_TEXT;
        print_quoted(printer->buffer, text ? argument->value.text : number, text ? "text" : "bigint");
    } else {
        assert_int_equal(argument->kind, SQL_CAST);
        buffer_text(printer->buffer, "CAST(");
        print_postgres_argument(printer, argument, 0);
        buffer_format(printer->buffer, " AS %s)", postgres_type(argument->type, argument->scale, room));
    }
}

/* Row `row` of the combinations: the value of column `column`. Large products are walked in steps. */
static const char *value_at(const struct trial *trial, size_t row, size_t column)
{
    for (size_t i = 0; i < column; i++)
        row /= trial->edges[i].count;
    return trial->edges[column].values[row % trial->edges[column].count];
}

static size_t combinations(const struct trial *trial, size_t *step)
{
    size_t all = 1;
    for (size_t i = 0; i < trial->edge_count; i++)
        all *= trial->edges[i].count;
    *step = all <= MOST_ROWS ? 1 : all / MOST_ROWS | 1;
    while (all % *step == 0 && *step > 1)
        *step += 2;
    return all;
}

static PGresult *ask_postgres(const struct trial *trial)
{
    struct buffer sql;
    buffer_init(&sql, 8 << 20);
    buffer_text(&sql, "CREATE OR REPLACE FUNCTION pg_temp.f(");
    for (size_t i = 0; i < trial->edge_count; i++)
        buffer_format(&sql, "%sc%zu %s", i > 0 ? ", " : "", i, trial->edges[i].postgres);
    buffer_format(&sql,
                  ") RETURNS text LANGUAGE plpgsql AS $f$ BEGIN RETURN CAST((%s) AS text); "
                  "EXCEPTION WHEN OTHERS THEN RETURN '#'; END $f$",
                  trial->postgres_text.data);
    PGresult *made = PQexec(postgres, sql.data);
    if (PQresultStatus(made) != PGRES_COMMAND_OK)
        fail_msg("%s\n%s", PQerrorMessage(postgres), sql.data);
    PQclear(made);
    buffer_clear(&sql);
    buffer_text(&sql, "SELECT pg_temp.f(");
    for (size_t i = 0; i < trial->edge_count; i++)
        buffer_format(&sql, "%sv.c%zu", i > 0 ? ", " : "", i);
    buffer_text(&sql, ") FROM (VALUES ");
    size_t step, all = combinations(trial, &step);
    for (size_t row = 0; row < all; row += step) {
        buffer_text(&sql, row > 0 ? ", (1" : "(1");
        for (size_t i = 0; i < trial->edge_count; i++) {
            buffer_text(&sql, ", ");
            print_quoted(&sql, value_at(trial, row, i), trial->edges[i].postgres);
        }
        buffer_byte(&sql, ')');
    }
    buffer_text(&sql, ") AS v(n");
    for (size_t i = 0; i < trial->edge_count; i++)
        buffer_format(&sql, ", c%zu", i);
    buffer_byte(&sql, ')');
    assert_false(sql.failed);
    PGresult *result = PQexec(postgres, sql.data);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s\n%s", PQerrorMessage(postgres), trial->postgres_text.data);
    char drop[200] = "DROP FUNCTION pg_temp.f";
    PQclear(PQexec(postgres, drop));
    buffer_free(&sql);
    return result;
}

/* ---- Our side ---- */

/* The edge value in our own form. */
static struct sql_value read_edge(struct trial *trial, const struct edge *edge, const char *text)
{
    const struct sql_expression *literal = NULL, *value = NULL;
    error why;
    struct sql_value unknown = {.type = SQL_UNKNOWN, .text = text, .null = text == NULL};
    assert_int_equal(sql_literal(&trial->builder, &unknown, -1, &literal, &why), DITHER_OK);
    if (sql_cast(&trial->builder, literal, edge->type, edge->scale, -1, &value, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return value->value;
}

/* All combinations, as the table `edges`. */
static void put_edges(struct trial *trial)
{
    size_t step, all = combinations(trial, &step), count = trial->edge_count, at = 0;
    struct sql_value *cells = calloc((all / step + 1) * (count + 1), sizeof *cells);
    assert_non_null(cells);
    /* A column of row numbers behind them: pi() has no argument, and rows are to keep their order. */
    struct scratch_column columns[MOST_ARGUMENTS + 1];
    for (size_t i = 0; i < count; i++)
        columns[i] = (struct scratch_column){trial->edges[i].type, trial->edges[i].scale};
    columns[count] = (struct scratch_column){SQL_INTEGER, 0};
    for (size_t row = 0; row < all; row += step) {
        for (size_t i = 0; i < count; i++)
            cells[at++] = read_edge(trial, &trial->edges[i], value_at(trial, row, i));
        cells[at++] = (struct sql_value){.type = SQL_INTEGER, .whole = (int64_t)row};
    }
    struct sql_rows rows = {count + 1, at / (count + 1), cells};
    error why;
    if (scratch_put(duckdb, "edges", columns, &rows, &why) != DITHER_OK)
        fail_msg("%s: %s", why.message, scratch_complaint(duckdb));
    free(cells);
}

static struct sql_rows ask_duckdb(struct trial *trial)
{
    put_edges(trial);
    struct buffer sql;
    buffer_init(&sql, 8 << 20);
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &sql, .alias = "t", .scratch = true};
    buffer_text(&sql, "SELECT ");
    sql_print_expression(&printer, trial->expression);
    buffer_format(&sql, " AS c0 FROM edges AS t ORDER BY t.c%zu", trial->edge_count);
    assert_false(sql.failed);
    struct scratch_column column = {trial->expression->type, trial->expression->scale};
    struct sql_rows rows;
    error why;
    if (scratch_query(duckdb, sql.data, &column, 1, 100000, &trial->arena, &rows, &why) != DITHER_OK)
        fail_msg("%s: %s\n%.600s", why.message, scratch_complaint(duckdb), sql.data);
    buffer_free(&sql);
    return rows;
}

/* ---- Comparing ---- */

static void describe_value(const struct sql_value *value, char *text, size_t size)
{
    char form[TEXT_FORM_BYTES] = "";
    if (value->null)
        snprintf(text, size, "NULL");
    else if (value->type == SQL_TEXT)
        snprintf(text, size, "%s", value->text);
    else {
        if (value->type == SQL_REAL)
            text_form_write_real(value->real, form);
        else if (value->type == SQL_DATE)
            text_form_write_date(value->whole, form);
        else if (value->type == SQL_TIMESTAMP)
            text_form_write_timestamp(value->whole, form);
        else if (value->type == SQL_BOOLEAN)
            snprintf(form, sizeof form, "%s", value->whole != 0 ? "true" : "false");
        else
            text_form_write_decimal(value->whole, value->scale, form);
        snprintf(text, size, "%s", form);
    }
}

/* What we do not have: a moment before year 1 or in a year of five digits, a decimal that is no number. */
static bool is_outside(enum sql_type type, const char *text)
{
    if (type == SQL_DECIMAL && strcmp(text, "NaN") == 0)
        return true;
    return (type == SQL_DATE || type == SQL_TIMESTAMP) &&
           (strstr(text, "BC") != NULL || strcspn(text, "-") != 4);
}

static bool same_real(double a, double b, double tolerance)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (tolerance > 0 && isfinite(a))
        return fabs(a - b) <= tolerance * fabs(b);
    return a == b && signbit(a) == signbit(b);
}

static bool is_same(const struct sql_value *ours, const char *theirs, double tolerance)
{
    if (theirs == NULL || strcmp(theirs, "#") == 0 || is_outside(ours->type, theirs))
        return ours->null;
    if (ours->null)
        return false;
    if (ours->type == SQL_REAL)
        return same_real(ours->real, strtod(theirs, NULL), tolerance);
    char text[SQL_GROWN_TEXT_BYTES + 1];
    describe_value(ours, text, sizeof text);
    if (ours->type == SQL_DECIMAL) {
        int64_t units;
        return text_form_read_decimal(theirs, strlen(theirs), ours->scale, &units) && units == ours->whole;
    }
    return strcmp(text, theirs) == 0;
}

static size_t mismatches;

static void compare(struct trial *trial, const char *name, double tolerance)
{
    PGresult *theirs = ask_postgres(trial);
    struct sql_rows ours = ask_duckdb(trial);
    size_t step;
    combinations(trial, &step);
    assert_int_equal(ours.row_count, PQntuples(theirs));
    size_t shown = 0;
    for (size_t row = 0; row < ours.row_count; row++) {
        const char *text = PQgetisnull(theirs, (int)row, 0) ? NULL : PQgetvalue(theirs, (int)row, 0);
        const struct sql_value *value = sql_rows_cell(&ours, row, 0);
        if (is_same(value, text, tolerance))
            continue;
        char got[200];
        describe_value(value, got, sizeof got);
        mismatches++;
        if (shown++ < 4) {
            print_error("%s: %s gives %s, PostgreSQL %s, for", name, trial->postgres_text.data, got,
                        text == NULL ? "NULL" : text);
            for (size_t i = 0; i < trial->edge_count; i++) {
                const char *argument = value_at(trial, row * step, i);
                print_error(" [%s]", argument == NULL ? "NULL" : argument);
            }
            print_error("\n");
        }
    }
    PQclear(theirs);
}

/* ---- Functions ---- */

/* Constants to try for a T or an I of a function. */
static const char *const *constants_of(const struct sql_function *function, size_t index, size_t *count)
{
    static const char *const patterns[] = {"",      "%",  "_",   "a%",    "%c",  "%b%",    "a_c",
                                           "__",    "A%", "\\%", "a\\_c", "%%a", "%a%a%b", "\xe6\x97\xa5%",
                                           "a\\\\b"};
    static const char *const units[] = {"microseconds", "milliseconds", "second",    "minute",  "hour",
                                        "day",          "week",         "month",     "quarter", "year",
                                        "decade",       "century",      "millennium"};
    static const char *const formats[] = {
        "YYYY-MM-DD HH24:MI:SS", "YYYY-MM", "IYYY-IW", "Q", "DDD", "ID D", "YYYYMMDD", ""};
    static const char *const needles[] = {"", "a", "ab", "\xc3\xa4"};
    static const char *const fills[] = {"", "x", "ab\xc3\xbc"};
    static const char *const lengths[] = {"-1", "0", "1", "2", "5", "40"};
    if (sql_function_letter(function, index) == 'I')
        return *count = COUNT(lengths), lengths;
    if (strstr(function->name, "like") != NULL)
        return *count = COUNT(patterns), patterns;
    if (strcmp(function->name, "date_trunc") == 0)
        return *count = COUNT(units), units;
    if (strcmp(function->name, "to_char") == 0)
        return *count = COUNT(formats), formats;
    if (strcmp(function->name, "replace") == 0)
        return *count = COUNT(needles), needles;
    return *count = COUNT(fills), fills;
}

/* The function with these letters for its columns ('T', 'I': the constant at `pick`). */
static void try_function(const struct sql_function *function, const char *letters, size_t pick)
{
    struct trial trial;
    trial_init(&trial);
    const struct sql_expression *arguments[MOST_ARGUMENTS];
    size_t count = strlen(letters);
    for (size_t i = 0; i < count; i++) {
        if (letters[i] != 'T' && letters[i] != 'I') {
            arguments[i] = add_column(&trial, letters[i]);
            continue;
        }
        size_t choices = 0;
        const char *const *constants = constants_of(function, i, &choices);
        arguments[i] =
            constant(&trial, letters[i] == 'T' ? SQL_TEXT : SQL_INTEGER, constants[pick % choices]);
        pick /= choices;
    }
    error why;
    status code = sql_call(&trial.builder, function->name, arguments, count, -1, &trial.expression, &why);
    if (code != DITHER_OK)
        fail_msg("%s(%s): %s", function->name, letters, why.message);
    assert_ptr_equal(trial.expression->function, function);
    struct sql_printer printer = {.buffer = &trial.postgres_text};
    print_template(&printer, trial.expression, function->postgres, print_postgres_argument);
    if (trial.expression->type ==
        SQL_INTERVAL) { /* compared by its length, of which the fields are tested below */
        const struct sql_expression *interval = trial.expression;
        assert_int_equal(sql_call(&trial.builder, "extract.epoch", &interval, 1, -1, &trial.expression, &why),
                         DITHER_OK);
        char whole[200];
        snprintf(whole, sizeof whole, "CAST(extract(epoch FROM %s) AS double precision)",
                 trial.postgres_text.data);
        buffer_clear(&trial.postgres_text);
        buffer_text(&trial.postgres_text, whole);
    }
    /* PostgreSQL has log(b, x) for numeric alone, with its own digits. */
    bool numeric = strcmp(function->name, "log") == 0 && count == 2;
    compare(&trial, function->name, numeric ? 1e-13 : 0);
    trial_free(&trial);
}

/* PostgreSQL takes this argument as a 32-bit integer. */
static bool is_narrow(const struct sql_function *function, size_t index)
{
    char text[40];
    snprintf(text, sizeof text, "CAST($%zu AS integer)", index + 1);
    return strstr(function->postgres, text) != NULL;
}

static size_t picks_of(const struct sql_function *function, const char *letters)
{
    size_t picks = 1;
    for (size_t i = 0; letters[i] != '\0'; i++) {
        size_t choices = 1;
        if (letters[i] == 'T' || letters[i] == 'I')
            constants_of(function, i, &choices);
        picks *= choices;
    }
    return picks;
}

/* Letters that stand for many types: all of one, then mixtures. */
static void try_many(const struct sql_function *function)
{
    static const char *const same = "birtdsn";
    /* Comparisons leave integers and decimals as they are; elsewhere a value that does not fit the common scale is
     * NULL, and so it is not asked for here. */
    static const char *const compared[] = {"in", "ni", "ir", "nr", "ds", "nm"};
    static const char *const chosen[] = {"jk", "kj", "jr", "kr", "ds", "km"};
    const char *const *mixtures = function->arguments[0] == 'c' ? compared : chosen;
    size_t count = strlen(function->arguments);
    if (function->arguments[count - 1] == '*')
        count = 3;
    bool as_text = strchr(function->arguments, 'x') != NULL;
    for (const char *type = same; *type != '\0'; type++) {
        char letters[MOST_ARGUMENTS + 1] = "";
        for (size_t i = 0; i < count; i++) {
            char letter = sql_function_letter(function, i);
            letters[i] = letter == 'b' || letter == 't' ? letter : *type;
        }
        bool plain = as_text && strstr(function->name, "||") != NULL && *type == 't';
        if (!plain && (strchr(function->arguments, 'b') == NULL || *type == 'b'))
            try_function(function, letters, 0);
    }
    for (size_t i = 0; count > 1 && !as_text && function->arguments[0] != 'b' && i < COUNT(chosen); i++) {
        char letters[MOST_ARGUMENTS + 1] = "";
        for (size_t j = 0; j < count; j++)
            letters[j] = mixtures[i][j % 2];
        try_function(function, letters, 0);
    }
}

static void every_function_means_what_postgresql_means(void **state)
{
    (void)state;
    if (!scratch_postgres_available())
        skip();
    mismatches = 0;
    const struct sql_function *function;
    for (size_t i = 0; (function = sql_function_at(i)) != NULL; i++) {
        if (strpbrk(function->arguments, "acx*") != NULL) {
            try_many(function);
            continue;
        }
        char letters[MOST_ARGUMENTS + 1] = "";
        size_t count = strlen(function->arguments);
        for (size_t j = 0; j < count; j++) {
            char letter = function->arguments[j];
            bool modest = strcmp(function->name, "width_bucket") == 0 && letter == 'r';
            letters[j] = letter == 'i' && is_narrow(function, j) ? 'j' : modest ? 'w' : letter;
        }
        size_t picks = picks_of(function, letters);
        for (size_t pick = 0; pick < picks; pick++)
            try_function(function, letters, pick);
    }
    assert_int_equal(mismatches, 0);
}

/* ---- Casts ---- */

static void every_cast_means_what_postgresql_means(void **state)
{
    (void)state;
    if (!scratch_postgres_available())
        skip();
    static const char from[] = "binmrtfds";
    static const struct {
        enum sql_type type;
        int scale;
    } to[] = {{SQL_BOOLEAN, 0}, {SQL_INTEGER, 0}, {SQL_DECIMAL, 0}, {SQL_DECIMAL, 2},  {SQL_DECIMAL, 18},
              {SQL_REAL, 0},    {SQL_TEXT, 0},    {SQL_DATE, 0},    {SQL_TIMESTAMP, 0}};
    mismatches = 0;
    size_t tried = 0;
    for (const char *letter = from; *letter != '\0'; letter++) {
        for (size_t i = 0; i < COUNT(to); i++) {
            struct trial trial;
            trial_init(&trial);
            const struct sql_expression *column = add_column(&trial, *letter);
            error why;
            char room[40];
            bool bare = sql_cast(&trial.builder, column, to[i].type, to[i].scale, -1, &trial.expression,
                                 &why) != DITHER_OK ||
                        trial.expression == column;
            if (!bare) {
                /* PostgreSQL has this cast for 32 bits only. */
                bool narrow = (column->type == SQL_BOOLEAN && to[i].type == SQL_INTEGER);
                const char *type = postgres_type(to[i].type, to[i].scale, room);
                if (column->type == SQL_INTEGER && to[i].type == SQL_BOOLEAN)
                    buffer_text(&trial.postgres_text, "c0 <> 0");
                else
                    buffer_format(&trial.postgres_text, "CAST(%sc0%s AS %s)", narrow ? "CAST(" : "",
                                  narrow ? " AS integer)" : "", type);
                compare(&trial, "cast", 0);
                tried++;
            }
            trial_free(&trial);
        }
    }
    assert_true(tried > 40);
    assert_int_equal(mismatches, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_means_what_postgresql_means),
        cmocka_unit_test(every_cast_means_what_postgresql_means),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
