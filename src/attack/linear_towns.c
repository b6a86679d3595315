/* The polynomial adversary's questions in SQL. */
#include "attack/linear.h"

#include "attack/towns.h"
#include "base/memory.h"

status linear_towns_make(struct linear_towns *towns, size_t questions_each, struct dice *dice,
                         struct arena *arena, error *why)
{
    size_t everybody = towns->count * towns->people, questions = questions_each * towns->people;
    TRY(subset_matrix_make(&towns->subsets, questions, towns->people, dice, arena, why));
    TRY(arena_take(arena, everybody * sizeof *towns->bits, (void **)&towns->bits, why));
    TRY(arena_take(arena, towns->count * questions * sizeof *towns->answers, (void **)&towns->answers, why));
    for (size_t i = 0; i < everybody; i++)
        towns->bits[i] = dice_chance(dice, 0.5);
    return DITHER_OK;
}

static bool has_bit(const void *context, size_t town, size_t person)
{
    const struct linear_towns *towns = context;
    return towns->bits[town * towns->people + person] > 0;
}

static void write_question(struct buffer *sql, const struct subset_matrix *subsets, size_t row)
{
    const char *comma = "";
    buffer_text(sql, "SELECT town, count(*) FROM people WHERE secret AND person IN (");
    for (size_t person = 0; person < subsets->columns; person++)
        if (subset_matrix_has(subsets, row, person)) {
            buffer_format(sql, "%s%zu", comma, person);
            comma = ", ";
        }
    buffer_text(sql, ") GROUP BY town ORDER BY town");
}

static status ask_one(struct linear_towns *towns, struct lab *lab, const char *share, size_t row, error *why)
{
    struct buffer sql;
    dither_answer *answer = NULL;
    buffer_init(&sql, LAB_TEXT_BYTES);
    write_question(&sql, &towns->subsets, row);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = lab_ask(lab, sql.data, share, &answer, why);
    for (size_t town = 0; town < towns->count && result == DITHER_OK; town++)
        towns->answers[town * towns->subsets.rows + row] = dither_cell_number(answer, town, 1);
    dither_answer_free(answer);
    buffer_free(&sql);
    return result;
}

/* When all is spent a question about everybody must be refused, or the budget is none. */
static status ask_all(struct linear_towns *towns, struct lab *lab, const char *epsilon, size_t *answered,
                      error *why)
{
    char share[DECIMAL_TEXT];
    double number;
    lab_share(epsilon, towns->subsets.rows, share);
    for (*answered = 0; *answered < towns->subsets.rows; ++*answered)
        TRY(ask_one(towns, lab, share, *answered, why));
    status result = lab_ask_number(lab, "SELECT count(*) FROM people", share, &number, why);
    *answered += result == DITHER_OK;
    return result == DITHER_REFUSED ? DITHER_OK : result;
}

status linear_towns_attack(struct linear_towns *towns, const char *epsilon, double *right, size_t *answered,
                           error *why)
{
    struct lab *lab = NULL;
    const struct towns_shape shape = {towns->count, towns->people, has_bit};
    size_t n = towns->people, m = towns->subsets.rows, size = n * sizeof(double);
    double *guess = memory_allocate(size);
    if (guess == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for an attack");
    status result = lab_new(&lab, why);
    if (result == DITHER_OK)
        result = towns_open(lab, &shape, towns, epsilon, why);
    if (result == DITHER_OK)
        result = ask_all(towns, lab, epsilon, answered, why);
    lab_free(lab);
    *right = 0;
    for (size_t town = 0; town < towns->count && result == DITHER_OK; town++) {
        result = least_squares(&towns->subsets, towns->answers + town * m, guess, why);
        if (result == DITHER_OK)
            *right += linear_right(towns->bits + town * n, guess, n) / (double)towns->count;
    }
    memory_release(guess, size);
    return result;
}
