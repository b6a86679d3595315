/* Numbers: what all kinds share. Positions are counted in steps of the grid until they are told to somebody. */
#include "local/numeric.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "local/kinds.h"
#include "local/numeric_kinds.h"

static const struct local_numeric_kind *const kinds[] = {
    &numeric_duchi,
    &numeric_piecewise,
    &numeric_hybrid,
    &numeric_wave,
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const struct local_numeric_kind *local_numeric_kind_at(size_t index)
{
    return index < KIND_COUNT ? kinds[index] : NULL;
}

const struct local_numeric_kind *local_numeric_kind_named(const char *name)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

status local_numeric_init(struct local_numeric *numeric, const struct local_numeric_kind *kind,
                          const struct local_numeric_setting *setting, error *why)
{
    struct local_numeric made = {.kind = kind, .setting = *setting, .report_bytes = 4};
    if (!(isfinite(setting->lower) && isfinite(setting->upper) && setting->lower < setting->upper &&
          isfinite(setting->upper - setting->lower)))
        return fail(why, DITHER_INVALID, "a range goes from a lower to an upper number, both finite");
    if (!(setting->epsilon >= LOCAL_EPSILON_LEAST && setting->epsilon <= LOCAL_EPSILON_MOST))
        return fail(why, DITHER_INVALID, "epsilon must lie between %g and %g", LOCAL_EPSILON_LEAST,
                    LOCAL_EPSILON_MOST);
    if (setting->steps == 0)
        made.setting.steps = NUMERIC_STEPS;
    if (made.setting.steps < 2 || made.setting.steps > NUMERIC_STEPS_LIMIT)
        return fail(why, DITHER_INVALID, "a grid has 2 to %d steps", NUMERIC_STEPS_LIMIT);
    TRY(kind->init(&made, why));
    assert(made.outputs >= 2);
    *numeric = made;
    return DITHER_OK;
}

/* Where the number lies, in steps from the lower end; written so that NaN lands on a bound. */
static double position_of(const struct local_numeric *numeric, double value)
{
    const struct local_numeric_setting *setting = &numeric->setting;
    if (!(value > setting->lower))
        return 0;
    if (value >= setting->upper)
        return setting->steps;
    return fmin((value - setting->lower) / (setting->upper - setting->lower) * setting->steps,
                setting->steps);
}

/* Up with the probability of what lies above the grid point. A mixture of two inputs' laws keeps their epsilon. */
status local_numeric_randomise(const struct local_numeric *numeric, double value, struct random *random,
                               unsigned char *report, error *why)
{
    double position = position_of(numeric, value), below = floor(position);
    uint64_t up = 0;
    uint32_t output = 0;
    status result = coin_toss(random, (uint64_t)ldexp(position - below, 64), &up, why);
    if (result == DITHER_OK)
        result =
            numeric->kind->randomise(numeric, (uint32_t)below + (uint32_t)(up & 1), random, &output, why);
    report_put(report, result == DITHER_OK ? output : 0);
    return result;
}

static double in_units(const struct local_numeric *numeric, double steps)
{
    return steps * (numeric->setting.upper - numeric->setting.lower) / numeric->setting.steps;
}

double numeric_centred(const struct local_numeric *numeric, uint32_t output)
{
    uint32_t windowed = numeric->window > 0 ? numeric->setting.steps + numeric->window : 0;
    if (output < windowed)
        return (output - (windowed - 1) / 2.0) / numeric->gain;
    return output == windowed ? -numeric->bit_value : numeric->bit_value;
}

double local_numeric_value(const struct local_numeric *numeric, uint32_t output)
{
    assert(output < numeric->outputs);
    double middle = numeric->setting.lower / 2 + numeric->setting.upper / 2;
    return middle + in_units(numeric, numeric_centred(numeric, output));
}

/* At distance x from the middle, in steps squared: the window's (b x^2 + A) / b^2 - x^2, the bit's value^2 - x^2. */
static double variance_at(const struct local_numeric *numeric, double x)
{
    double window = 0, bit = 0;
    if (numeric->window > 0)
        window = x * x * (1 / numeric->gain - 1) + numeric->offset / (numeric->gain * numeric->gain);
    if (numeric->slope > 0)
        bit = numeric->bit_value * numeric->bit_value - x * x;
    double share = numeric->slope == 0 ? 1 : coin_probability(numeric->mix);
    return share * window + (1 - share) * bit;
}

double local_numeric_variance(const struct local_numeric *numeric, double value)
{
    double position = position_of(numeric, value), below = floor(position), up = position - below;
    double x = below - numeric->setting.steps / 2.0;
    double steps = (1 - up) * variance_at(numeric, x) + up * variance_at(numeric, x + 1) + up * (1 - up);
    double unit = in_units(numeric, 1);
    return steps * unit * unit;
}

double local_numeric_worst_variance(const struct local_numeric *numeric)
{
    double unit = in_units(numeric, 1);
    return unit * unit * fmax(variance_at(numeric, 0), variance_at(numeric, numeric->setting.steps / 2.0));
}

double local_numeric_power(const struct local_numeric *numeric)
{
    double bits = 2 * numeric->bit_value;
    double window = numeric->window > 0 ? (numeric->setting.steps + numeric->window - 1) / numeric->gain : 0;
    return in_units(numeric, fmax(bits, window));
}

status local_numeric_tally(struct local_tally *tally, const struct local_numeric *numeric, error *why)
{
    uint64_t *cells = memory_allocate(numeric->outputs * sizeof *cells);
    if (cells == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for %u counters", numeric->outputs);
    *tally = (struct local_tally){.cells = cells, .cell_count = numeric->outputs};
    return DITHER_OK;
}

status local_numeric_add(struct local_tally *tally, const struct local_numeric *numeric,
                         const unsigned char *reports, size_t bytes, error *why)
{
    assert(tally->cell_count == numeric->outputs);
    if (bytes % numeric->report_bytes != 0)
        return fail(why, DITHER_INVALID, "%zu bytes are not a whole number of reports of %zu bytes", bytes,
                    numeric->report_bytes);
    for (size_t at = 0; at < bytes; at += numeric->report_bytes) {
        uint32_t output = report_number(reports + at);
        bool good = output < numeric->outputs;
        if (good)
            tally->cells[output]++;
        tally->people += good;
        tally->refused += !good;
    }
    return DITHER_OK;
}
