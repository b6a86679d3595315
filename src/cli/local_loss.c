/* `dither local loss`: what the reports of a life tell together, however they are made. */
#include <math.h>

#include "base/json.h"
#include "base/plot_svg.h"
#include "cli/local_device.h"
#include "cli/table.h"

static const struct cli_help help = {
    .usage = "local loss --epsilon E --reports T [--plot FILE.svg] [--format table|csv|json]\n"
             "local loss --mechanism NAME --domain D --epsilon E --permanent E --reports T [--changes C] "
             "[OPTION...]",
    .about =
        "The privacy loss of 1 to T reports of one person. \"fresh\": every report is drawn anew, or the "
        "memory "
        "(or the\n"
        "budget) is reset each time: T times epsilon, also when it is called epsilon a day. \"split\": what "
        "each of so many\n"
        "reports may tell if all together must stay at epsilon: epsilon / T. With a mechanism for repeated "
        "questions:\n"
        "\"memo\": memos are kept and the value stays the same, exactly; \"changing\": a bound when it "
        "changes C "
        "times, for\n"
        "anybody who knows when. That it changed, and when, memos do not hide: only fresh reports do.",
    .example = "  dither local loss --epsilon 1 --reports 365\n"
               "  dither local loss --mechanism ololoha --domain 100 --epsilon 1 --permanent 2 --reports 365 "
               "--changes 3 --plot loss.svg",
};

enum { POINTS = 64 };

struct request {
    struct local_survey survey;
    struct local_device device;
    bool memos; /* a mechanism was named */
    uint64_t reports, changes;
    const char *plot;
    enum cli_format format;
};

struct point {
    double reports, fresh, split, memo, changing;
};

static struct point at(const struct request *request, double reports)
{
    const struct local_lasting *lasting = &request->device.lasting;
    double epsilon = request->survey.epsilon, keys = fmin((double)request->changes + 1, reports);
    struct point point = {reports, reports * epsilon, epsilon / reports, NAN, NAN};
    if (request->memos) {
        point.memo = local_lasting_loss(lasting, reports);
        point.changing = keys > 1 ? fmin(keys, lasting->keys) * local_lasting_cost(lasting) : point.memo;
    }
    return point;
}

/* 1, 2, 5, 10, 20, ... and the last. */
static size_t points_of(const struct request *request, struct point *out)
{
    static const double steps[] = {1, 2, 5};
    size_t count = 0;
    double last = (double)request->reports;
    for (double decade = 1; decade < last; decade *= 10)
        for (int i = 0; i < 3 && steps[i] * decade < last && count + 1 < POINTS; i++)
            out[count++] = at(request, steps[i] * decade);
    out[count++] = at(request, last);
    return count;
}

static void print_json(const struct request *request, const struct point *points, size_t count,
                       struct buffer *text)
{
    struct json_writer json;
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_number(&json, "epsilon", request->survey.epsilon);
    if (request->memos)
        json_member_number(&json, "permanent", local_lasting_cost(&request->device.lasting));
    json_write_key(&json, "losses");
    json_begin_array(&json);
    for (size_t i = 0; i < count; i++) {
        json_begin_object(&json);
        json_member_number(&json, "reports", points[i].reports);
        json_member_number(&json, "fresh", points[i].fresh);
        json_member_number(&json, "split", points[i].split);
        if (request->memos) {
            json_member_number(&json, "memo", points[i].memo);
            json_member_number(&json, "changing", points[i].changing);
        }
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    buffer_byte(text, '\n');
}

static status print_table(const struct request *request, const struct point *points, size_t count,
                          struct buffer *text, error *why)
{
    struct table table;
    table_init(&table);
    static const char *const columns[] = {"reports", "fresh", "split", "memo", "changing"};
    int shown = request->memos ? 5 : 3;
    for (int i = 0; i < shown; i++)
        table_number_column(&table, columns[i]);
    for (size_t p = 0; p < count; p++) {
        const double cells[] = {points[p].reports, points[p].fresh, points[p].split, points[p].memo,
                                points[p].changing};
        for (int i = 0; i < shown; i++)
            (request->format == CLI_CSV ? table_exact_number : table_number)(&table, cells[i]);
    }
    status result = table_print(&table, request->format, text, why);
    table_free(&table);
    return result;
}

static status draw(const struct request *request, error *why)
{
    enum { DRAWN = 200 };
    static double x[DRAWN], fresh[DRAWN], memo[DRAWN], changing[DRAWN];
    for (int i = 0; i < DRAWN; i++) {
        struct point point = at(request, fmax(1, round(pow((double)request->reports, i / (DRAWN - 1.)))));
        x[i] = point.reports;
        fresh[i] = point.fresh;
        memo[i] = point.memo;
        changing[i] = point.changing;
    }
    const struct plot_panel panel = {
        .title = "Privacy loss of one person over time",
        .x_name = "reports",
        .y_name = "epsilon",
        .log_x = true,
        .log_y = true,
        .lines = {{"fresh, or reset each time", x, fresh, DRAWN},
                  {"memo kept, same value", x, memo, DRAWN},
                  {"memo kept, value changes", x, changing, DRAWN}},
        .line_count = request->memos ? 3 : 1,
    };
    struct buffer svg;
    buffer_init(&svg, (size_t)1 << 20);
    plot_svg(&svg, &panel, 1);
    status result = local_write_file(request->plot, &svg, why);
    buffer_free(&svg);
    return result;
}

static status run(const struct request *request, error *why)
{
    struct point points[POINTS];
    size_t count = points_of(request, points);
    struct buffer text;
    buffer_init(&text, (size_t)1 << 20);
    status result = DITHER_OK;
    if (request->format == CLI_JSON)
        print_json(request, points, count, &text);
    else
        result = print_table(request, points, count, &text, why);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    buffer_free(&text);
    if (result == DITHER_OK && request->plot != NULL)
        result = draw(request, why);
    return result;
}

static status check(struct request *request, int argc, error *why)
{
    if (argc != 0 || request->survey.epsilon == 0 || request->reports == 0)
        return fail(why, DITHER_INVALID, "give --epsilon and --reports, and no argument");
    request->memos = request->survey.mechanism != NULL;
    if (!request->memos)
        return request->changes == 0 ? DITHER_OK : fail(why, DITHER_INVALID, "--changes needs a --mechanism");
    TRY(local_device_init(&request->survey, true, &request->device, why));
    return request->device.family == LOCAL_LASTING
               ? DITHER_OK
               : fail(why, DITHER_INVALID, "%s keeps no memo: give --epsilon alone",
                      request->survey.mechanism);
}

int local_loss(int argc, char **argv)
{
    enum { OWN = 4 };
    static struct request request;
    request = (struct request){0};
    struct cli_option list[LOCAL_SURVEY_OPTIONS + OWN] = {
        {"reports", "T", "how many reports", local_read_whole, &request.reports, NULL, 0},
        {"changes", "C", "how often the value changes (0)", local_read_whole, &request.changes, NULL, 0},
        {"plot", "FILE", "draw the loss over time, as SVG", cli_read_text, &request.plot, NULL, 0},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &request.format, NULL, 0},
    };
    local_survey_options(&request.survey, list + OWN);
    const struct cli_options options = {list, LOCAL_SURVEY_OPTIONS + OWN};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("local loss", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (check(&request, argc, &why) != DITHER_OK)
        return cli_misused("local loss", &why);
    return run(&request, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
