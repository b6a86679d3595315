/* Questions whose noise is nothing: epsilon is so large that answers must be those of plain SQL.
 *
 * Each block of tests/sql/noiseless.sql is asked of a small hospital (tests/support/small_hospital.h), whose rows are
 * in files, on a PostgreSQL server, or on three (tests/support/hospital_servers.h), and, where it says "same", of PostgreSQL on the same rows: the oracle is another program. "same in order" also
 * compares the order of rows; "same within X" allows reals to differ by X. Other expectations are the rows
 * themselves, worked out by hand: cells separated by " | ". What follows the releases runs in a process of its own, as under
 * `serve`, where the rows are in files or on one server; in this process with three. */
#include <libpq-fe.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curator/curator.h"
#include "tests/support/hospital_servers.h"
#include "tests/support/question_file.h"
#include "tests/support/test.h"

enum { LARGEST_TABLE = 400, LARGEST_ROW = 2000 };

struct suite {
    struct curator *curator;
    PGconn *postgres;
    size_t wrong;
};

struct table {
    char *rows[LARGEST_TABLE];
    size_t count;
};

static void table_add(struct table *table, const char *row)
{
    assert_true(table->count < LARGEST_TABLE);
    table->rows[table->count] = strdup(row);
    table->count++;
}

static void table_free(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->rows[i]);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ---- Both sides as text ---- */

static void write_date(char *text, size_t size, int64_t days)
{
    /* Howard Hinnant's days-to-civil, in the range of our data only. */
    int64_t z = days + 719468, era = z / 146097, doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365,
            doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153, day = doy - (153 * mp + 2) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9;
    int64_t year = yoe + era * 400 + (month <= 2);
    snprintf(text, size, "%04d-%02d-%02d", (int)year, (int)month, (int)day);
}

static void write_cell(char *text, size_t size, const struct sql_value *value)
{
    char day[40];
    if (value->null) {
        snprintf(text, size, "NULL");
        return;
    }
    switch (value->type) {
    case SQL_BOOLEAN:
        snprintf(text, size, "%s", value->whole ? "t" : "f");
        return;
    case SQL_INTEGER:
        snprintf(text, size, "%lld", (long long)value->whole);
        return;
    case SQL_DECIMAL:
        snprintf(text, size, "%.9g", (double)value->whole / pow(10, value->scale));
        return;
    case SQL_REAL:
        snprintf(text, size, "%.9g", value->real == 0 ? 0 : value->real);
        return;
    case SQL_DATE:
        write_date(text, size, value->whole);
        return;
    case SQL_TIMESTAMP:
        write_date(day, sizeof day, value->whole / 86400000000);
        snprintf(text, size, "%s %02d:%02d:%02d", day, (int)(value->whole / 3600000000 % 24),
                 (int)(value->whole / 60000000 % 60), (int)(value->whole / 1000000 % 60));
        return;
    case SQL_TEXT:
        snprintf(text, size, "%s", value->text);
        return;
    default:
        fail_msg("a cell of type %s", sql_type_name(value->type));
    }
}

static void our_table(const struct curator_answer *answer, struct table *out)
{
    for (size_t row = 0; row < answer->rows.row_count; row++) {
        char line[LARGEST_ROW] = "", cell[500];
        for (size_t column = 0; column < answer->rows.column_count; column++) {
            write_cell(cell, sizeof cell, sql_rows_cell(&answer->rows, row, column));
            snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s", column > 0 ? " | " : "", cell);
        }
        table_add(out, line);
    }
}

/* PostgreSQL's float8, numeric: written as our reals are. */
static bool is_real(Oid type)
{
    return type == 700 || type == 701 || type == 1700;
}

/* How many characters at the end are the time zone: date_trunc of a date has one there, and none here. */
static size_t without_zone(const PGresult *result, int row, int column)
{
    const char *text = PQgetvalue(result, row, column);
    return PQftype(result, column) == 1184 && strlen(text) > 3 ? 3 : 0;
}

static bool their_table(PGconn *postgres, const char *sql, struct table *out)
{
    PGresult *result = PQexec(postgres, sql);
    bool worked = PQresultStatus(result) == PGRES_TUPLES_OK;
    for (int row = 0; worked && row < PQntuples(result); row++) {
        char line[LARGEST_ROW] = "", cell[500];
        for (int column = 0; column < PQnfields(result); column++) {
            const char *text = PQgetvalue(result, row, column);
            if (PQgetisnull(result, row, column))
                snprintf(cell, sizeof cell, "NULL");
            else if (is_real(PQftype(result, column)))
                snprintf(cell, sizeof cell, "%.9g", atof(text) == 0 ? 0 : atof(text));
            else
                snprintf(cell, sizeof cell, "%.*s", (int)(strlen(text) - without_zone(result, row, column)),
                         text);
            snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s", column > 0 ? " | " : "", cell);
        }
        table_add(out, line);
    }
    PQclear(result);
    return worked;
}

/* ---- Comparing ---- */

static bool is_near(const char *a, const char *b, double tolerance)
{
    char *end_a = NULL, *end_b = NULL;
    double x = strtod(a, &end_a), y = strtod(b, &end_b);
    bool numbers = end_a != a && end_b != b && *end_a == '\0' && *end_b == '\0';
    return strcmp(a, b) == 0 || (numbers && fabs(x - y) <= tolerance + 1e-8 * fabs(y));
}

static bool same_row(const char *a, const char *b, double tolerance)
{
    char left[LARGEST_ROW], right[LARGEST_ROW];
    snprintf(left, sizeof left, "%s", a);
    snprintf(right, sizeof right, "%s", b);
    char *x = left, *y = right;
    while (x != NULL && y != NULL) {
        char *next_x = strstr(x, " | "), *next_y = strstr(y, " | ");
        if (next_x != NULL)
            *next_x = '\0';
        if (next_y != NULL)
            *next_y = '\0';
        if (!is_near(x, y, tolerance))
            return false;
        x = next_x == NULL ? NULL : next_x + 3;
        y = next_y == NULL ? NULL : next_y + 3;
    }
    return x == NULL && y == NULL;
}

static bool same_table(const struct table *a, const struct table *b, double tolerance)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_row(a->rows[i], b->rows[i], tolerance))
            return false;
    return true;
}

static void print_table(const char *whose, const struct table *table)
{
    print_error("  %s:\n", whose);
    for (size_t i = 0; i < table->count; i++)
        print_error("    %s\n", table->rows[i]);
}

static void expected_table(struct suite *suite, const struct question_block *block, struct table *out)
{
    if (strncmp(block->expected[0], "same", 4) != 0) {
        for (size_t i = 0; i < block->expected_count; i++)
            table_add(out, block->expected[i]);
    } else if (!their_table(suite->postgres, block->text, out)) {
        print_error("PostgreSQL: %s", PQerrorMessage(suite->postgres));
    }
}

static void check(void *context, const struct question_block *block)
{
    struct suite *suite = context;
    struct curator_answer *answer = NULL;
    error why = {.message = ""};
    if (curator_ask(suite->curator, &(struct curator_question){.text = block->text}, &answer, &why) !=
        DITHER_OK) {
        print_error("%s:%d %s: %s\n", block->file, block->line, block->title, why.message);
        suite->wrong++;
        return;
    }
    struct table ours = {.count = 0}, theirs = {.count = 0};
    our_table(answer, &ours);
    expected_table(suite, block, &theirs);
    double tolerance = 0;
    if (strncmp(block->expected[0], "same within ", 12) == 0)
        tolerance = atof(block->expected[0] + 12);
    if (strcmp(block->expected[0], "same in order") != 0) {
        qsort(ours.rows, ours.count, sizeof ours.rows[0], by_text);
        qsort(theirs.rows, theirs.count, sizeof theirs.rows[0], by_text);
    }
    if (!same_table(&ours, &theirs, tolerance)) {
        print_error("%s:%d %s\n", block->file, block->line, block->title);
        print_table("Dither", &ours);
        print_table("expected", &theirs);
        suite->wrong++;
    }
    table_free(&ours);
    table_free(&theirs);
    curator_answer_free(answer);
}

static void ask_everything(enum hospital_place place)
{
    struct hospital_servers servers;
    struct small_hospital hospital;
    struct scratch_postgres server;
    struct suite suite = {.wrong = 0};
    error why = {.message = ""};
    hospital_servers_start(&servers, place);
    hospital_servers_make(&servers, "hospital", &hospital, NULL);
    const char *program = getenv("DITHER");
    struct curator_options options = {.state_directory = hospital.folder};
    if (place != HOSPITAL_CLUSTER)
        options.scratch_program = program != NULL ? program : "./dither";
    if (curator_open(hospital.policy, &options, &suite.curator, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    scratch_postgres_start(&server, "-c fsync=off");
    suite.postgres = PQconnectdb(server.connection);
    char *sql = small_hospital_as_sql(&hospital);
    PGresult *result = PQexec(suite.postgres, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        fail_msg("%s", PQerrorMessage(suite.postgres));
    PQclear(result);
    free(sql);
    size_t count = question_file_walk("noiseless.sql", 100, check, &suite);
    PQfinish(suite.postgres);
    scratch_postgres_stop(&server);
    curator_close(suite.curator);
    small_hospital_remove(&hospital);
    hospital_servers_stop(&servers);
    if (suite.wrong > 0)
        fail_msg("%zu of %zu questions were answered wrongly", suite.wrong, count);
}

static void answers_with_no_noise_are_those_of_plain_sql(void **state)
{
    (void)state;
    ask_everything(HOSPITAL_FILES);
}

static void so_they_are_when_the_rows_are_in_postgresql(void **state)
{
    (void)state;
    ask_everything(HOSPITAL_SERVER);
}

static void so_they_are_when_the_rows_are_on_three_servers(void **state)
{
    (void)state;
    ask_everything(HOSPITAL_CLUSTER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_with_no_noise_are_those_of_plain_sql),
        cmocka_unit_test(so_they_are_when_the_rows_are_in_postgresql),
        cmocka_unit_test(so_they_are_when_the_rows_are_on_three_servers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
