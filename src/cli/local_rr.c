/* `dither local rr`: a sensitive question with two answers and one or two coins. */
#include <math.h>

#include "cli/local.h"
#include "local/pram.h"

struct request {
    double epsilon, warner; /* 0: not given */
    double truth, yes;      /* NAN: not given */
    struct local_numbers observed;
    double confidence;
    enum cli_format format;
};

static const struct cli_help help = {
    .usage =
        "local rr --epsilon E | --coin P | --truth P --yes Q  [--observed YES:NO] [--format table|csv|json]",
    .about =
        "Randomised response. With --coin P the truth is told with probability P and its opposite otherwise\n"
        "(Warner). With --truth P --yes Q it is told with probability P; otherwise the answer is Yes with\n"
        "probability Q. \"Heads: Yes, tails: the truth\" is --truth 0.5 --yes 1, and protects nobody who "
        "says No.\n"
        "Prints the epsilon of the coins and, from observed answers, how many people truly are Yes and No.",
    .example = "  dither local rr --truth 0.5 --yes 0.75 --observed 425:575",
};

static status make_matrix(const struct request *request, struct pram *matrix, error *why)
{
    bool two = !isnan(request->truth) && !isnan(request->yes);
    if ((request->epsilon != 0) + (request->warner != 0) + two != 1 ||
        isnan(request->truth) != isnan(request->yes))
        return fail(why, DITHER_INVALID, "give --epsilon, or --coin, or both --truth and --yes");
    if (request->epsilon != 0)
        return pram_for_epsilon(matrix, request->epsilon, 2, why);
    if (two)
        return pram_response(matrix, (struct pram_coin){request->truth, request->yes}, why);
    const double rows[4] = {request->warner, 1 - request->warner, 1 - request->warner, request->warner};
    return pram_new(matrix, rows, 2, why);
}

static status answer(const struct request *request, const struct pram *matrix, error *why)
{
    static const char *const names[] = {"yes", "no"};
    struct local_estimate estimates[2] = {{0}};
    struct local_answer told = {
        .estimates = estimates, .names = names, .epsilon = pram_epsilon(matrix), .condition = NAN};
    if (request->observed.count == 2) {
        TRY(pram_estimate(matrix, request->observed.values, request->confidence, estimates, &told.condition,
                          why));
        told.count = 2;
        told.people = request->observed.values[0] + request->observed.values[1];
    }
    return local_print(&told, request->format, why);
}

int local_rr(int argc, char **argv)
{
    struct request request = {.truth = NAN, .yes = NAN, .confidence = 0.95};
    const struct cli_option list[] = {
        {"epsilon", "E", "coins that keep this epsilon", local_read_epsilon, &request.epsilon, NULL, 0},
        {"coin", "P", "tell the truth with probability P, else the opposite", local_read_probability,
         &request.warner, NULL, 0},
        {"truth", "P", "tell the truth with probability P", local_read_probability, &request.truth, NULL, 0},
        {"yes", "Q", "otherwise say Yes with probability Q", local_read_probability, &request.yes, NULL, 0},
        {"observed", "YES:NO", "how many answered so", local_read_numbers, &request.observed, NULL, 0},
        {"confidence", "C", "of the intervals (0.95)", local_read_confidence, &request.confidence, NULL, 0},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &request.format, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    struct pram matrix = {0};
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("local rr", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (argc != 0 || (request.observed.count != 0 && request.observed.count != 2)) {
        (void)fail(&why, DITHER_INVALID,
                   argc != 0 ? "there are no arguments" : "--observed needs two counts, YES:NO");
        return cli_misused("local rr", &why);
    }
    if (make_matrix(&request, &matrix, &why) != DITHER_OK)
        return cli_misused("local rr", &why);
    status result = answer(&request, &matrix, &why);
    pram_free(&matrix);
    return result == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
