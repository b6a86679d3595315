/* `dither local advise`: the oracles compared by their exact variances. */
#include "local/advise.h"

#include <math.h>

#include "base/json.h"
#include "base/plot_svg.h"
#include "cli/local.h"
#include "cli/table.h"

struct request {
    uint64_t domain, people;
    double epsilon;
    const char *plot;
    enum cli_format format;
};

static const struct cli_help help = {
    .usage = "local advise --domain D --epsilon E --people N [--plot FILE.svg] [--format table|csv|json]",
    .about = "Compares all frequency oracles for D values, best first: the standard error of the estimated "
             "share of a\n"
             "rare value, by the exact variance; bytes of a report; counters of the collector. Sketches "
             "(cms, hcms,\n"
             "rappor) are judged at their default size and as if the other values followed Zipf's law. olh "
             "and pgr are\n"
             "small to send; olh is slow to count for large domains. --plot draws the error against epsilon.",
    .example = "  dither local advise --domain 1000 --epsilon 1 --people 1e6",
};

static void print_json(const struct advice *advice, size_t count, struct buffer *text)
{
    struct json_writer json;
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_text(&json, "best", advice[0].oracle.kind->name);
    json_write_key(&json, "mechanisms");
    json_begin_array(&json);
    for (size_t i = 0; i < count; i++) {
        json_begin_object(&json);
        json_member_text(&json, "mechanism", advice[i].oracle.kind->name);
        json_member_number(&json, "standard_error", advice[i].standard_error);
        json_member_number(&json, "report_bytes", (double)advice[i].oracle.report_bytes);
        json_member_number(&json, "counters", (double)advice[i].oracle.cells);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    buffer_byte(text, '\n');
}

static status print_table(const struct advice *advice, size_t count, enum cli_format format,
                          struct buffer *text, error *why)
{
    struct table table;
    table_init(&table);
    table_text_column(&table, "mechanism");
    table_number_column(&table, "standard_error");
    table_number_column(&table, "report_bytes");
    table_number_column(&table, "counters");
    for (size_t i = 0; i < count; i++) {
        table_text(&table, advice[i].oracle.kind->name);
        (format == CLI_CSV ? table_exact_number : table_number)(&table, advice[i].standard_error);
        table_number(&table, (double)advice[i].oracle.report_bytes);
        table_number(&table, (double)advice[i].oracle.cells);
    }
    status result = table_print(&table, format, text, why);
    table_free(&table);
    return result;
}

/* Epsilon from 1/8 to 8, in steps of the fourth root of 2; the first PLOT_LINES oracles of the list. */
static status draw(const struct request *request, error *why)
{
    enum { POINTS = 25 };
    static double x[POINTS], y[PLOT_LINES][POINTS];
    static struct advice advice[ADVICE_LIMIT];
    struct plot_panel panel = {
        .title = "Standard error of the share of a rare value",
        .x_name = "epsilon",
        .y_name = "standard error",
        .log_x = true,
        .log_y = true,
        .line_count = PLOT_LINES,
    };
    for (size_t line = 0; line < PLOT_LINES; line++)
        panel.lines[line] = (struct plot_line){local_oracle_kind_at(line)->name, x, y[line], POINTS};
    for (int point = 0; point < POINTS; point++) {
        x[point] = 0.125 * pow(2, point / 4.);
        size_t count = local_advise((uint32_t)request->domain, x[point], (double)request->people, advice);
        for (size_t line = 0; line < PLOT_LINES; line++) {
            y[line][point] = NAN;
            for (size_t i = 0; i < count; i++)
                if (advice[i].oracle.kind == local_oracle_kind_at(line))
                    y[line][point] = advice[i].standard_error;
        }
    }
    struct buffer svg;
    buffer_init(&svg, (size_t)1 << 20);
    plot_svg(&svg, &panel, 1);
    status result = local_write_file(request->plot, &svg, why);
    buffer_free(&svg);
    return result;
}

static status advise(const struct request *request, error *why)
{
    static struct advice advice[ADVICE_LIMIT];
    size_t count = local_advise((uint32_t)request->domain, request->epsilon, (double)request->people, advice);
    struct buffer text;
    buffer_init(&text, (size_t)1 << 20);
    status result = DITHER_OK;
    if (request->format == CLI_JSON)
        print_json(advice, count, &text);
    else
        result = print_table(advice, count, request->format, &text, why);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    buffer_free(&text);
    if (result == DITHER_OK && request->plot != NULL)
        result = draw(request, why);
    return result;
}

int local_advise_command(int argc, char **argv)
{
    struct request request = {0};
    const struct cli_option list[] = {
        {"domain", "D", "how many values there are", local_read_whole, &request.domain, NULL, 0},
        {"epsilon", "E", "what one report may tell", local_read_epsilon, &request.epsilon, NULL, 0},
        {"people", "N", "how many will report", local_read_whole, &request.people, NULL, 0},
        {"plot", "FILE", "draw the error against epsilon, as SVG", cli_read_text, &request.plot, NULL, 0},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &request.format, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("local advise", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (argc != 0 || request.epsilon == 0 || request.people == 0 || request.domain < 2 ||
        request.domain > LOCAL_DOMAIN_LIMIT) {
        (void)fail(&why, DITHER_INVALID, "give --domain (2 to %d), --epsilon and --people, and nothing else",
                   LOCAL_DOMAIN_LIMIT);
        return cli_misused("local advise", &why);
    }
    return advise(&request, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
