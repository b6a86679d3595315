/* Linear reconstruction of the secrets in somebody's rows: random subsets of people, counted; least squares.
 *
 * The baseline answers all of them with noise of sqrt(n) / 8, and falls. Dither is asked the same in SQL, each for an equal piece
 * of the budget; one more than it pays for is refused. */
#include <math.h>

#include "attack/audit_parts.h"
#include "attack/linear.h"
#include "attack/rows.h"

enum {
    PEOPLE = 96,
    QUICK_PEOPLE = 32,
    QUESTIONS_EACH = 4,
    QUESTION_BYTES = 1 << 16,
};

struct target {
    const struct rows *rows;
    size_t *people; /* half of them with the secret */
    double *bits, *answers, *guess;
    struct subset_matrix subsets;
};

static status choose(struct target *target, size_t count, struct dice *dice, struct arena *arena, error *why)
{
    size_t taken = 0;
    TRY(arena_take(arena, count * sizeof *target->people, (void **)&target->people, why));
    TRY(arena_take(arena, count * sizeof *target->bits, (void **)&target->bits, why));
    TRY(arena_take(arena, count * sizeof *target->guess, (void **)&target->guess, why));
    TRY(arena_take(arena, count * QUESTIONS_EACH * sizeof *target->answers, (void **)&target->answers, why));
    for (size_t wanted = 0; wanted <= 1; wanted++)
        for (size_t i = 0; i < target->rows->count && taken < (wanted + 1) * count / 2; i++)
            if (target->rows->people[i].secret == (wanted == 1)) {
                target->people[taken] = i;
                target->bits[taken++] = (double)wanted;
            }
    if (taken < count)
        return fail(why, DITHER_INVALID, "the rows have too few people for a reconstruction");
    return subset_matrix_make(&target->subsets, count * QUESTIONS_EACH, count, dice, arena, why);
}

static void write_question(const struct target *target, size_t row, struct buffer *sql)
{
    const struct rows *rows = target->rows;
    const char *comma = "";
    buffer_text(sql, "SELECT count(*) FROM ");
    audit_print_name(sql, rows->table->name);
    buffer_text(sql, " WHERE ");
    audit_print_name(sql, rows->secret->name);
    buffer_text(sql, " AND ");
    audit_print_name(sql, rows->id->name);
    buffer_text(sql, " IN (");
    for (size_t i = 0; i < target->subsets.columns; i++)
        if (subset_matrix_has(&target->subsets, row, i)) {
            buffer_format(sql, "%s%s", comma, rows->people[target->people[i]].id);
            comma = ", ";
        }
    buffer_byte(sql, ')');
}

static status ask_all(struct target *target, struct lab *lab, const char *epsilon, error *why)
{
    char share[DECIMAL_TEXT];
    struct buffer sql;
    status result = DITHER_OK;
    lab_share(epsilon, target->subsets.rows, share);
    buffer_init(&sql, QUESTION_BYTES);
    for (size_t row = 0; row < target->subsets.rows && result == DITHER_OK; row++) {
        buffer_clear(&sql);
        write_question(target, row, &sql);
        result = buffer_check(&sql, why);
        if (result == DITHER_OK)
            result = lab_ask_number(lab, sql.data, share, &target->answers[row], why);
    }
    buffer_free(&sql);
    return result;
}

static status attack_dither(struct target *target, const char *epsilon, double *right, error *why)
{
    struct lab *lab = NULL;
    TRY(lab_new(&lab, why));
    status result = rows_open(target->rows, lab, epsilon, NULL, why);
    if (result == DITHER_OK)
        result = ask_all(target, lab, epsilon, why);
    lab_free(lab);
    TRY(result);
    TRY(least_squares(&target->subsets, target->answers, target->guess, why));
    *right = linear_right(target->bits, target->guess, target->subsets.columns);
    return DITHER_OK;
}

status rows_reconstruction(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct target target = {.rows = settings->rows};
    struct dice dice;
    size_t count = settings->quick ? QUICK_PEOPLE : PEOPLE;
    dice_init(&dice, settings->seed, "rows reconstruction");
    TRY(choose(&target, count, &dice, &result->arena, why));
    subset_matrix_sums(&target.subsets, target.bits, target.answers);
    for (size_t i = 0; i < target.subsets.rows; i++)
        target.answers[i] += sqrt((double)count) / 8 * dice_normal(&dice);
    TRY(least_squares(&target.subsets, target.answers, target.guess, why));
    result->guessing = 0.5;
    result->baseline = linear_right(target.bits, target.guess, count);
    result->bound = attack_bound(settings->epsilon);
    result->trials = count;
    attack_fact(result, "questions", (double)target.subsets.rows);
    return attack_dither(&target, settings->epsilon, &result->dither, why);
}
