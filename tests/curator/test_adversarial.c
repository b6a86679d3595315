/* What an adversary can tell from everything but the noise: nothing.
 *
 * Each question of tests/sql/adversarial.sql is asked of three databases, in files, on a PostgreSQL server or on
 * three, that differ in one person: patient 41
 * is not there, is an ordinary patient, or is a monster (integers at the ends of their range, NaN and
 * infinities, odd and long texts, three thousand visits). Status, text and position of refusals, columns with
 * their noise, keys, number of rows, cost and what remains must be the same on all three. Noisy cells are not
 * compared. A hidden key that only one person has may show, with probability delta = 1e-9. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curator/curator.h"
#include "tests/support/hospital_servers.h"
#include "tests/support/question_file.h"
#include "tests/support/test.h"

enum { WORLDS = 3 };

struct suite {
    struct curator *curators[WORLDS];
    size_t wrong, asked;
};

/* ---- Everything that can be seen of an answer, but the noise ---- */

static void describe_cell(struct buffer *out, const struct curator_column *column,
                          const struct sql_value *cell)
{
    if (column->noisy)
        buffer_text(out, "~");
    else if (cell->null)
        buffer_text(out, "NULL");
    else if (cell->type == SQL_TEXT)
        buffer_text(out, cell->text);
    else
        buffer_format(out, "%lld/%.17g", (long long)cell->whole, cell->real);
    buffer_text(out, " ");
}

static void describe_cost(struct buffer *out, const struct ledger_cost *cost)
{
    char epsilon[DECIMAL_TEXT], delta[DECIMAL_TEXT];
    decimal_print(cost->epsilon, epsilon);
    decimal_print(cost->delta, delta);
    buffer_format(out, "epsilon %s delta %s\n", epsilon, delta);
}

static void describe_answer(struct buffer *out, const struct curator_answer *answer)
{
    for (size_t i = 0; i < answer->column_count; i++) {
        const struct curator_column *column = &answer->columns[i];
        buffer_format(out, "%s %s %s %.17g %.17g %.17g\n", column->name, sql_type_name(column->type),
                      column->noise.mechanism != NULL ? column->noise.mechanism : "-", column->noise.scale,
                      column->noise.grid, column->noise.epsilon);
    }
    for (size_t row = 0; row < answer->rows.row_count; row++) {
        for (size_t i = 0; i < answer->column_count; i++)
            describe_cell(out, &answer->columns[i], sql_rows_cell(&answer->rows, row, i));
        buffer_text(out, "\n");
    }
    describe_cost(out, &answer->cost);
    describe_cost(out, &answer->remaining);
}

static bool describe(struct curator *curator, const char *question, struct buffer *out)
{
    struct curator_answer *answer = NULL;
    error why = {.position = -1};
    status result =
        curator_ask(curator, &(struct curator_question){.text = question, .analyst = "eve"}, &answer, &why);
    if (result == DITHER_OK)
        describe_answer(out, answer);
    else
        buffer_format(out, "status %d at %d: %s\n", (int)result, why.position, why.message);
    curator_answer_free(answer);
    return result == DITHER_OK;
}

/* ---- The questions ---- */

static void complain(struct suite *suite, const struct question_block *block, const char *what,
                     const char *more)
{
    print_error("%s:%d %s: %s\n%s\n", block->file, block->line, block->title, what, more);
    suite->wrong++;
}

static void check(void *context, const struct question_block *block)
{
    struct suite *suite = context;
    struct buffer seen[WORLDS];
    bool answered = false;
    for (size_t i = 0; i < WORLDS; i++) {
        buffer_init(&seen[i], 1 << 24);
        answered = describe(suite->curators[i], block->text, &seen[i]);
        assert_false(seen[i].failed);
    }
    for (size_t i = 1; i < WORLDS; i++)
        if (strcmp(seen[0].data, seen[i].data) != 0) {
            complain(suite, block, "without him", seen[0].data);
            complain(suite, block, i == 1 ? "with him" : "with the monster", seen[i].data);
        }
    bool refusal = strncmp(block->expected[0], "refused:", 8) == 0;
    const char *words = refusal ? block->expected[0] + 8 : "";
    words += strspn(words, " ");
    if (answered == refusal)
        complain(suite, block, refusal ? "was answered" : "was refused", seen[0].data);
    else if (refusal && strstr(seen[0].data, words) == NULL)
        complain(suite, block, "was refused in other words", seen[0].data);
    if (answered)
        suite->asked++;
    for (size_t i = 0; i < WORLDS; i++)
        buffer_free(&seen[i]);
}

/* ---- The worlds ---- */

static const char budget[] = "  epsilon: 100000\n"
                             "  delta: 1e-3\n"
                             "  per_question: 1\n"
                             "  delta_per_question: 1e-9\n";

static char *monster_visits(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    static const char *const costs[] = {"NaN",    "Infinity", "-Infinity", "1e308",
                                        "-1e308", "4999.5",   "-0.0",      ""};
    for (int i = 0; i < 3000; i++)
        fprintf(out, "%d,41,%s,%s,%s,%s,%s,kind%d\n", 100000 + i,
                i % 3 == 0   ? "9223372036854775807"
                : i % 3 == 1 ? "-9223372036854775808"
                             : "2",
                i % 5 == 0 ? "9999-12-31" : "0001-01-01",
                i % 5 == 0 ? "9999-12-31 23:59:59" : "0001-01-01 00:00:00", costs[i % 8], costs[(i + 3) % 8],
                i % 700);
    fclose(out);
    return text;
}

static char *monster_patient(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "41,-9223372036854775808,atlantis,NaN,99999999.99,true,\"'\"\";%%\\_");
    for (int i = 0; i < 60000; i++)
        fprintf(out, "\xc3\xa4");
    fprintf(out, "\",9999-12-31\n");
    fclose(out);
    return text;
}

static void ask_everything(enum hospital_place place)
{
    struct hospital_servers servers;
    struct small_hospital hospitals[WORLDS];
    struct suite suite = {.wrong = 0};
    char *patient = monster_patient(), *visits = monster_visits();
    const struct small_hospital_options worlds[WORLDS] = {
        {.budget = budget, .analysts = "  eve:\n"},
        {.budget = budget,
         .analysts = "  eve:\n",
         .more_patients = "41,44,north,50000,12.50,true,flu,1980-02-29\n",
         .more_visits = "500,41,2,2024-02-29,2024-02-29 10:00:00,120.25,3,check\n"},
        {.budget = budget, .analysts = "  eve:\n", .more_patients = patient, .more_visits = visits},
    };
    hospital_servers_start(&servers, place);
    for (size_t i = 0; i < WORLDS; i++) {
        static const char *const names[WORLDS] = {"without", "ordinary", "monster"};
        error why = {.message = ""};
        hospital_servers_make(&servers, names[i], &hospitals[i], &worlds[i]);
        if (curator_open(hospitals[i].policy,
                         &(struct curator_options){.state_directory = hospitals[i].folder},
                         &suite.curators[i], &why) != DITHER_OK)
            fail_msg("%s", why.message);
    }
    free(patient);
    free(visits);
    size_t count = question_file_walk("adversarial.sql", 60, check, &suite);
    for (size_t i = 0; i < WORLDS; i++) {
        curator_close(suite.curators[i]);
        small_hospital_remove(&hospitals[i]);
    }
    hospital_servers_stop(&servers);
    if (suite.wrong > 0)
        fail_msg("%zu findings in %zu questions", suite.wrong, count);
    assert_true(suite.asked * 2 >= count); /* at least half reach the engine */
}

static void everything_but_the_noise_is_the_same_on_neighbours(void **state)
{
    (void)state;
    ask_everything(HOSPITAL_FILES);
}

static void so_it_is_when_the_rows_are_in_postgresql(void **state)
{
    (void)state;
    ask_everything(HOSPITAL_SERVER);
}

static void so_it_is_when_the_rows_are_on_three_servers(void **state)
{
    (void)state;
    ask_everything(HOSPITAL_CLUSTER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_but_the_noise_is_the_same_on_neighbours),
        cmocka_unit_test(so_it_is_when_the_rows_are_in_postgresql),
        cmocka_unit_test(so_it_is_when_the_rows_are_on_three_servers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
