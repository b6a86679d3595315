/* Questions with their noise. Each block of tests/sql/noisy.sql is asked many times, each time for an epsilon
 * that differs in the tenth digit, since the same release asked again would give the same answer. The stated
 * noise must be what was worked out by hand; the answers must lie on the grid and scatter around the truth as
 * that noise does; and the 95% intervals must hold the truth. The random source is fixed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curator/curator.h"
#include "tests/support/fixed_source.h"
#include "tests/support/ledger.h"
#include "tests/support/question_file.h"
#include "tests/support/small_hospital.h"
#include "tests/support/test.h"

enum {
    DRAWS = 60,
    /* 95% of 60 is 57, with a standard deviation of 1.7: fewer than 47 once in ten million. */
    LEAST_COVERED = 47,
    LARGEST_WIDTH = 6, /* of a mean, in standard deviations: once in 500 million */
};

static const char budget[] = "  epsilon: 100000\n"
                             "  delta: 1e-3\n"
                             "  per_question: 0.5\n";

struct wanted {
    char column[40], mechanism[40];
    double scale, grid, truth;
    bool derived;
};

struct tally {
    double sum, sum_of_squares;
    size_t covered;
};

struct suite {
    struct curator *curator;
    size_t wrong;
};

static void complain(struct suite *suite, const struct question_block *block, const char *what)
{
    print_error("%s:%d %s: %s\n", block->file, block->line, block->title, what);
    suite->wrong++;
}

static struct wanted read_wanted(const char *line)
{
    struct wanted wanted = {.scale = 0};
    if (sscanf(line, "%39[^:]: derived, truth %lf", wanted.column, &wanted.truth) == 2)
        wanted.derived = true;
    else if (sscanf(line, "%39[^:]: %39[^,], scale %lf, grid %lf, truth %lf", wanted.column, wanted.mechanism,
                    &wanted.scale, &wanted.grid, &wanted.truth) != 5)
        fail_msg("\"%s\" is not an expectation", line);
    return wanted;
}

static double number(const struct sql_value *cell)
{
    return cell->type == SQL_REAL ? cell->real : (double)cell->whole / pow(10, cell->scale);
}

static void check_stated(struct suite *suite, const struct question_block *block,
                         const struct curator_column *column, const struct wanted *wanted)
{
    const char *mechanism = column->noise.mechanism != NULL ? column->noise.mechanism : "none";
    if (strcmp(column->name, wanted->column) != 0 || !column->noisy)
        complain(suite, block, "another column, or no noise");
    if (wanted->derived)
        return;
    if (strcmp(mechanism, wanted->mechanism) != 0 ||
        fabs(column->noise.scale - wanted->scale) > 1e-6 * wanted->scale ||
        column->noise.grid != wanted->grid) {
        char text[800];
        snprintf(text, sizeof text, "%s: %s, scale %.12g, grid %.12g", column->name, mechanism,
                 column->noise.scale, column->noise.grid);
        complain(suite, block, text);
    }
}

static void count_draw(struct suite *suite, const struct question_block *block,
                       const struct curator_answer *answer, size_t column, const struct wanted *wanted,
                       struct tally *tally)
{
    const struct sql_value *cell = sql_rows_cell(&answer->rows, 0, column);
    const struct curator_interval *interval = &answer->intervals[column];
    double value = number(cell), off = value - wanted->truth;
    if (cell->null || !interval->known) {
        complain(suite, block, "no number, or no interval");
        return;
    }
    if (!wanted->derived && floor(value / wanted->grid) * wanted->grid != value)
        complain(suite, block, "off the grid");
    if (value < interval->lower || value > interval->upper)
        complain(suite, block, "outside its own interval");
    tally->sum += off;
    tally->sum_of_squares += off * off;
    tally->covered += wanted->truth >= interval->lower && wanted->truth <= interval->upper;
}

/* Two-sided geometric noise of scale b: variance close to 2 b^2, fourth moment to 24 b^4; so the mean of n
 * squares has standard deviation b^2 sqrt(20 / n). Small scales are narrower than that. */
static void check_tally(struct suite *suite, const struct question_block *block, const struct wanted *wanted,
                        const struct tally *tally)
{
    char text[800];
    double mean = tally->sum / DRAWS, variance = tally->sum_of_squares / DRAWS;
    if (tally->covered < LEAST_COVERED) {
        snprintf(text, sizeof text, "%s: only %zu of %d intervals hold the truth", wanted->column,
                 tally->covered, (int)DRAWS);
        complain(suite, block, text);
    }
    if (wanted->derived)
        return;
    double b = wanted->scale;
    if (fabs(mean) > LARGEST_WIDTH * b * sqrt(2.0 / DRAWS) ||
        fabs(variance - 2 * b * b) > LARGEST_WIDTH * b * b * sqrt(20.0 / DRAWS) || variance < 0.4 * b * b) {
        snprintf(text, sizeof text, "%s: mean error %g, mean square %g", wanted->column, mean, variance);
        complain(suite, block, text);
    }
}

static void draw(struct suite *suite, const struct question_block *block, size_t index,
                 const struct wanted *wanted, struct tally *tallies)
{
    char amount[40];
    struct curator_answer *answer = NULL;
    error why = {.message = ""};
    snprintf(amount, sizeof amount, "0.5%010zu", index);
    struct curator_question question = {.text = block->text, .settings = {.epsilon = decimal(amount)}};
    if (curator_ask(suite->curator, &question, &answer, &why) != DITHER_OK) {
        complain(suite, block, why.message);
        return;
    }
    assert_int_equal(answer->column_count, block->expected_count);
    assert_int_equal(answer->rows.row_count, 1);
    for (size_t i = 0; i < block->expected_count; i++) {
        if (index == 0)
            check_stated(suite, block, &answer->columns[i], &wanted[i]);
        count_draw(suite, block, answer, i, &wanted[i], &tallies[i]);
    }
    curator_answer_free(answer);
}

static void check(void *context, const struct question_block *block)
{
    struct suite *suite = context;
    struct wanted wanted[4];
    struct tally tallies[4] = {{0}};
    assert_true(block->expected_count <= 4);
    for (size_t i = 0; i < block->expected_count; i++)
        wanted[i] = read_wanted(block->expected[i]);
    size_t before = suite->wrong;
    for (size_t i = 0; i < DRAWS && suite->wrong == before; i++)
        draw(suite, block, i, wanted, tallies);
    for (size_t i = 0; i < block->expected_count && suite->wrong == before; i++)
        check_tally(suite, block, &wanted[i], &tallies[i]);
}

static void the_noise_is_what_the_answer_says(void **state)
{
    (void)state;
    struct small_hospital hospital;
    struct suite suite = {.wrong = 0};
    error why = {.message = ""};
    struct random *random = fixed_source(20261116);
    small_hospital_make(&hospital, &(struct small_hospital_options){.budget = budget});
    if (curator_open(hospital.policy,
                     &(struct curator_options){.state_directory = hospital.folder, .random = random},
                     &suite.curator, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    question_file_walk("noisy.sql", 14, check, &suite);
    curator_close(suite.curator);
    random_close(random);
    small_hospital_remove(&hospital);
    assert_int_equal(suite.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_noise_is_what_the_answer_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
