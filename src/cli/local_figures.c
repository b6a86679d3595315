#include "cli/local_figures.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/plot_svg.h"

static status add(const struct local_figures_wanted *wanted, const char *name,
                  const struct local_figure *figure, struct arena *arena, struct local_rows *rows, error *why)
{
    const struct local_row row = {wanted->attribute, name, *figure};
    return local_rows_add(rows, arena, &row, why);
}

static status add_quantiles(const struct local_figures_wanted *wanted, struct random *random,
                            struct arena *arena, struct local_rows *rows, error *why)
{
    static const double quartiles[] = {0.25, 0.5, 0.75};
    static struct local_figure figures[LOCAL_NUMBERS];
    const struct local_estimate_request *request = wanted->request;
    bool own = request->quantiles->count > 0;
    const struct numeric_quantiles question = {
        .shares = own ? request->quantiles->values : quartiles,
        .count = own ? request->quantiles->count : 3,
        .smooth = !request->plain,
        .confidence = request->confidence,
    };
    TRY(local_numeric_quantiles(wanted->tally, wanted->numeric, &question, random, figures, why));
    for (size_t q = 0; q < question.count; q++) {
        char share[NUMBER_TEXT], name[NUMBER_TEXT + 16];
        number_print(question.shares[q], share);
        snprintf(name, sizeof name, "quantile %s", share);
        TRY(add(wanted, name, &figures[q], arena, rows, why));
    }
    return DITHER_OK;
}

status local_figures(const struct local_figures_wanted *wanted, struct arena *arena, struct local_rows *rows,
                     error *why)
{
    struct local_figure figure;
    double confidence = wanted->request->confidence;
    TRY(local_numeric_mean(wanted->tally, wanted->numeric, confidence, &figure, why));
    TRY(add(wanted, "mean", &figure, arena, rows, why));
    if (wanted->numeric->window == 0)
        return DITHER_OK;
    status result = local_numeric_spread(wanted->tally, wanted->numeric, confidence, &figure, why);
    if (result == DITHER_OK)
        TRY(add(wanted, "variance", &figure, arena, rows, why));
    else if (result != DITHER_REFUSED) /* too few of hybrid's reports */
        return result;
    struct random *random = NULL;
    TRY(random_open(&random, why));
    result = add_quantiles(wanted, random, arena, rows, why);
    random_close(random);
    return result;
}

/* Shares of grid points as a density over the range. */
static status density(const struct local_numeric *numeric, const struct local_tally *tally, bool smooth,
                      double *x, double *y, error *why)
{
    double steps = numeric->setting.steps, lower = numeric->setting.lower, upper = numeric->setting.upper;
    TRY(local_numeric_distribution(tally, numeric, smooth, y, why));
    for (uint32_t k = 0; k <= numeric->setting.steps; k++) {
        x[k] = lower + (upper - lower) * (k / steps);
        y[k] *= steps / (upper - lower);
    }
    return DITHER_OK;
}

status local_figures_draw(const struct local_numeric *numeric, const struct local_tally *tally,
                          const struct local_estimate_request *request, error *why)
{
    size_t points = (size_t)numeric->setting.steps + 1, bytes = 2 * points * sizeof(double);
    double *x = memory_allocate(bytes);
    if (x == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a picture of %zu points", points);
    status result = density(numeric, tally, !request->plain, x, x + points, why);
    const struct plot_panel panel = {
        .title = "Estimated density of the numbers",
        .x_name = "number",
        .y_name = "density",
        .lines = {{request->plain ? "EM" : "EM, smoothed", x, x + points, points}},
        .line_count = 1,
    };
    struct buffer svg;
    buffer_init(&svg, (size_t)1 << 30);
    if (result == DITHER_OK) {
        plot_svg(&svg, &panel, 1);
        result = local_write_file(request->plot, &svg, why);
    }
    buffer_free(&svg);
    memory_release(x, bytes);
    return result;
}
