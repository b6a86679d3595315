/* `dither local estimate`: what was collected, or files of reports in, estimates out. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "cli/local.h"
#include "local/rappor.h"

static const struct cli_help help = {
    .usage =
        "local estimate SURVEY [--question NAME] [--period DAY] [--plot FILE.svg] [OPTION...]\n"
        "local estimate --mechanism NAME --domain D --epsilon E [OPTION...] FILE...|-\n"
        "local estimate --mechanism NAME --range LO:HI --epsilon E [--plot FILE.svg] [OPTION...] FILE...|-",
    .about =
        "Of a survey: estimates from what `dither local collect` has taken so far, also while it runs. "
        "Without one:\n"
        "reads reports, a line each, as `dither local client` writes them. The survey's options must be "
        "those of the\n"
        "clients. Lines that are no report of this survey are refused and counted.\n"
        "Values: how many people have each, with intervals. Estimates are unbiased, so rare values can "
        "come out below\n"
        "0; --project makes them non-negative and add up to the people. rappor is decoded by regression "
        "where its\n"
        "cohorts can tell the values apart (--plain: never). Numbers: mean, variance, quantiles and their "
        "density\n"
        "(--plot), by expectation-maximisation with smoothing (--plain: without). Strings: those above the "
        "threshold\n"
        "that nobody's string passes with the given confidence. Repeated questions: the reports of one day.",
    .example =
        "  dither local estimate commuting.yaml --plot commuting.svg\n"
        "  dither local estimate --mechanism oue --domain 100 --epsilon 1 reports.txt\n"
        "  dither local estimate --mechanism wave --range 0:120 --epsilon 1 --plot ages.svg reports.txt",
};

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

struct local_estimate local_estimate_widen(const struct local_estimate *estimate, double asked, double people,
                                           double reach)
{
    double share = fmin(fmax(estimate->count / asked, 0), 1), scale = people / asked;
    double drawn = people > asked ? asked * share * (1 - share) * (people - asked) / (people - 1) : 0;
    double count = scale * estimate->count, variance = scale * scale * (estimate->variance + drawn);
    double width = reach * sqrt(variance);
    return (struct local_estimate){count, variance, count - width, count + width};
}

/* Shares between 0 and 1. */
static status read_quantiles(const char *text, void *place, error *why)
{
    struct local_numbers *numbers = place;
    TRY(local_read_numbers(text, numbers, why));
    for (size_t i = 0; i < numbers->count; i++)
        if (!(numbers->values[i] > 0 && numbers->values[i] < 1)) {
            numbers->count = 0;
            return fail(why, DITHER_INVALID, "must lie between 0 and 1");
        }
    return DITHER_OK;
}

int local_estimate_command(int argc, char **argv)
{
    enum { OWN = 9 };
    struct local_survey survey = {0};
    static struct local_numbers quantiles;
    static struct local_estimate_request own;
    own = (struct local_estimate_request){.confidence = 0.95, .quantiles = &quantiles};
    struct local_estimate_request *request = &own;
    struct cli_option list[LOCAL_SURVEY_OPTIONS + OWN] = {
        {"question", "NAME", "of a survey: this one only", cli_read_text, &request->question, NULL, 0},
        {"period", "DAY", "of a survey: the period of this day (the latest)", cli_read_text, &request->period,
         NULL, 0},
        {"plot", "FILE", "draw the estimates, or the density of numbers, as SVG", cli_read_text,
         &request->plot, NULL, 0},
        {"confidence", "C", "of the intervals (0.95)", local_read_confidence, &request->confidence, NULL, 0},
        {"project", NULL, "non-negative counts that add up to the people", NULL, &request->project, NULL, 0},
        {"plain", NULL, "rappor: without regression; numbers: without smoothing", NULL, &request->plain, NULL,
         0},
        {"quantiles", "Q,Q...", "numbers: which quantiles (0.25,0.5,0.75)", read_quantiles, &quantiles, NULL,
         0},
        {"keep", "K", "strings: at most so many (64)", local_read_whole, &request->keep, NULL, 0},
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
    if (argc == 0)
        (void)fail(&why, DITHER_INVALID, "which survey, or which files of reports?");
    else if (survey.mechanism != NULL)
        return local_estimate_of_mechanism(argc, argv, &survey, request);
    else
        return local_estimate_of_survey(argc, argv, request);
    return cli_misused("local estimate", &why);
}
