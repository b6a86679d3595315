/* `dither local advise`: mechanisms compared by their exact variances. */
#include "cli/local_advise.h"

#include <math.h>

#include "base/json.h"
#include "cli/table.h"

static const struct cli_help help = {
    .usage = "local advise --domain D --epsilon E --people N [--plot FILE.svg] [--format table|csv|json]\n"
             "local advise --range LO:HI --epsilon E --people N\n"
             "local advise --domain D --epsilon E --permanent E --people N\n"
             "local advise --attributes A (--domain D | --range LO:HI) --epsilon E --people N",
    .about =
        "Values: compares all frequency oracles for D values, best first: the standard error of the "
        "estimated share of a\n"
        "rare value, by the exact variance; bytes of a report; counters of the collector. Sketches "
        "(cms, hcms,\n"
        "rappor) are judged at their default size and as if the other values followed Zipf's law. olh "
        "and pgr are\n"
        "small to send; olh is slow to count for large domains. Numbers (--range): the standard error of "
        "the mean, where it\n"
        "is worst; wave is for distributions. Repeated questions (--permanent): that of one round, and "
        "what a person\n"
        "can ever lose. Several questions (--attributes): for asking 1, 2, ... of them with their share of "
        "epsilon each,\n"
        "the best mechanism and the error of one question's answer. --plot draws the error against "
        "epsilon, or against\n"
        "the number of questions asked.",
    .example = "  dither local advise --domain 1000 --epsilon 1 --people 1e6\n"
               "  dither local advise --attributes 10 --range 0:100 --epsilon 4 --people 1e5",
};

static const struct advise_row *best_of(const struct advise_row *rows, size_t count)
{
    const struct advise_row *best = rows;
    for (size_t i = 1; i < count; i++)
        if (rows[i].standard_error < best->standard_error)
            best = &rows[i];
    return best;
}

static void json_optional(struct json_writer *json, const char *name, double number)
{
    if (!isnan(number))
        json_member_number(json, name, number);
}

static void print_json(const struct advise_row *rows, size_t count, struct buffer *text)
{
    struct json_writer json;
    const struct advise_row *best = best_of(rows, count);
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_text(&json, "best", best->mechanism);
    if (best->asked != 0)
        json_member_number(&json, "asked", best->asked);
    json_write_key(&json, "mechanisms");
    json_begin_array(&json);
    for (size_t i = 0; i < count; i++) {
        json_begin_object(&json);
        json_optional(&json, "asked", rows[i].asked != 0 ? rows[i].asked : (double)NAN);
        json_member_text(&json, "mechanism", rows[i].mechanism);
        json_member_number(&json, "standard_error", rows[i].standard_error);
        json_optional(&json, "report_bytes", rows[i].report_bytes);
        json_optional(&json, "counters", rows[i].counters);
        json_optional(&json, "lifetime", rows[i].lifetime);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    buffer_byte(text, '\n');
}

/* Columns that are told of no row are not there. */
static status print_table(const struct advise_row *rows, size_t count, enum cli_format format,
                          struct buffer *text, error *why)
{
    bool asked = rows[0].asked != 0, sizes = !isnan(rows[0].counters), lifetime = !isnan(rows[0].lifetime);
    struct table table;
    table_init(&table);
    if (asked)
        table_number_column(&table, "asked");
    table_text_column(&table, "mechanism");
    table_number_column(&table, "standard_error");
    if (sizes) {
        table_number_column(&table, "report_bytes");
        table_number_column(&table, "counters");
    }
    if (lifetime)
        table_number_column(&table, "lifetime");
    for (size_t i = 0; i < count; i++) {
        if (asked)
            table_number(&table, rows[i].asked);
        table_text(&table, rows[i].mechanism);
        (format == CLI_CSV ? table_exact_number : table_number)(&table, rows[i].standard_error);
        if (sizes) {
            table_number(&table, rows[i].report_bytes);
            table_number(&table, rows[i].counters);
        }
        if (lifetime)
            table_number(&table, rows[i].lifetime);
    }
    status result = table_print(&table, format, text, why);
    table_free(&table);
    return result;
}

static void print_best(const struct advise_row *rows, size_t count, struct buffer *text)
{
    const struct advise_row *best = best_of(rows, count);
    if (best->asked != 0)
        buffer_format(text, "best: ask each person %u of the %zu questions, with %s\n", best->asked, count,
                      best->mechanism);
}

static status advise(const struct advise_request *request, error *why)
{
    static struct advise_row rows[ADVISE_ROWS];
    size_t count = advise_rows(request, rows);
    if (count == 0)
        return fail(why, DITHER_INVALID, "no mechanism can serve this");
    struct buffer text;
    buffer_init(&text, (size_t)1 << 20);
    status result = DITHER_OK;
    if (request->format == CLI_JSON)
        print_json(rows, count, &text);
    else
        result = print_table(rows, count, request->format, &text, why);
    if (request->format == CLI_TABLE)
        print_best(rows, count, &text);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    buffer_free(&text);
    if (result == DITHER_OK && request->plot != NULL)
        result = advise_draw(request, why);
    return result;
}

static status check(const struct advise_request *request, int argc, error *why)
{
    bool ranged = request->range.lower < request->range.upper;
    if (argc != 0 || request->epsilon == 0 || request->people == 0)
        return fail(why, DITHER_INVALID,
                    "give --domain or --range, --epsilon and --people, and nothing else");
    if (ranged == (request->domain != 0))
        return fail(why, DITHER_INVALID, "give --domain (2 to %d) for values, or --range for numbers",
                    LOCAL_DOMAIN_LIMIT);
    if (!ranged && (request->domain < 2 || request->domain > LOCAL_DOMAIN_LIMIT))
        return fail(why, DITHER_INVALID, "give --domain (2 to %d), --epsilon and --people, and nothing else",
                    LOCAL_DOMAIN_LIMIT);
    if (request->attributes > ADVISE_ROWS)
        return fail(why, DITHER_INVALID, "--attributes must lie between 1 and %d", ADVISE_ROWS);
    if (request->permanent != 0 && (ranged || request->attributes != 0))
        return fail(why, DITHER_INVALID, "--permanent is for values, one question at a time");
    if (request->permanent != 0 && request->permanent <= request->epsilon)
        return fail(why, DITHER_INVALID, "--permanent must lie above --epsilon");
    return DITHER_OK;
}

int local_advise_command(int argc, char **argv)
{
    struct advise_request request = {0};
    const struct cli_option list[] = {
        {"domain", "D", "how many values there are", local_read_whole, &request.domain, NULL, 0},
        {"range", "LO:HI", "numbers: their range", local_read_range, &request.range, NULL, 0},
        {"epsilon", "E", "what one report may tell", local_read_epsilon, &request.epsilon, NULL, 0},
        {"permanent", "E", "repeated questions: what all reports about one value may tell",
         local_read_epsilon, &request.permanent, NULL, 0},
        {"people", "N", "how many will report", local_read_whole, &request.people, NULL, 0},
        {"attributes", "A", "how many such questions there are", local_read_whole, &request.attributes, NULL,
         0},
        {"plot", "FILE", "draw the error, as SVG", cli_read_text, &request.plot, NULL, 0},
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
    if (check(&request, argc, &why) != DITHER_OK)
        return cli_misused("local advise", &why);
    return advise(&request, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
