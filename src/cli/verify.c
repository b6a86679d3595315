/* `dither verify`: exact checks of the mechanisms' promises. */
#include "cli/verify.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "cli/mechanism_help.h"
#include "cli/mechanism_options.h"
#include "cli/table.h"
#include "mechanism/verify.h"

enum {
    OUTPUT_BYTES = 16 << 20,
    OWN_OPTIONS = 4,
};

static const char *const neighbour_names[] = {
    [VERIFY_ADD_REMOVE] = "add/remove", [VERIFY_REPLACE] = "replace"};
static const char *const currency_names[] = {
    [VERIFY_EPSILON] = "epsilon", [VERIFY_DELTA] = "delta", [VERIFY_RHO] = "rho"};

/* What was found is an interval. Kept: not even its upper end is above the promise. Broken: even its lower
 * end is. */
static const char *judge(const struct verdict *verdict)
{
    return verdict->broken ? "BROKEN" : verdict->kept ? "kept" : "UNDECIDED";
}

static double found(const struct verdict *verdict)
{
    return verdict->broken ? verdict->found.lower : verdict->found.upper;
}

/* ---- Results, as they are collected ---- */

struct report {
    const struct verify_request *request;
    struct table table;
    struct json_writer json;
    struct buffer out;
    size_t promises, broken, undecided;
};

static void add_row(struct report *report, const char *name, const struct verdict *verdict)
{
    struct table *table = &report->table;
    char pairs[24];
    snprintf(pairs, sizeof pairs, "%llu", (unsigned long long)verdict->pairs);
    table_text(table, name);
    table_text(table, neighbour_names[verdict->neighbour]);
    table_text(table, pairs);
    table_text(table, currency_names[verdict->currency]);
    if (report->request->format == CLI_CSV) {
        table_exact_number(table, found(verdict));
        table_exact_number(table, verdict->promised);
    } else {
        table_number(table, found(verdict));
        table_number(table, verdict->promised);
    }
    table_text(table, judge(verdict));
    if (report->request->verbose)
        table_text(table, verdict->worst);
}

static void add_json(struct report *report, const char *name, const struct verdict *verdict)
{
    struct json_writer *json = &report->json;
    json_begin_object(json);
    json_member_text(json, "mechanism", name);
    json_member_text(json, "neighbours", neighbour_names[verdict->neighbour]);
    json_write_key(json, "pairs");
    json_write_whole(json, (int64_t)verdict->pairs);
    json_member_text(json, "loss", currency_names[verdict->currency]);
    json_write_key(json, "found");
    json_begin_array(json);
    json_write_number(json, verdict->found.lower);
    json_write_number(json, verdict->found.upper);
    json_end_array(json);
    json_member_number(json, "promised", verdict->promised);
    json_write_key(json, "kept");
    json_write_bool(json, verdict->kept);
    json_write_key(json, "broken");
    json_write_bool(json, verdict->broken);
    json_member_text(json, "worst", verdict->worst);
    json_end_object(json);
}

static void add(struct report *report, const char *name, const struct verdict *verdict)
{
    report->promises++;
    report->broken += verdict->broken;
    report->undecided += !verdict->broken && !verdict->kept;
    if (report->request->format == CLI_JSON)
        add_json(report, name, verdict);
    else
        add_row(report, name, verdict);
}

static void begin_report(struct report *report, const struct verify_request *request)
{
    *report = (struct report){.request = request};
    buffer_init(&report->out, OUTPUT_BYTES);
    table_init(&report->table);
    table_text_column(&report->table, "mechanism");
    table_text_column(&report->table, "neighbours");
    table_number_column(&report->table, "pairs");
    table_text_column(&report->table, "loss");
    table_number_column(&report->table, "found");
    table_number_column(&report->table, "promised");
    table_text_column(&report->table, "verdict");
    if (request->verbose)
        table_text_column(&report->table, "worst pair");
    json_writer_init(&report->json, &report->out);
    if (request->format == CLI_JSON)
        json_begin_array(&report->json);
}

static void end_report(struct report *report)
{
    table_free(&report->table);
    buffer_free(&report->out);
}

static status print_report(struct report *report, error *why)
{
    if (report->request->format == CLI_JSON) {
        json_end_array(&report->json);
        buffer_byte(&report->out, '\n');
    } else {
        TRY(table_print(&report->table, report->request->format, &report->out, why));
    }
    if (report->request->format == CLI_TABLE)
        buffer_format(&report->out, "\n%zu promise%s: %zu kept, %zu broken, %zu undecided\n",
                      report->promises, report->promises == 1 ? "" : "s",
                      report->promises - report->broken - report->undecided, report->broken,
                      report->undecided);
    return cli_write(&report->out, why);
}

/* ---- The checks ---- */

static status check_kind(struct report *report, const struct mechanism_kind *kind, error *why)
{
    const dither_options *options = report->request->options;
    struct mechanism mechanism;
    struct verdict verdicts[2];
    size_t count = 0;
    TRY(mechanism_init(&mechanism, kind, options != NULL ? options : &kind->example, why));
    TRY(verify_mechanism(&mechanism, verdicts, &count, why));
    for (size_t i = 0; i < count; i++)
        add(report, kind->name, &verdicts[i]);
    return DITHER_OK;
}

int verify_kinds(const struct verify_request *request)
{
    struct report report;
    error why;
    begin_report(&report, request);
    status result = DITHER_OK;
    for (size_t i = 0; i < request->kind_count && result == DITHER_OK; i++)
        result = check_kind(&report, request->kinds[i], &why);
    if (result == DITHER_OK)
        result = print_report(&report, &why);
    size_t bad = report.broken + report.undecided;
    if (result == DITHER_OK && report.broken > 0)
        result = fail(&why, DITHER_REFUSED, "%zu of %zu promises %s broken", report.broken, report.promises,
                      report.broken == 1 ? "is" : "are");
    else if (result == DITHER_OK && bad > 0)
        result = fail(&why, DITHER_REFUSED, "%zu of %zu promises could not be decided", bad, report.promises);
    end_report(&report);
    return result == DITHER_OK ? CLI_DONE : cli_failed(&why);
}

/* ---- The command ---- */

static const struct cli_help help = {
    .usage = "verify MECHANISM [OPTION...]\nverify --all\nverify --list",
    .about =
        "Checks a mechanism exactly, not by sampling: takes every pair of neighbouring small data sets (one "
        "person added\n"
        "or removed; one person's value replaced), computes the distribution of the answers about both in "
        "interval\n"
        "arithmetic, and prints the largest privacy loss found next to the promised one. `kept` is proved "
        "for all pairs\n"
        "looked at; BROKEN names a counterexample (-v shows it) and makes the exit status 1.\n\n"
        "Without options a mechanism is checked with small options of its own; with options, with those.",
    .example = "  dither verify geometric --epsilon 0.5 --sensitivity 2",
};

struct command {
    struct mechanism_options options;
    struct verify_request request;
    bool all, list;
};

static size_t list_options(struct command *command, struct cli_option *list)
{
    const struct cli_option own[OWN_OPTIONS] = {
        {"all", NULL, "check every mechanism, each with small options of its own", NULL, &command->all, NULL,
         0},
        {"list", NULL, "print the names of what can be checked, one a line", NULL, &command->list, NULL, 0},
        {"verbose", NULL, "show the worst pair", NULL, &command->request.verbose, NULL, 'v'},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &command->request.format, NULL, 0},
    };
    size_t count = 0;
    for (; count < OWN_OPTIONS; count++)
        list[count] = own[count];
    return count + mechanism_options_list(&command->options, NULL, list + count);
}

static int check(struct command *command, int argc, char **argv)
{
    error why;
    const struct mechanism_kind *kind = NULL;
    if (command->all && (argc > 0 || command->options.any)) {
        (void)fail(&why, DITHER_INVALID, "--all takes neither a name nor a mechanism's options");
        return cli_misused("verify", &why);
    }
    if (command->all) {
        command->request.kinds = mechanism_kinds;
        command->request.kind_count = mechanism_kind_count;
        return verify_kinds(&command->request);
    }
    if (argc != 1) {
        (void)fail(&why, DITHER_INVALID,
                   argc == 0 ? "which mechanism? Or --all" : "one mechanism at a time, or --all");
        return cli_misused("verify", &why);
    }
    if (mechanism_help_find(argv[0], &kind, &why) != DITHER_OK)
        return cli_misused("verify", &why);
    struct mechanism
        trial; /* options that make no sense are wrong usage, and are found before the work begins */
    command->request.options = command->options.any ? &command->options.options : NULL;
    if (command->options.any && mechanism_init(&trial, kind, &command->options.options, &why) != DITHER_OK)
        return cli_misused("verify", &why);
    command->request.kinds = &kind;
    command->request.kind_count = 1;
    return verify_kinds(&command->request);
}

static int dispatch(struct command *command, int argc, char **argv)
{
    struct cli_option list[OWN_OPTIONS + MECHANISM_OPTION_COUNT];
    const struct cli_options options = {list, list_options(command, list)};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("verify", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (command->list) {
        mechanism_help_list();
        return CLI_DONE;
    }
    return check(command, argc, argv);
}

static int run(int argc, char **argv)
{
    struct command command = {.request = {.format = CLI_TABLE}};
    mechanism_options_init(&command.options);
    int result = dispatch(&command, argc, argv);
    mechanism_options_free(&command.options);
    return result;
}

const struct cli_command cli_verify = {"verify", "check exactly that mechanisms keep their promises", run};
