/* `dither local estimate`: files of reports in, estimated counts out. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/local.h"
#include "local/rappor.h"
#include "local/report_text.h"

static const struct cli_help help = {
    .usage = "local estimate SURVEY [--question NAME] [--period DAY] [--plot FILE.svg] [OPTION...]\n"
             "local estimate --mechanism NAME --domain D --epsilon E [OPTION...] FILE...|-",
    .about = "Of a survey: estimates from what `dither local collect` has taken so far, also while it runs. "
             "Without one:\n"
             "reads reports, a line of hexadecimal digits each, as `dither local client` writes them, and "
             "estimates how\n"
             "many people have each value, with intervals. The survey's options must be those of the "
             "clients. Lines\n"
             "that are no report of this survey are refused and counted. Estimates are unbiased, so rare "
             "values can come\n"
             "out below 0; --project makes them non-negative and add up to the people. rappor is decoded by "
             "regression\n"
             "where its cohorts can tell the values apart (--plain: never).",
    .example = "  dither local estimate commuting.yaml --plot commuting.svg\n"
               "  dither local estimate --mechanism oue --domain 100 --epsilon 1 reports.txt",
};

struct collector {
    struct local_oracle oracle;
    struct local_tally tally;
    unsigned char *report;
    struct local_estimate_request request;
};

static status read_reports(struct collector *collector, FILE *file, const char *name, error *why)
{
    char *line = NULL;
    size_t capacity = 0, bytes = collector->oracle.report_bytes;
    status result = DITHER_OK;
    for (ssize_t length; result == DITHER_OK && (length = getline(&line, &capacity, file)) >= 0;) {
        size_t kept = (size_t)length - (length > 0 && line[length - 1] == '\n');
        if (report_read(line, kept, collector->report, bytes))
            result = local_tally_add(&collector->tally, &collector->oracle, collector->report, bytes, why);
        else
            collector->tally.refused++;
    }
    if (result == DITHER_OK && ferror(file))
        result = fail(why, DITHER_IO, "cannot read %.200s: %s", name, strerror(errno));
    free(line);
    return result;
}

static status read_file(struct collector *collector, const char *path, error *why)
{
    if (strcmp(path, "-") == 0)
        return read_reports(collector, stdin, "standard input", why);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return fail(why, DITHER_IO, "cannot read %.200s: %s", path, strerror(errno));
    status result = read_reports(collector, file, path, why);
    fclose(file);
    return result;
}

/* Only a refusal of the regression falls back to the plain estimate. */
status local_estimate_conclude(const struct local_tally *tally, const struct local_oracle *oracle,
                               const struct local_estimate_request *request, struct local_estimate *estimates,
                               error *why)
{
    bool rappor = strcmp(oracle->kind->name, "rappor") == 0;
    if (rappor && !request->plain) {
        status result = rappor_regress(tally, oracle, request->confidence, estimates, why);
        if (result != DITHER_REFUSED)
            return result;
    }
    return local_tally_estimate(tally, oracle, request->confidence, estimates, why);
}

status local_estimate_project(struct local_estimate *estimates, size_t count, double people, error *why)
{
    double *counts = memory_allocate(count * sizeof *counts);
    if (counts == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for %zu counts", count);
    for (size_t i = 0; i < count; i++)
        counts[i] = estimates[i].count;
    local_project(counts, count, people);
    for (size_t i = 0; i < count; i++)
        estimates[i].count = counts[i];
    memory_release(counts, count * sizeof *counts);
    return DITHER_OK;
}

static status answer(struct collector *collector, error *why)
{
    size_t domain = collector->oracle.setting.domain, bytes = domain * sizeof(struct local_estimate);
    struct local_estimate *estimates = memory_allocate(bytes);
    if (estimates == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for %zu estimates", domain);
    status result =
        local_estimate_conclude(&collector->tally, &collector->oracle, &collector->request, estimates, why);
    if (result == DITHER_OK && collector->request.project)
        result = local_estimate_project(estimates, domain, (double)collector->tally.people, why);
    if (result == DITHER_OK) {
        const struct local_answer told = {
            .estimates = estimates,
            .count = domain,
            .people = (double)collector->tally.people,
            .refused = collector->tally.refused,
            .epsilon = collector->oracle.setting.epsilon,
            .condition = NAN,
        };
        result = local_print(&told, collector->request.format, why);
    }
    memory_release(estimates, bytes);
    return result;
}

static status collect(struct collector *collector, int argc, char **argv, error *why)
{
    TRY(local_tally_init(&collector->tally, &collector->oracle, why));
    collector->report = memory_allocate(collector->oracle.report_bytes);
    status result =
        collector->report != NULL ? DITHER_OK : fail(why, DITHER_NO_MEMORY, "no memory for a report");
    for (int i = 0; i < argc && result == DITHER_OK; i++)
        result = read_file(collector, argv[i], why);
    if (result == DITHER_OK)
        result = answer(collector, why);
    memory_release(collector->report, collector->oracle.report_bytes);
    local_tally_free(&collector->tally);
    return result;
}

int local_estimate_command(int argc, char **argv)
{
    enum { OWN = 7 };
    struct local_survey survey = {0};
    static struct collector collector;
    collector = (struct collector){.request = {.confidence = 0.95}};
    struct local_estimate_request *request = &collector.request;
    struct cli_option list[LOCAL_SURVEY_OPTIONS + OWN] = {
        {"question", "NAME", "of a survey: this one only", cli_read_text, &request->question, NULL, 0},
        {"period", "DAY", "of a survey: the period of this day (the latest)", cli_read_text, &request->period,
         NULL, 0},
        {"plot", "FILE", "of a survey: draw the estimates, as SVG", cli_read_text, &request->plot, NULL, 0},
        {"confidence", "C", "of the intervals (0.95)", local_read_confidence, &request->confidence, NULL, 0},
        {"project", NULL, "non-negative counts that add up to the people", NULL, &request->project, NULL, 0},
        {"plain", NULL, "rappor: without regression", NULL, &request->plain, NULL, 0},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &request->format, NULL, 0},
    };
    local_survey_options(&survey, list + OWN);
    const struct cli_options options = {list, LOCAL_SURVEY_OPTIONS + OWN};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("local estimate", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (survey.mechanism == NULL && argc > 0)
        return local_estimate_of_survey(argc, argv, request);
    if (argc == 0)
        (void)fail(&why, DITHER_INVALID, "which survey, or which files of reports?");
    if (request->question != NULL || request->period != NULL || request->plot != NULL) {
        (void)fail(&why, DITHER_INVALID, "--question, --period and --plot are for a survey");
        return cli_misused("local estimate", &why);
    }
    if (argc == 0 || local_survey_oracle(&survey, &collector.oracle, &why) != DITHER_OK)
        return cli_misused("local estimate", &why);
    return collect(&collector, argc, argv, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
