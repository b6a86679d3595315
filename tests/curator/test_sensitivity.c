/* One unit more or less moves exact answers by at most what the noise was made for.
 *
 * Each question of tests/sql/sensitivity.sql is asked of neighbouring databases with an epsilon so large that the
 * noise is nothing, and once with epsilon 1, for the scale of its noise. Geometric noise for an L1 sensitivity S
 * has scale S / epsilon; so S is known from what the answer says of itself, and the exact answers on neighbours,
 * added up over all groups, must not differ by more. The unit that comes or goes is an ordinary one, a greedy one
 * (hundreds of rows, all at the ends of what is declared), or a wild one (beyond all that is declared, NaN and
 * infinities); customers and rows that are units come with it as neighbours of their own. Bounding chooses by a
 * keyed hash: all databases get the same secret bits, so that the others' choices are the same. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curator/curator.h"
#include "random/random.h"
#include "tests/support/hospital_servers.h"
#include "tests/support/question_file.h"
#include "tests/support/test.h"

enum { WITHOUT, ORDINARY, GREEDY, WILD, ORPHAN, WORLDS };

static const char *const world_names[] = {"nobody", "an ordinary one", "a greedy one", "a wild one",
                                          "one without a parent"};

/* ---- The same secret bits for each question, whatever was asked before ---- */

struct rewound {
    struct random *random;
    uint64_t counter;
};

static status refill(void *opaque, unsigned char *bytes, size_t count, error *why)
{
    (void)why;
    struct rewound *state = opaque;
    for (size_t i = 0; i + 8 <= count; i += 8) {
        uint64_t word = (state->counter += UINT64_C(0x9e3779b97f4a7c15));
        word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
        word ^= word >> 31;
        memcpy(bytes + i, &word, sizeof word);
    }
    return DITHER_OK;
}

/* A whole buffer is taken, so that what comes next is new. */
static void rewind_to(struct rewound *state, uint64_t seed)
{
    const uint64_t *words = NULL;
    assert_int_equal(random_take(state->random, RANDOM_BUFFER_WORDS, &words, NULL), DITHER_OK);
    state->counter = seed;
}

/* ---- The worlds ---- */

struct world {
    struct small_hospital hospital;
    struct rewound bits;
    struct curator *curator;
};

struct suite {
    struct world worlds[WORLDS];
    size_t wrong, compared;
};

static char *many(int count, void (*write)(FILE *out, int i))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < count; i++)
        write(out, i);
    fclose(out);
    return text;
}

static void greedy_visit(FILE *out, int i)
{
    static const char *const kinds[] = {"check", "surgery", "emergency"};
    fprintf(out, "%d,41,%d,2024-%02d-%02d,2024-12-31 23:59:59,5000,9,%s\n", 100000 + i, 1 + i % 5, 1 + i % 12,
            1 + i % 28, kinds[i % 3]);
}

static void wild_visit(FILE *out, int i)
{
    static const char *const costs[] = {"NaN",    "Infinity", "-Infinity", "1e308", "-1e308",
                                        "4999.5", "-0.0",     "0.0",       ""};
    static const char *const clinics[] = {"9223372036854775807", "-9223372036854775808", "2", "3", ""};
    fprintf(out, "%d,41,%s,%s,%s,%s,%s,%s\n", 100000 + i / 2, clinics[i % 5],
            i % 7 == 0   ? "9999-12-31"
            : i % 7 == 1 ? "0001-01-01"
                         : "2024-02-29",
            i % 5 == 0 ? "9999-12-31 23:59:59" : "2024-01-01 00:00:00", costs[i % 9], costs[(i + 3) % 9],
            i % 3 == 0 ? "check" : "");
}

static void orphan_visit(FILE *out, int i)
{
    fprintf(out, "%d,77,%d,2024-03-03,2024-03-03 10:00:00,%d,7,surgery\n", 200000 + i, 1 + i % 5, 100 * i);
}

static void greedy_order(FILE *out, int i)
{
    fprintf(out, "%d,c41,%s\n", 5000 + i, i % 2 == 0 ? "web" : "shop");
}

static void greedy_item(FILE *out, int i)
{
    static const char *const products[] = {"tea", "milk", "salt"};
    fprintf(out, "%d,%s,%d\n", 5000 + i % 200, products[i % 3], i % 5 == 0 ? 100 : -100);
}

static void wild_item(FILE *out, int i)
{
    fprintf(out, "5000,tea,%s\n", i % 2 == 0 ? "9223372036854775807" : "-9223372036854775808");
}

static void open_world(struct hospital_servers *servers, const char *name, struct world *world,
                       struct small_hospital_options options)
{
    error why = {.message = ""};
    options.budget = "  epsilon: 1e13\n  delta: 0.5\n  per_question: 1\n  delta_per_question: 1e-6\n";
    hospital_servers_make(servers, name, &world->hospital, &options);
    struct random_source source = {.refill = refill, .state = &world->bits};
    assert_int_equal(random_open_source(source, &world->bits.random, NULL), DITHER_OK);
    if (curator_open(world->hospital.policy,
                     &(struct curator_options){.state_directory = world->hospital.folder,
                                               .random = world->bits.random},
                     &world->curator, &why) != DITHER_OK)
        fail_msg("%s", why.message);
}

static void close_world(struct world *world)
{
    curator_close(world->curator);
    random_close(world->bits.random);
    small_hospital_remove(&world->hospital);
}

static void open_worlds(struct hospital_servers *servers, struct world *worlds)
{
    static const char *const databases[WORLDS] = {"without", "ordinary", "greedy", "wild", "orphan"};
    char *greedy_visits = many(600, greedy_visit), *wild_visits = many(600, wild_visit);
    char *orders = many(200, greedy_order), *items = many(600, greedy_item);
    char *wild_items = many(1000, wild_item), *orphans = many(30, orphan_visit);
    const struct small_hospital_options options[WORLDS] = {
        [ORDINARY] = {.more_patients = "41,44,north,50000,12.50,true,flu,1980-02-29\n",
                      .more_visits = "500,41,2,2024-02-29,2024-02-29 10:00:00,120.25,3,check\n",
                      .more_customers = "c41,2\n",
                      .more_orders = "5000,c41,web\n",
                      .more_items = "5000,tea,10\n5000,milk,-20\n",
                      .more_readings = "2,21.5\n"},
        [GREEDY] = {.more_patients = "41,120,west,100000,-500.00,true,gout,2010-12-31\n",
                    .more_visits = greedy_visits,
                    .more_customers = "c41,3\n",
                    .more_orders = orders,
                    .more_items = items,
                    .more_readings = "4,50\n"},
        [WILD] = {.more_patients = "41,-9223372036854775808,atlantis,NaN,99999999.99,true,,9999-12-31\n",
                  .more_visits = wild_visits,
                  .more_customers = "c41,99\n",
                  .more_orders = "5000,c41,web\n",
                  .more_items = wild_items,
                  .more_readings = "4,Infinity\n"},
        [ORPHAN] = {.more_visits = orphans, .more_readings = "1,-Infinity\n"},
    };
    for (size_t i = 0; i < WORLDS; i++)
        open_world(servers, databases[i], &worlds[i], options[i]);
    free(greedy_visits);
    free(wild_visits);
    free(orders);
    free(items);
    free(wild_items);
    free(orphans);
}

/* ---- Asking ---- */

static void complain(struct suite *suite, const struct question_block *block, const char *what,
                     const char *more)
{
    print_error("%s:%d %s: %s: %s\n", block->file, block->line, block->title, what, more);
    suite->wrong++;
}

static struct curator_answer *ask(struct suite *suite, const struct question_block *block, size_t world,
                                  const char *epsilon)
{
    struct world *asked = &suite->worlds[world];
    struct curator_question question = {.text = block->text};
    struct curator_answer *answer = NULL;
    error why = {.position = -1};
    assert_int_equal(decimal_parse(epsilon, &question.settings.epsilon, &why), DITHER_OK);
    rewind_to(&asked->bits, (uint64_t)block->line);
    if (curator_ask(asked->curator, &question, &answer, &why) != DITHER_OK) {
        complain(suite, block, world_names[world], why.message);
        return NULL;
    }
    return answer;
}

/* ---- Comparing ---- */

static bool same_cell(const struct sql_value *a, const struct sql_value *b)
{
    return a->null == b->null && (a->null || sql_value_compare(a, b) == 0);
}

/* The row of `there` with the keys of a row of `here`; NULL: it has none (a hidden key). */
static const struct sql_value *find_row(const struct curator_answer *here, size_t row,
                                        const struct curator_answer *there)
{
    for (size_t i = 0; i < there->rows.row_count; i++) {
        bool same = true;
        for (size_t j = 0; j < here->column_count; j++)
            same = same && (here->columns[j].noisy ||
                            same_cell(sql_rows_cell(&here->rows, row, j), sql_rows_cell(&there->rows, i, j)));
        if (same)
            return sql_rows_cell(&there->rows, i, 0);
    }
    return NULL;
}

static double number(const struct sql_value *cell)
{
    if (cell->null)
        return 0;
    return cell->type == SQL_REAL      ? cell->real
           : cell->type == SQL_DECIMAL ? (double)cell->whole / pow(10, cell->scale)
                                       : (double)cell->whole;
}

/* How far apart the column's numbers are, over all groups that both show. */
static double distance(const struct curator_answer *here, const struct curator_answer *there, size_t column)
{
    double sum = 0;
    for (size_t row = 0; row < here->rows.row_count; row++) {
        const struct sql_value *other = find_row(here, row, there);
        if (other != NULL)
            sum += fabs(number(sql_rows_cell(&here->rows, row, column)) - number(&other[column]));
    }
    return sum;
}

static void compare(struct suite *suite, const struct question_block *block,
                    const struct curator_answer *priced, const struct curator_answer *here,
                    const struct curator_answer *there, size_t world)
{
    for (size_t i = 0; i < priced->column_count; i++) {
        const struct curator_noise *noise = &priced->columns[i].noise;
        if (noise->mechanism == NULL)
            continue;
        double sensitivity = noise->scale * noise->epsilon;
        double rest = 60 * here->columns[i].noise.scale * (double)(1 + here->rows.row_count);
        double seen = distance(here, there, i);
        char words[200];
        snprintf(words, sizeof words, "column %zu moves by %.17g, not %.17g", i, seen, sensitivity);
        assert_string_equal(noise->mechanism, "geometric");
        if (!(seen <= sensitivity * (1 + 1e-9) + rest))
            complain(suite, block, world_names[world], words);
        suite->compared++;
    }
}

static void check(void *context, const struct question_block *block)
{
    struct suite *suite = context;
    struct curator_answer *answers[WORLDS] = {NULL}, *priced = ask(suite, block, WITHOUT, "1");
    size_t before = suite->compared;
    for (size_t i = 0; i < WORLDS; i++)
        answers[i] = ask(suite, block, i, "1e10");
    for (size_t i = 1; i < WORLDS && priced != NULL && answers[0] != NULL; i++)
        if (answers[i] != NULL)
            compare(suite, block, priced, answers[0], answers[i], i);
    if (priced != NULL && (suite->compared > before) != (strcmp(block->expected[0], "bounded") == 0))
        complain(suite, block, "has columns that are one measure", suite->compared > before ? "yes" : "no");
    for (size_t i = 0; i < WORLDS; i++)
        curator_answer_free(answers[i]);
    curator_answer_free(priced);
}

static void ask_everything(enum hospital_place place)
{
    struct hospital_servers servers;
    struct suite suite = {.wrong = 0};
    hospital_servers_start(&servers, place);
    open_worlds(&servers, suite.worlds);
    size_t count = question_file_walk("sensitivity.sql", 60, check, &suite);
    for (size_t i = 0; i < WORLDS; i++)
        close_world(&suite.worlds[i]);
    hospital_servers_stop(&servers);
    if (suite.wrong > 0)
        fail_msg("%zu findings in %zu questions", suite.wrong, count);
    assert_true(suite.compared > 2 * count);
}

static void a_unit_moves_no_answer_by_more_than_its_noise_is_for(void **state)
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
        cmocka_unit_test(a_unit_moves_no_answer_by_more_than_its_noise_is_for),
        cmocka_unit_test(so_it_is_when_the_rows_are_in_postgresql),
        cmocka_unit_test(so_it_is_when_the_rows_are_on_three_servers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
