/* How far one person moves answers that have next to no noise.
 *
 * Every question is asked of data without a person and with one who comes in all sorts: ordinary, with rows by the hundred (or the
 * million), at the ends of what is declared and beyond, with NaN and NULL everywhere, without a parent row. An answer states the
 * scale of its noise and the epsilon that this is for; geometric noise of scale b at epsilon is made for answers that one
 * person moves, all groups added up, by b * epsilon at most (discrete Gaussian noise of sigma at rho: by sigma * sqrt(2 rho),
 * in the Euclidean norm). So the answer itself says how far apart neighbours may be. Rows that belong to nobody, and the same rows in
 * another order, must change nothing at all; refusals must be the same for all data.
 *
 * Which groups of somebody with too many are counted is chosen by chance. The ordinary people have so few rows that nobody's
 * are left out; where a question makes more groups of them, so that two exact answers differ, it is asked of worlds in which the
 * one person is alone. */
#include <math.h>
#include <string.h>

#include "attack/audit_parts.h"

enum {
    PEOPLE = 40,
    STRANGER = 1000000, /* the id of the person who comes and goes */
    GREEDY_ROWS = 300,
    CROWD_ROWS = 1000000,
    SHORT_CROWD_ROWS = 2000,
    SQUARE_ROWS = 1000, /* more, and a join with itself takes too long */
};

struct neighbour {
    const char *name;
    enum audit_style style;
    uint64_t rows; /* 0: of an ordinary person */
    bool orphan, nobody, shuffled;
    bool same;  /* nothing may change */
    bool brief; /* looked at in a short audit too */
};

static const struct neighbour neighbours[] = {
    {.name = "an ordinary person", .style = STYLE_QUIET},
    {.name = "a person with many rows in one group, all at the larger end",
     .style = STYLE_LARGE,
     .rows = GREEDY_ROWS,
     .brief = true},
    {.name = "a person with many rows in one group, all at the smaller end",
     .style = STYLE_SMALL,
     .rows = GREEDY_ROWS},
    {.name = "a person with many rows in many groups",
     .style = STYLE_SPREAD,
     .rows = GREEDY_ROWS,
     .brief = true},
    {.name = "a person above all ranges", .style = STYLE_HIGH, .rows = GREEDY_ROWS, .brief = true},
    {.name = "a person with one row above all ranges", .style = STYLE_HIGH, .rows = 1},
    {.name = "a person below all ranges", .style = STYLE_LOW, .rows = GREEDY_ROWS, .brief = true},
    {.name = "a person with NaN, infinities and NULL",
     .style = STYLE_WILD,
     .rows = GREEDY_ROWS,
     .brief = true},
    {.name = "a person without a parent row", .style = STYLE_SPREAD, .rows = GREEDY_ROWS, .orphan = true},
    {.name = "rows of nobody",
     .style = STYLE_SPREAD,
     .rows = GREEDY_ROWS,
     .nobody = true,
     .same = true,
     .brief = true},
    {.name = "another order of the rows", .shuffled = true, .same = true, .brief = true},
    {.name = "a person with rows without end", .style = STYLE_SPREAD, .rows = CROWD_ROWS},
};

enum { NEIGHBOURS = sizeof neighbours / sizeof neighbours[0] };

/* What is known of a question from the data without the person. */
struct known {
    bool bounded;  /* a column states its noise */
    bool hidden;   /* some keys are not public: rows come and go */
    bool choosing; /* exact answers differ: look at the person alone */
    struct audit_answer stated, exact, alone;
};

struct trial {
    struct audit_run *run;
    const struct audit_questions *questions;
    struct known *known;
};

/* ---- Answers without the person ---- */

static status ask_noiseless(struct audit_run *run, struct audit_world *world, const char *text,
                            struct audit_answer *out, error *why)
{
    char amount[40];
    audit_fresh_amount(world, AUDIT_NOISELESS, amount);
    return audit_run_ask(run, world, text, &(struct audit_settings){.amount = amount, .delta = "1e-6"}, out,
                         why);
}

static bool same_stated(const struct audit_answer *a, const struct audit_answer *b)
{
    if (a->result != b->result || a->row_count != b->row_count)
        return false;
    for (size_t i = 0; i < a->row_count * a->column_count; i++) {
        const struct audit_column *column = &a->columns[i % a->column_count];
        if (column->noisy && column->mechanism[0] == '\0')
            continue;
        if ((a->texts[i] == NULL) != (b->texts[i] == NULL) ||
            (a->texts[i] != NULL && strcmp(a->texts[i], b->texts[i]) != 0))
            return false;
    }
    return true;
}

static bool states_noise(const struct audit_answer *answer)
{
    for (size_t i = 0; answer->result == DITHER_OK && i < answer->column_count; i++)
        if (answer->columns[i].mechanism[0] != '\0')
            return true;
    return false;
}

static status look_for_hidden_keys(struct audit_world *world, const char *text, bool *out, error *why)
{
    struct buffer told;
    buffer_init(&told, 64 << 20);
    status result = audit_explain(world, text, NULL, &told, why);
    *out = result == DITHER_OK && told.length > 0 && strstr(told.data, "\"keys\": \"hidden\"") != NULL;
    buffer_free(&told);
    return result;
}

static status ask_without(struct trial *trial, struct audit_world *world, size_t index, error *why)
{
    const char *text = trial->questions->list[index].text;
    struct known *known = &trial->known[index];
    struct audit_answer again;
    char amount[40];
    audit_fresh_amount(world, 1, amount);
    TRY(audit_run_ask(trial->run, world, text, &(struct audit_settings){.amount = amount, .delta = "1e-6"},
                      &known->stated, why));
    known->bounded = states_noise(&known->stated);
    TRY(ask_noiseless(trial->run, world, text, &known->exact, why));
    TRY(look_for_hidden_keys(world, text, &known->hidden, why));
    TRY(ask_noiseless(trial->run, world, text, &again, why));
    known->choosing = !same_stated(&known->exact, &again);
    audit_answer_free(&again);
    return DITHER_OK;
}

static status look_without(struct trial *trial, const struct audit_data *data, bool alone, error *why)
{
    struct audit_world world;
    TRY(audit_run_open(trial->run, data, &world, why));
    status result = DITHER_OK;
    for (size_t i = 0; result == DITHER_OK && i < trial->questions->count; i++)
        result = alone ? ask_noiseless(trial->run, &world, trial->questions->list[i].text,
                                       &trial->known[i].alone, why)
                       : ask_without(trial, &world, i, why);
    audit_world_close(&world);
    return result;
}

/* ---- With the person ---- */

/* The row with the same keys, or SIZE_MAX. Answers are in the order of their keys, so it is mostly the same row. */
static size_t find_row(const struct audit_answer *in, const struct audit_answer *of, size_t row,
                       struct buffer keys[2])
{
    audit_answer_key(of, row, &keys[0]);
    for (size_t i = 0; i < in->row_count; i++) {
        size_t candidate = (row + i) % in->row_count;
        audit_answer_key(in, candidate, &keys[1]);
        if (keys[0].length == keys[1].length &&
            (keys[0].length == 0 || memcmp(keys[0].data, keys[1].data, keys[0].length) == 0))
            return candidate;
    }
    return SIZE_MAX;
}

struct distance {
    double sum, squares; /* of absolute differences */
    size_t missing;      /* rows of one answer that the other has not */
};

static struct distance measure(const struct audit_answer *a, const struct audit_answer *b, size_t column)
{
    struct distance distance = {0};
    struct buffer keys[2];
    buffer_init(&keys[0], 1 << 20);
    buffer_init(&keys[1], 1 << 20);
    for (size_t row = 0; row < a->row_count; row++) {
        size_t other = b->row_count > 0 ? find_row(b, a, row, keys) : SIZE_MAX;
        if (other == SIZE_MAX) {
            distance.missing++;
            continue;
        }
        double left = audit_answer_number(a, row, column), right = audit_answer_number(b, other, column);
        double difference = fabs((isnan(left) ? 0 : left) - (isnan(right) ? 0 : right));
        distance.sum += difference;
        distance.squares += difference * difference;
    }
    distance.missing +=
        b->row_count > a->row_count - distance.missing ? b->row_count - (a->row_count - distance.missing) : 0;
    buffer_free(&keys[0]);
    buffer_free(&keys[1]);
    return distance;
}

/* What the noise was made for, in the norm that its law has. 0: not known. */
static double allowance(const struct audit_column *stated, bool *euclidean)
{
    *euclidean = strcmp(stated->mechanism, "discrete-gaussian") == 0;
    if (*euclidean)
        return stated->rho > 0 ? stated->scale * sqrt(2 * stated->rho) : 0;
    return strcmp(stated->mechanism, "geometric") == 0 ? stated->scale * stated->epsilon : 0;
}

/* "Exact" answers have a little noise where the ranges are very wide. */
static double slack(const struct audit_answer *exact, size_t column, double allowed)
{
    const struct audit_column *noise = &exact->columns[column];
    double left_over = noise->scale * 60 > noise->grid / 2 ? noise->scale * 60 * (double)exact->row_count : 0;
    return allowed * 1e-9 + left_over;
}

static void compare_column(struct trial *trial, size_t index, const struct neighbour *neighbour,
                           const struct audit_answer *without, const struct audit_answer *with, size_t column)
{
    const struct known *known = &trial->known[index];
    const struct audit_column *stated = &known->stated.columns[column];
    const char *text = trial->questions->list[index].text;
    bool euclidean = false;
    double allowed = allowance(stated, &euclidean);
    struct distance distance = measure(without, with, column);
    double moved = euclidean ? sqrt(distance.squares) : distance.sum;
    if (allowed == 0)
        return;
    audit_tested(trial->run, AUDIT_SENSITIVITY);
    if (!known->hidden && distance.missing > 0)
        audit_convict(trial->run, AUDIT_SENSITIVITY, text, "%s makes public rows come or go",
                      neighbour->name);
    else if (neighbour->same && moved > slack(without, column, 0))
        audit_convict(trial->run, AUDIT_SENSITIVITY, text,
                      "%s changes column %s by %.12g, and must not change it", neighbour->name, stated->name,
                      moved);
    else if (moved > allowed + slack(without, column, allowed))
        audit_convict(trial->run, AUDIT_SENSITIVITY, text,
                      "%s moves column %s by %.12g, and its noise is made for %.12g", neighbour->name,
                      stated->name, moved, allowed);
}

static void compare(struct trial *trial, size_t index, const struct neighbour *neighbour,
                    const struct audit_answer *without, const struct audit_answer *with)
{
    const char *text = trial->questions->list[index].text;
    audit_tested(trial->run, AUDIT_SENSITIVITY);
    if (with->result != without->result || strcmp(with->message, without->message) != 0) {
        audit_convict(trial->run, AUDIT_SENSITIVITY, text,
                      "%s changes how the question fails: \"%.200s\", \"%.200s\"", neighbour->name,
                      without->message, with->message);
        return;
    }
    for (size_t i = 0; trial->known[index].bounded && with->result == DITHER_OK && i < with->column_count;
         i++)
        if (trial->known[index].stated.columns[i].mechanism[0] != '\0')
            compare_column(trial, index, neighbour, without, with, i);
}

static uint64_t rows_of(const struct trial *trial, const struct neighbour *neighbour,
                        const struct policy_table *kind)
{
    if (neighbour->rows == CROWD_ROWS)
        return trial->run->shortly ? SHORT_CROWD_ROWS : CROWD_ROWS;
    return neighbour->rows > 0 ? neighbour->rows : audit_quiet_rows(trial->run, kind);
}

static bool belongs(const struct audit_question *question, const struct policy_table *kind)
{
    return question->table->unit == kind;
}

static status ask_with(struct trial *trial, const struct audit_data *data, const struct neighbour *neighbour,
                       const struct policy_table *kind, bool alone, error *why)
{
    struct audit_world world;
    TRY(audit_run_open(trial->run, data, &world, why));
    status result = DITHER_OK;
    for (size_t i = 0; result == DITHER_OK && i < trial->questions->count; i++) {
        const struct audit_question *question = &trial->questions->list[i];
        struct known *known = &trial->known[i];
        struct audit_answer with;
        if (!belongs(question, kind) || known->choosing != alone ||
            (question->square && rows_of(trial, neighbour, kind) > SQUARE_ROWS))
            continue;
        result = ask_noiseless(trial->run, &world, question->text, &with, why);
        if (result != DITHER_OK)
            break;
        compare(trial, i, neighbour, alone ? &known->alone : &known->exact, &with);
        audit_answer_free(&with);
    }
    audit_world_close(&world);
    return result;
}

/* ---- The data ---- */

static status make_data(const struct audit_run *run, uint64_t people, struct audit_data *out, error *why)
{
    TRY(audit_data_open(run->policy, run->options->seed, out, why));
    audit_data_public(out);
    audit_quiet_people(run, out, people);
    return DITHER_OK;
}

static status with_neighbour(struct trial *trial, const struct neighbour *neighbour,
                             const struct policy_table *kind, bool alone, error *why)
{
    struct audit_data data;
    status result = make_data(trial->run, alone ? 0 : PEOPLE, &data, why);
    if (result == DITHER_OK && neighbour->shuffled)
        result = audit_data_shuffle(&data, why);
    else if (result == DITHER_OK)
        audit_data_person(&data, &(struct audit_person){.kind = kind,
                                                        .id = STRANGER,
                                                        .style = neighbour->style,
                                                        .rows = rows_of(trial, neighbour, kind),
                                                        .orphan = neighbour->orphan,
                                                        .nobody = neighbour->nobody});
    if (result == DITHER_OK)
        result = ask_with(trial, &data, neighbour, kind, alone, why);
    audit_data_close(&data);
    return result;
}

static bool any_choosing(const struct trial *trial, const struct policy_table *kind)
{
    for (size_t i = 0; i < trial->questions->count; i++)
        if (trial->known[i].choosing && belongs(&trial->questions->list[i], kind))
            return true;
    return false;
}

static status with_everybody(struct trial *trial, const struct policy_table *kind, error *why)
{
    for (size_t i = 0; i < NEIGHBOURS; i++) {
        const struct neighbour *neighbour = &neighbours[i];
        if (trial->run->shortly && !neighbour->brief)
            continue;
        /* A row that is its own unit has no parents, and belongs to somebody. */
        if (kind->protection == POLICY_UNIT_ROW &&
            (neighbour->orphan || neighbour->nobody || neighbour->rows == CROWD_ROWS))
            continue;
        audit_tell(trial->run, "sensitivity: %s", neighbour->name);
        if (trial->run->options->first && audit_report_convicts(trial->run->report))
            return DITHER_OK;
        TRY(with_neighbour(trial, neighbour, kind, false, why));
        if (!neighbour->shuffled && any_choosing(trial, kind))
            TRY(with_neighbour(trial, neighbour, kind, true, why));
    }
    return DITHER_OK;
}

static status look(struct trial *trial, error *why)
{
    const struct policy_table *kind = NULL;
    for (int alone = 0; alone <= 1; alone++) {
        struct audit_data data;
        TRY(make_data(trial->run, alone ? 0 : PEOPLE, &data, why));
        status result = look_without(trial, &data, alone, why);
        audit_data_close(&data);
        TRY(result);
    }
    for (size_t i = 0; (kind = audit_kind(trial->run, i)) != NULL; i++)
        TRY(with_everybody(trial, kind, why));
    return DITHER_OK;
}

status audit_sensitivity(struct audit_run *run, const struct audit_questions *questions, error *why)
{
    struct trial trial = {.run = run, .questions = questions};
    void *known = NULL;
    audit_tell(run, "sensitivity: %zu questions", questions->count);
    TRY(arena_take(&run->arena, questions->count * sizeof *trial.known, &known, why));
    trial.known = known;
    status result = look(&trial, why);
    for (size_t i = 0; i < questions->count; i++) {
        audit_answer_free(&trial.known[i].stated);
        audit_answer_free(&trial.known[i].exact);
        audit_answer_free(&trial.known[i].alone);
    }
    return result;
}
