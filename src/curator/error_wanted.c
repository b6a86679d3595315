/* The least amount whose intervals are as narrow as was wanted: found by pricing alone, without a trial.
 *
 * A column that is one measure times a constant has the half width of its noise. For what is made of several
 * measures (avg, ratios) the size of the groups decides, which is private: the analyst must declare it. Then
 * the half widths of the measures are carried through the column's arithmetic by drawing noise around a table
 * that has the declared size (draws.c), for a few amounts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "curator/draws.h"
#include "curator/noise.h"

enum { HALVINGS = 20, DRAWN_HALVINGS = 8 }; /* of the gap: to a millionth, and as far as drawing tells */

/* Widths that were drawn scatter by some percent: what is promised leaves room for that. */
static const double SCATTER = 1.05;

struct wanted {
    struct curator *curator;
    struct prepared *prepared;
    struct arena *arena;
    double half_width;
    double declared_size;
    bool simulate; /* some column is not one measure's */
};

static status read_wanted(const struct curator_question *question, double *out, error *why)
{
    char text[64];
    size_t length = strlen(question->error_wanted);
    bool percent = length > 0 && question->error_wanted[length - 1] == '%';
    if (length == 0 || length >= sizeof text)
        return fail(why, DITHER_INVALID, "the error wanted is a number such as 50, or a share such as 5%%");
    memcpy(text, question->error_wanted, length + 1);
    if (percent)
        text[length - 1] = '\0';
    if (number_parse(text, NUMBER_DOWN, out, NULL) != DITHER_OK || !(*out > 0))
        return fail(why, DITHER_INVALID, "the error wanted is a number such as 50, or a share such as 5%%");
    if (percent && !(question->declared_size > 0))
        return fail(why, DITHER_INVALID, "an error in percent needs the size that it is a share of (--size)");
    if (percent)
        *out *= question->declared_size / 100;
    return DITHER_OK;
}

/* ---- A table as large as was declared ---- */

static int64_t pretended(const struct sql_measure *measure, double size)
{
    switch (measure->kind) {
    case SQL_MEASURE_UNITS:
    case SQL_MEASURE_ROWS:
    case SQL_MEASURE_DISTINCT:
        return (int64_t)fmin(size, 0x1p62);
    case SQL_MEASURE_PRODUCT: /* values spread evenly over their range */
    {
        double first = ((double)measure->steps.upper - (double)measure->steps.lower) / 2;
        double second = ((double)measure->second_steps.upper - (double)measure->second_steps.lower) / 2;
        return (int64_t)fmin(size * first * fmax(second, 1) / 3, 0x1p61);
    }
    case SQL_MEASURE_SUM:
    case SQL_MEASURE_DISTINCT_SUM:
    case SQL_MEASURE_QUANTILES:
    case SQL_MEASURE_TOP:
        break;
    }
    return 0;
}

static status pretend_table(const struct wanted *wanted, const struct prepared_release *prepared,
                            struct sql_rows *out, error *why)
{
    const struct sql_release *release = prepared->release;
    size_t columns = noise_columns(release);
    void *room = NULL;
    TRY(arena_take(wanted->arena, columns * sizeof(struct sql_value), &room, why));
    struct sql_value *cells = room;
    for (size_t i = 0; i < release->key_count; i++)
        cells[i] = prepared->domain.row_count > 0
                       ? *sql_rows_cell(&prepared->domain, prepared->domain.row_count - 1, i)
                       : (struct sql_value){.type = prepared->relation->columns[i].type, .null = true};
    for (size_t i = 0; i < release->measure_count; i++)
        cells[release->measures[i].column] = (struct sql_value){
            .type = SQL_INTEGER, .whole = pretended(&release->measures[i], wanted->declared_size)};
    *out = (struct sql_rows){.column_count = columns, .row_count = 1, .cells = cells};
    return DITHER_OK;
}

static status put_tables(const struct wanted *wanted, struct sql_rows **out, error *why)
{
    const struct prepared *prepared = wanted->prepared;
    void *room = NULL;
    TRY(rest_begin(wanted->curator, why));
    TRY(arena_take(wanted->arena, prepared->plan->release_count * sizeof **out, &room, why));
    *out = room;
    for (size_t i = 0; i < prepared->plan->release_count; i++) {
        struct scratch_column *columns = NULL;
        TRY(pretend_table(wanted, &prepared->releases[i], &(*out)[i], why));
        TRY(rest_columns(prepared->releases[i].relation, wanted->arena, &columns, why));
        TRY(scratch_put(wanted->curator->scratch, prepared->releases[i].table, columns, &(*out)[i], why));
    }
    return DITHER_OK;
}

/* The widest interval that the pretended tables lead to; infinite where there is none. */
static status simulate(const struct wanted *wanted, double *out, error *why)
{
    const struct prepared *prepared = wanted->prepared;
    const struct sql_relation *result = prepared->plan->result;
    struct sql_rows *tables = NULL, rows;
    struct curator_interval *intervals = NULL;
    TRY(put_tables(wanted, &tables, why));
    TRY(rest_rows(wanted->curator, result, wanted->arena, &rows, why));
    TRY(intervals_make(wanted->curator, prepared, tables, &rows, wanted->arena, &intervals, why));
    double widest = rows.row_count > 0 ? 0 : (double)INFINITY;
    for (size_t row = 0; row < rows.row_count; row++)
        for (size_t i = 0; i < result->column_count; i++) {
            const struct curator_interval *interval = &intervals[row * rows.column_count + i];
            if (result->columns[i].noisy && !result->columns[i].hidden)
                widest = fmax(widest, interval->known ? (interval->upper - interval->lower) / 2 : INFINITY);
        }
    *out = widest;
    return DITHER_OK;
}

/* ---- The search ---- */

static status check_columns(struct wanted *wanted, error *why)
{
    const struct sql_relation *result = wanted->prepared->plan->result;
    bool any = false;
    for (size_t i = 0; i < result->column_count; i++) {
        struct trace trace = {0};
        if (result->columns[i].hidden || !result->columns[i].noisy)
            continue;
        any = true;
        if (trace_chosen(result, i))
            return fail(why, DITHER_REFUSED,
                        "no amount promises an error for \"%s\": how close values are to a quantile is not "
                        "public",
                        result->columns[i].name);
        if (!trace_measure(wanted->prepared, result, i, &trace))
            wanted->simulate = true;
    }
    if (!any)
        return fail(why, DITHER_INVALID, "the question has no noisy column whose error could be chosen");
    if (wanted->simulate && !(wanted->declared_size > 0))
        return fail(
            why, DITHER_REFUSED,
            "the error of averages and ratios depends on how many there are: declare a size (--size)");
    return DITHER_OK;
}

static status width_at(const struct wanted *wanted, struct decimal amount, double *out, error *why)
{
    struct prepared *prepared = wanted->prepared;
    enum ledger_currency currency = wanted->curator->policy->budget.currency;
    struct sql_options options = prepared->plan->options;
    *(currency == LEDGER_CONCENTRATED ? &options.rho : &options.epsilon) = amount;
    TRY(curator_reprice(wanted->curator, prepared, &options, wanted->arena, why));
    *out = prepared->half_width;
    if (!wanted->simulate)
        return DITHER_OK;
    double simulated = 0;
    status result = simulate(wanted, &simulated, why);
    for (size_t i = 0; i < prepared->plan->release_count; i++)
        scratch_drop(wanted->curator->scratch, prepared->releases[i].table);
    *out = prepared->half_width = fmax(simulated, isnan(*out) ? 0 : *out);
    return result;
}

/* A price that people can read: up to the next amount with so many digits, but not above `most`. */
static struct decimal round_up(struct decimal amount, int digits, struct decimal most)
{
    uint128_t step = 1, limit = 1;
    for (int i = 0; i < digits; i++)
        limit *= 10;
    while (amount.units / step >= limit)
        step *= 10;
    amount.units = (amount.units + step - 1) / step * step;
    return decimal_min(amount, most);
}

/* An amount too small to be shared out is not enough. */
static bool is_enough(const struct wanted *wanted, struct decimal amount)
{
    double width = 0, margin = wanted->simulate ? SCATTER : 1;
    return width_at(wanted, amount, &width, NULL) == DITHER_OK && width * margin <= wanted->half_width;
}

/* Halves what is enough until it is not, then halves the gap. The last amount that was priced is in the prepared
 * question: it must be the one that is enough. */
static status search(const struct wanted *wanted, struct decimal most, error *why)
{
    double width = 0;
    TRY(width_at(wanted, most, &width, why));
    if (!(width <= wanted->half_width))
        return fail(why, DITHER_REFUSED,
                    "the most that one question may cost gives +-%.4g, not +-%.4g: ask for less", width,
                    wanted->half_width);
    struct decimal enough = most, too_little = decimal_share(most, 1, 2);
    while (!decimal_is_zero(too_little) && is_enough(wanted, too_little)) {
        enough = too_little;
        too_little = decimal_share(enough, 1, 2);
    }
    for (int i = 0; i < (wanted->simulate ? DRAWN_HALVINGS : HALVINGS); i++) {
        struct decimal both = decimal_zero();
        if (!decimal_add(enough, too_little, &both))
            break;
        struct decimal middle = decimal_share(both, 1, 2);
        *(is_enough(wanted, middle) ? &enough : &too_little) = middle;
    }
    return width_at(wanted, round_up(enough, wanted->simulate ? 3 : 4, most), &width, why);
}

status curator_meet_error(struct curator *curator, const struct curator_question *question,
                          struct arena *arena, struct prepared *prepared, error *why)
{
    const struct policy_budget *budget = &curator->policy->budget;
    struct wanted wanted = {
        .curator = curator, .prepared = prepared, .arena = arena, .declared_size = question->declared_size};
    struct ledger_cost total = budget->total;
    struct decimal most = decimal_min(*price_amount(&total, budget->currency),
                                      decimal_is_zero(budget->max_per_question) ? decimal_unlimited()
                                                                                : budget->max_per_question);
    struct sql_options said = prepared->plan->options;
    if (!decimal_is_zero(said.epsilon) || !decimal_is_zero(said.rho))
        return fail(why, DITHER_INVALID, "say the error or the amount, not both");
    TRY(read_wanted(question, &wanted.half_width, why));
    *(budget->currency == LEDGER_CONCENTRATED ? &said.rho : &said.epsilon) = most;
    TRY(curator_reprice(curator, prepared, &said, arena, why));
    TRY(check_columns(&wanted, why));
    return search(&wanted, most, why);
}
