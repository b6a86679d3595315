#include "cli/local_advise.h"

#include <math.h>
#include <stdlib.h>

#include "base/plot_svg.h"
#include "local/advise.h"
#include "local/lasting.h"
#include "local/several.h"

static int better(const void *left, const void *right)
{
    const struct advise_row *a = left, *b = right;
    return (a->standard_error > b->standard_error) - (a->standard_error < b->standard_error);
}

size_t advise_values(const struct advise_request *request, struct advise_row out[ADVISE_ROWS])
{
    static struct advice advice[ADVICE_LIMIT];
    size_t count = local_advise((uint32_t)request->domain, request->epsilon, (double)request->people, advice);
    for (size_t i = 0; i < count; i++)
        out[i] = (struct advise_row){
            .mechanism = advice[i].oracle.kind->name,
            .standard_error = advice[i].standard_error,
            .report_bytes = (double)advice[i].oracle.report_bytes,
            .counters = (double)advice[i].oracle.cells,
            .lifetime = NAN,
        };
    return count;
}

/* Of the mean, where it is worst. */
size_t advise_numbers(const struct advise_request *request, struct advise_row out[ADVISE_ROWS])
{
    const struct local_numeric_setting setting = {request->range.lower, request->range.upper,
                                                  request->epsilon, 0};
    size_t count = 0;
    for (size_t i = 0; local_numeric_kind_at(i) != NULL; i++) {
        struct local_numeric numeric;
        error unused;
        if (local_numeric_init(&numeric, local_numeric_kind_at(i), &setting, &unused) != DITHER_OK)
            continue;
        out[count++] = (struct advise_row){
            .mechanism = numeric.kind->name,
            .standard_error = sqrt(local_numeric_worst_variance(&numeric) / (double)request->people),
            .report_bytes = (double)numeric.report_bytes,
            .counters = numeric.outputs,
            .lifetime = NAN,
        };
    }
    qsort(out, count, sizeof *out, better);
    return count;
}

/* Of a rare value's share in one round. */
size_t advise_repeated(const struct advise_request *request, struct advise_row out[ADVISE_ROWS])
{
    size_t count = 0;
    for (size_t i = 0; local_lasting_kind_at(i) != NULL; i++) {
        const struct local_lasting_kind *kind = local_lasting_kind_at(i);
        struct local_lasting_setting setting = {.domain = (uint32_t)request->domain,
                                                .epsilon = request->epsilon,
                                                .permanent = request->permanent};
        struct local_lasting lasting;
        error unused;
        if (kind == local_lasting_kind_named("dbitflip"))
            setting.permanent = 0; /* it has one stage */
        if (local_lasting_init(&lasting, kind, &setting, &unused) != DITHER_OK)
            continue;
        out[count++] = (struct advise_row){
            .mechanism = kind->name,
            .standard_error = local_rare_error(&lasting.oracle, (double)request->people),
            .report_bytes = (double)lasting.oracle.report_bytes,
            .counters = (double)lasting.oracle.cells,
            .lifetime = lasting.keys * local_lasting_cost(&lasting),
        };
    }
    qsort(out, count, sizeof *out, better);
    return count;
}

size_t advise_several(const struct advise_request *request, struct advise_row out[ADVISE_ROWS])
{
    static struct several_advice advice[ADVISE_ROWS];
    bool numbers = request->domain == 0;
    double half = numbers ? (request->range.upper - request->range.lower) / 2 : 1;
    local_several_advise((uint32_t)request->attributes, request->epsilon, (uint32_t)request->domain, advice);
    for (size_t i = 0; i < request->attributes; i++)
        out[i] = (struct advise_row){
            .asked = advice[i].asked,
            .mechanism = advice[i].mechanism,
            .standard_error = half * sqrt(advice[i].variance / (double)request->people),
            .report_bytes = NAN,
            .counters = NAN,
            .lifetime = NAN,
        };
    return request->attributes;
}

size_t advise_rows(const struct advise_request *request, struct advise_row out[ADVISE_ROWS])
{
    if (request->attributes != 0)
        return advise_several(request, out);
    if (request->domain == 0)
        return advise_numbers(request, out);
    return request->permanent != 0 ? advise_repeated(request, out) : advise_values(request, out);
}

/* ---- Pictures ---- */

static status write_picture(const struct advise_request *request, const struct plot_panel *panel, error *why)
{
    struct buffer svg;
    buffer_init(&svg, (size_t)1 << 20);
    plot_svg(&svg, panel, 1);
    status result = local_write_file(request->plot, &svg, why);
    buffer_free(&svg);
    return result;
}

static status draw_several(const struct advise_request *request, error *why)
{
    static struct advise_row rows[ADVISE_ROWS];
    static double x[ADVISE_ROWS], y[ADVISE_ROWS];
    size_t count = advise_several(request, rows);
    for (size_t i = 0; i < count; i++) {
        x[i] = rows[i].asked;
        y[i] = rows[i].standard_error;
    }
    const struct plot_panel panel = {
        .title = "Standard error of one question's answer",
        .x_name = "questions that a person is asked",
        .y_name = "standard error",
        .log_y = true,
        .lines = {{"best mechanism", x, y, count}},
        .line_count = 1,
    };
    return write_picture(request, &panel, why);
}

/* Epsilon from 0.1 to 10 (up to the permanent one), twelve steps for a factor of ten; the mechanisms in the order of the
 * answer, as many as a panel has lines. */
static status draw_epsilons(const struct advise_request *request, error *why)
{
    enum { POINTS = 25 };
    static double x[POINTS], y[PLOT_LINES][POINTS];
    static struct advise_row first[ADVISE_ROWS], rows[ADVISE_ROWS];
    size_t lines = advise_rows(request, first);
    lines = lines < PLOT_LINES ? lines : PLOT_LINES;
    struct plot_panel panel = {
        .title = request->domain == 0 ? "Standard error of the mean"
                                      : "Standard error of the share of a rare value",
        .x_name = "epsilon",
        .y_name = "standard error",
        .log_x = true,
        .log_y = true,
        .line_count = lines,
    };
    for (size_t line = 0; line < lines; line++)
        panel.lines[line] = (struct plot_line){first[line].mechanism, x, y[line], POINTS};
    for (int point = 0; point < POINTS; point++) {
        struct advise_request there = *request;
        x[point] = there.epsilon = 0.1 * pow(10, point / 12.);
        size_t count = advise_rows(&there, rows);
        for (size_t line = 0; line < lines; line++) {
            y[line][point] = NAN;
            for (size_t i = 0; i < count; i++)
                if (rows[i].mechanism == first[line].mechanism)
                    y[line][point] = rows[i].standard_error;
        }
    }
    return write_picture(request, &panel, why);
}

status advise_draw(const struct advise_request *request, error *why)
{
    return request->attributes != 0 ? draw_several(request, why) : draw_epsilons(request, why);
}
