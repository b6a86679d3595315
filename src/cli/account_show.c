/* What `dither account` prints: a table for people, CSV, or JSON. */
#include <math.h>
#include <stdio.h>

#include "account/calibrate.h"
#include "account/currency.h"
#include "account/release_text.h"
#include "base/json.h"
#include "cli/account.h"
#include "cli/table.h"

enum { OUTPUT_BYTES = 1 << 20 };

/* Six digits, in the given direction. A value within 1e-13 of such a number is that number: the rest is the
 * last digit of our own arithmetic, always on the safe side of the truth. */
static double round_to(double value, bool upward)
{
    if (!isfinite(value) || value == 0)
        return value;
    char text[40];
    double decimal = value;
    snprintf(text, sizeof text, "%.5e", value);
    if (sscanf(text, "%lf", &decimal) != 1)
        return value;
    double unit = pow(10, floor(log10(fabs(value))) - 5), slack = 1e-13 * fabs(value);
    if (upward ? decimal < value - slack : decimal > value + slack) {
        snprintf(text, sizeof text, "%.5e", decimal + (upward ? unit : -unit));
        if (sscanf(text, "%lf", &decimal) != 1)
            return value;
    }
    return decimal;
}

double account_round_up(double value)
{
    return round_to(value, true);
}

double account_round_down(double value)
{
    return round_to(value, false);
}

status account_figure_out(const struct account_plan *plan, double delta, struct account_figures *figures,
                          error *why)
{
    struct account_figures found = {.pure = currency_pure(plan), .pld = {NAN, NAN}, .group = {NAN, NAN}};
    TRY(currency_basic(plan, delta, &found.basic, why));
    TRY(currency_advanced(plan, delta, &found.advanced, why));
    TRY(currency_zcdp(plan, delta, &found.zcdp, why));
    TRY(currency_renyi(plan, delta, &found.renyi, why));
    status result = account_plan_epsilon(plan, delta, &found.pld, why);
    if (result == DITHER_REFUSED) /* a rho alone: the other currencies still tell */
        found.pld = (struct account_bounds){NAN, NAN};
    else if (result != DITHER_OK)
        return result;
    *figures = found;
    return DITHER_OK;
}

static void add_row(struct table *table, const char *currency, double epsilon, const char *remark,
                    enum cli_format format)
{
    table_text(table, currency);
    if (format == CLI_CSV)
        table_exact_number(table, epsilon);
    else
        table_number(table, account_round_up(epsilon));
    table_text(table, remark);
}

static void fill_table(struct table *table, const struct account_request *request,
                       const struct account_figures *figures)
{
    char at_least[80] = "needs to know the noise, not its rho alone", group[60];
    if (!isnan(figures->pld.lower))
        snprintf(at_least, sizeof at_least, "planned sequences; the truth is at least %g",
                 account_round_down(figures->pld.lower));
    table_text_column(table, "currency");
    table_number_column(table, "epsilon");
    table_text_column(table, "valid for");
    add_row(table, "basic", figures->basic, "any sequence", request->format);
    add_row(table, "advanced", figures->advanced, "planned sequences", request->format);
    add_row(table, "zcdp", figures->zcdp, "any sequence", request->format);
    add_row(table, "rdp", figures->renyi, "any sequence, at one order fixed beforehand", request->format);
    add_row(table, "pld", figures->pld.upper, at_least, request->format);
    if (request->people > 1) {
        snprintf(group, sizeof group, "planned sequences; %llu people at once",
                 (unsigned long long)request->people);
        add_row(table, "pld, group", figures->group.upper, group, request->format);
    }
}

static status print_table(const struct account_request *request, const struct account_figures *figures,
                          struct buffer *out, error *why)
{
    if (request->format == CLI_TABLE) {
        for (size_t i = 0; i < request->count; i++) {
            char text[200];
            release_describe(&request->releases[i], text, sizeof text);
            buffer_format(out, "%s\n", text);
        }
        buffer_format(out, "delta %g\n\n", request->delta_as_given);
    }
    struct table table;
    table_init(&table);
    fill_table(&table, request, figures);
    status result = table_print(&table, request->format, out, why);
    table_free(&table);
    return result;
}

static void print_json(const struct account_request *request, const struct account_figures *figures,
                       struct buffer *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_member_number(&json, "delta", request->delta_as_given);
    json_write_key(&json, "epsilon");
    json_begin_object(&json);
    json_member_number(&json, "basic", figures->basic);
    json_member_number(&json, "advanced", figures->advanced);
    json_member_number(&json, "zcdp", figures->zcdp);
    json_member_number(&json, "rdp", figures->renyi);
    json_write_key(&json, "pld");
    json_begin_object(&json);
    json_member_number(&json, "upper", figures->pld.upper);
    json_member_number(&json, "lower", figures->pld.lower);
    json_end_object(&json);
    json_end_object(&json);
    if (request->people > 1)
        json_member_number(&json, "group_epsilon", figures->group.upper);
    json_end_object(&json);
    buffer_byte(out, '\n');
}

static status figures_of(const struct account_request *request, struct account_figures *figures, error *why)
{
    struct account_plan *plan = NULL;
    TRY(account_plan_new(&plan, request->releases, request->count, why));
    status result = account_figure_out(plan, request->delta, figures, why);
    if (result == DITHER_OK && request->people > 1)
        result = account_plan_group_epsilon(plan, request->people, request->delta, &figures->group, why);
    account_plan_free(plan);
    return result;
}

status account_show(const struct account_request *request, error *why)
{
    struct account_figures figures;
    TRY(figures_of(request, &figures, why));
    struct buffer out;
    buffer_init(&out, OUTPUT_BYTES);
    status result = DITHER_OK;
    if (request->format == CLI_JSON)
        print_json(request, &figures, &out);
    else
        result = print_table(request, &figures, &out, why);
    if (result == DITHER_OK)
        result = cli_write(&out, why);
    buffer_free(&out);
    return result;
}

/* ---- The noise for a target ---- */

static bool adds_noise(const struct release *release)
{
    return release->scale > 0;
}

static void target_json(const struct account_request *request, double factor, struct buffer *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_member_number(&json, "delta", request->delta_as_given);
    json_member_number(&json, "target_epsilon", request->target_epsilon);
    json_member_number(&json, "factor", factor);
    json_write_key(&json, "releases");
    json_begin_array(&json);
    for (size_t i = 0; i < request->count; i++) {
        json_begin_object(&json);
        json_member_text(&json, "kind", release_kind_name(request->releases[i].kind));
        if (adds_noise(&request->releases[i]))
            json_member_number(&json, "scale", request->releases[i].scale * factor);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    buffer_byte(out, '\n');
}

static void target_text(const struct account_request *request, double factor, struct buffer *out)
{
    buffer_format(out, "for epsilon %g at delta %g the releases need:\n\n", request->target_epsilon,
                  request->delta);
    for (size_t i = 0; i < request->count; i++) {
        struct release release = request->releases[i];
        release.scale = account_round_up(release.scale * factor);
        char text[200];
        release_describe(&release, text, sizeof text);
        buffer_format(out, "  %s\n", text);
    }
}

status account_show_target(const struct account_request *request, error *why)
{
    double factor;
    dither_cost promise = {.epsilon = request->target_epsilon, .delta = request->delta};
    TRY(calibrate_noise(request->releases, request->count, promise, &factor, why));
    struct buffer out;
    buffer_init(&out, OUTPUT_BYTES);
    if (request->format == CLI_JSON)
        target_json(request, factor, &out);
    else
        target_text(request, factor, &out);
    status result = cli_write(&out, why);
    buffer_free(&out);
    return result;
}
