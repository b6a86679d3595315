/* `dither account --plot`: epsilon against delta, and how epsilon grows with the releases. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "account/currency.h"
#include "base/memory.h"
#include "base/plot_svg.h"
#include "cli/account.h"

enum {
    DELTAS = 23, /* 1e-1 to 1e-12, half a power of ten apart */
    SIZES = 12,
    CURRENCIES = 5,
    SVG_BYTES = 1 << 20,
};

static const char *const currency_names[CURRENCIES] = {"basic", "advanced", "zcdp", "rdp", "pld"};

/* One value per currency and point. */
struct curves {
    double x[32];
    double epsilon[CURRENCIES][32];
    size_t count;
};

static void add_point(struct curves *curves, double x, const struct account_figures *figures)
{
    const double values[CURRENCIES] = {figures->basic, figures->advanced, figures->zcdp, figures->renyi,
                                       figures->pld.upper};
    curves->x[curves->count] = x;
    for (size_t i = 0; i < CURRENCIES; i++)
        curves->epsilon[i][curves->count] = values[i];
    curves->count++;
}

static status against_delta(const struct account_request *request, struct curves *curves, error *why)
{
    struct account_plan *plan = NULL;
    TRY(account_plan_new(&plan, request->releases, request->count, why));
    status result = DITHER_OK;
    for (int i = 0; i < DELTAS && result == DITHER_OK; i++) {
        double delta = pow(10, -1 - 0.5 * i);
        struct account_figures figures;
        result = account_figure_out(plan, delta, &figures, why);
        if (result == DITHER_OK)
            add_point(curves, delta, &figures);
    }
    account_plan_free(plan);
    return result;
}

/* The plan with every count multiplied by `share`, at least 1. */
static status shrunken(const struct account_request *request, double share, struct release *releases,
                       struct account_figures *figures, double *total, error *why)
{
    *total = 0;
    for (size_t i = 0; i < request->count; i++) {
        releases[i] = request->releases[i];
        releases[i].count = (uint64_t)fmax(1, round((double)releases[i].count * share));
        *total += (double)releases[i].count;
    }
    struct account_plan *plan = NULL;
    TRY(account_plan_new(&plan, releases, request->count, why));
    status result = account_figure_out(plan, request->delta, figures, why);
    account_plan_free(plan);
    return result;
}

/* From a few of the releases to twice as many as were asked about. */
static status against_count(const struct account_request *request, struct curves *curves, error *why)
{
    size_t size = request->count * sizeof *request->releases;
    struct release *releases = memory_allocate(size);
    if (!releases)
        return fail(why, DITHER_NO_MEMORY, "no memory for a plot");
    status result = DITHER_OK;
    for (int i = 0; i < SIZES && result == DITHER_OK; i++) {
        struct account_figures figures;
        double total, part = (double)(i + 1) / SIZES;
        result = shrunken(request, 2 * part * part, releases, &figures, &total, why);
        if (result == DITHER_OK && (curves->count == 0 || total > curves->x[curves->count - 1]))
            add_point(curves, total, &figures);
    }
    memory_release(releases, size);
    return result;
}

static struct plot_panel panel_of(const char *title, const char *x_name, bool log_x,
                                  const struct curves *curves)
{
    struct plot_panel panel = {
        .title = title, .x_name = x_name, .y_name = "epsilon", .log_x = log_x, .log_y = true};
    for (size_t i = 0; i < CURRENCIES; i++)
        panel.lines[panel.line_count++] =
            (struct plot_line){currency_names[i], curves->x, curves->epsilon[i], curves->count};
    return panel;
}

static status write_file(const char *path, const struct buffer *text, error *why)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return fail(why, DITHER_IO, "%.200s: %s", path, strerror(errno));
    bool written = fwrite(text->data, 1, text->length, file) == text->length;
    if (fclose(file) != 0 || !written)
        return fail(why, DITHER_IO, "%.200s: could not be written", path);
    return DITHER_OK;
}

status account_draw(const struct account_request *request, error *why)
{
    struct curves by_delta = {.count = 0}, by_count = {.count = 0};
    TRY(against_delta(request, &by_delta, why));
    TRY(against_count(request, &by_count, why));
    char title[60];
    snprintf(title, sizeof title, "epsilon as releases are added, delta %g", request->delta_as_given);
    const struct plot_panel panels[] = {panel_of("epsilon for each delta", "delta", true, &by_delta),
                                        panel_of(title, "releases", false, &by_count)};
    struct buffer text;
    buffer_init(&text, SVG_BYTES);
    plot_svg(&text, panels, 2);
    status result = buffer_check(&text, why);
    if (result == DITHER_OK)
        result = write_file(request->plot, &text, why);
    buffer_free(&text);
    return result;
}
