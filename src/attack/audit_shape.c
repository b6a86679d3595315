/* Is the noise what the answers say it is? Truths are known, because the data are ours: the answer with an epsilon so large that no
 * noise is left. What a noisy answer differs by must be whole steps of the stated grid (grid), spread as the stated law has it
 * (chi-square), and unrelated between groups, columns, answers and restarts (signs and sizes of pairs, exactly binomial). */
#include <stdio.h>
#include <math.h>
#include <string.h>

#include "attack/audit_parts.h"

enum {
    PEOPLE = 60,
    SAMPLES = 6000, /* of each column */
    SHORT_SAMPLES = 800,
    MOST_REPEATS = 120,
    SHORT_REPEATS = 12,
    FEW_REPEATS = 24, /* where there will be too few for the law: for the grid, and for pairs */
};

/* The noise of one column, answer by answer, in steps. */
struct sample {
    const char *mechanism;
    double scale;  /* in steps */
    double *noise; /* the answers one after the other */
    size_t count;
    size_t rows; /* of one answer, while all have the same; else 0 */
};

struct subject {
    struct audit_run *run;
    struct audit_world *world;
    const struct audit_question *question;
    struct audit_answer exact;
    struct sample *samples; /* of each column */
    size_t repeats;
    bool off_grid; /* said already */
};

static status ask_at(struct subject *subject, uint64_t amount, struct audit_answer *out, error *why)
{
    char text[40];
    audit_fresh_amount(subject->world, amount, text);
    return audit_run_ask(subject->run, subject->world, subject->question->text,
                         &(struct audit_settings){.amount = text, .delta = "1e-6"}, out, why);
}

static bool same_keys(const struct audit_answer *a, size_t a_row, const struct audit_answer *b, size_t b_row)
{
    for (size_t i = 0; i < a->column_count; i++) {
        if (a->columns[i].noisy)
            continue;
        const char *left = audit_answer_text(a, a_row, i), *right = audit_answer_text(b, b_row, i);
        if ((left == NULL) != (right == NULL) || (left != NULL && strcmp(left, right) != 0))
            return false;
    }
    return true;
}

/* ---- Grid ---- */

static void look_at_grid(struct subject *subject, const struct audit_answer *answer, size_t column)
{
    double grid = answer->columns[column].grid;
    int exponent = 0;
    audit_tested(subject->run, AUDIT_GRID);
    if (subject->off_grid)
        return;
    if (!(grid > 0)) {
        subject->off_grid = true;
        audit_convict(subject->run, AUDIT_GRID, subject->question->text, "column %s states no grid",
                      answer->columns[column].name);
        return;
    }
    /* A decimal column's grid is a power of ten: its numbers are whole in their last digit, and doubles do not hold them. */
    bool power_of_two = frexp(grid, &exponent) == 0.5;
    for (size_t row = 0; row < answer->row_count; row++) {
        double steps = audit_answer_number(answer, row, column) / grid;
        double off = fabs(steps - rint(steps));
        if (isnan(steps) || off <= (power_of_two ? 0 : 1e-6))
            continue;
        subject->off_grid = true;
        audit_convict(subject->run, AUDIT_GRID, subject->question->text,
                      "column %s has %s, which is not on its grid of %.12g", answer->columns[column].name,
                      audit_answer_text(answer, row, column), grid);
        return;
    }
}

/* ---- Samples ---- */

static void take_noise(struct subject *subject, const struct audit_answer *answer, size_t column)
{
    struct sample *sample = &subject->samples[column];
    const struct audit_column *noise = &answer->columns[column];
    size_t exact_row = 0, rows = 0;
    sample->scale = noise->scale / noise->grid;
    for (size_t row = 0; row < answer->row_count; row++) {
        while (exact_row < subject->exact.row_count && !same_keys(answer, row, &subject->exact, exact_row))
            exact_row++;
        if (exact_row == subject->exact.row_count)
            break;
        double difference = (audit_answer_number(answer, row, column) -
                             audit_answer_number(&subject->exact, exact_row, column)) /
                            noise->grid;
        if (!isnan(difference)) {
            sample->noise[sample->count++] = rint(difference);
            rows++;
        }
    }
    sample->rows = sample->count == rows ? rows : sample->rows == rows ? rows : 0;
}

static bool is_stated(const struct audit_answer *answer, size_t column)
{
    return !isnan(audit_law_cumulative(answer->columns[column].mechanism, 1, 0));
}

static status take_room(struct subject *subject, error *why)
{
    size_t rows = subject->exact.row_count > 0 ? subject->exact.row_count : 1;
    size_t wanted = subject->run->shortly ? SHORT_SAMPLES : SAMPLES;
    size_t most = subject->run->shortly ? SHORT_REPEATS : MOST_REPEATS;
    void *samples = NULL;
    if (rows * most < AUDIT_LEAST_SAMPLE && most > FEW_REPEATS)
        most = FEW_REPEATS;
    subject->repeats = wanted / rows + 1 < most ? wanted / rows + 1 : most;
    subject->repeats = subject->repeats < 2 ? 2 : subject->repeats;
    TRY(arena_take(&subject->exact.arena, subject->exact.column_count * sizeof *subject->samples, &samples,
                   why));
    subject->samples = samples;
    for (size_t i = 0; i < subject->exact.column_count; i++) {
        void *noise = NULL;
        TRY(arena_take(&subject->exact.arena, subject->repeats * rows * sizeof(double), &noise, why));
        subject->samples[i].noise = noise;
        subject->samples[i].mechanism = subject->exact.columns[i].mechanism;
    }
    return DITHER_OK;
}

static status ask_once(struct subject *subject, error *why)
{
    struct audit_answer answer;
    TRY(ask_at(subject, 1, &answer, why));
    for (size_t i = 0; answer.result == DITHER_OK && i < answer.column_count; i++) {
        if (!is_stated(&answer, i))
            continue;
        look_at_grid(subject, &answer, i);
        if (answer.row_count <= subject->exact.row_count)
            take_noise(subject, &answer, i);
    }
    audit_answer_free(&answer);
    return DITHER_OK;
}

/* ---- Pairs ---- */

static void look_at_pairs(const struct subject *subject, const struct sample *sample)
{
    struct audit_pairs neighbours = audit_pairs_of(sample->mechanism, sample->scale), answers = neighbours;
    const char *text = subject->question->text;
    for (size_t i = 0; sample->rows > 1 && i + 1 < sample->count; i += 2)
        audit_pairs_add(&neighbours, sample->noise[i], sample->noise[i + 1]);
    audit_pairs_judge(subject->run, text, "in groups beside each other", &neighbours);
    for (size_t answer = 0; sample->rows > 0 && (answer + 2) * sample->rows <= sample->count; answer += 2)
        for (size_t row = 0; row < sample->rows; row++)
            audit_pairs_add(&answers, sample->noise[answer * sample->rows + row],
                            sample->noise[(answer + 1) * sample->rows + row]);
    audit_pairs_judge(subject->run, text, "in answers after each other", &answers);
}

/* ---- A question ---- */

static void judge(struct subject *subject)
{
    struct audit_report *report = subject->run->report;
    for (size_t i = 0; i < subject->exact.column_count; i++) {
        const struct sample *sample = &subject->samples[i];
        struct audit_curve *curve =
            !subject->run->noise_drawn && report->curve_count < AUDIT_CURVES && sample->count >= 500
                ? &report->curves[report->curve_count]
                : NULL;
        if (sample->count < 2)
            continue;
        audit_fit(subject->run, AUDIT_SHAPE, subject->question->text, "noise against its stated law",
                  audit_law_fit(sample->mechanism, sample->scale, sample->noise, sample->count, curve));
        if (curve != NULL && curve->count > 0) {
            curve->title = "noise of the first question, by bins";
            curve->x_name = "noise, in steps";
            curve->y_name = "share of answers";
            report->curve_count++;
            subject->run->noise_drawn = true;
        }
        look_at_pairs(subject, sample);
    }
}

static status look_at(struct subject *subject, error *why)
{
    struct audit_answer again;
    TRY(ask_at(subject, AUDIT_NOISELESS, &again, why));
    bool choosing = again.result != DITHER_OK || again.row_count != subject->exact.row_count;
    for (size_t i = 0; !choosing && i < again.row_count * again.column_count; i++)
        choosing = is_stated(&again, i % again.column_count) &&
                   (again.texts[i] == NULL || subject->exact.texts[i] == NULL ||
                    strcmp(again.texts[i], subject->exact.texts[i]) != 0);
    audit_answer_free(&again);
    if (choosing) /* the truth is not the same each time */
        return DITHER_OK;
    TRY(take_room(subject, why));
    for (size_t i = 0; i < subject->repeats; i++)
        TRY(ask_once(subject, why));
    judge(subject);
    return DITHER_OK;
}

static bool worth_it(const struct audit_run *run, const struct audit_answer *exact)
{
    bool stated = false;
    for (size_t i = 0; exact->result == DITHER_OK && i < exact->column_count; i++)
        stated = stated || is_stated(exact, i);
    return stated && (!run->shortly || exact->row_count >= 20);
}

static status look_at_all(struct audit_run *run, const struct audit_questions *questions,
                          struct audit_world *world, error *why)
{
    for (size_t i = 0; i < questions->count; i++) {
        struct subject subject = {.run = run, .world = world, .question = &questions->list[i]};
        audit_tell(run, "shape: %s", questions->list[i].kind);
        TRY(ask_at(&subject, AUDIT_NOISELESS, &subject.exact, why));
        status result = worth_it(run, &subject.exact) ? look_at(&subject, why) : DITHER_OK;
        audit_answer_free(&subject.exact);
        TRY(result);
    }
    return DITHER_OK;
}

status audit_shape(struct audit_run *run, const struct audit_questions *questions, error *why)
{
    struct audit_data data;
    struct audit_world world;
    TRY(audit_data_open(run->policy, run->options->seed + 1, &data, why));
    audit_data_public(&data);
    audit_quiet_people(run, &data, PEOPLE);
    status result = audit_run_open(run, &data, &world, why);
    audit_data_close(&data);
    TRY(result);
    result = look_at_all(run, questions, &world, why);
    audit_world_close(&world);
    return result;
}
