/* `dither account`: the accountant as a calculator. */
#include "cli/account.h"

#include <math.h>
#include <string.h>

#include "account/release_text.h"
#include "base/memory.h"
#include "base/number.h"

static const struct cli_help help = {
    .usage = "account \"KIND NAME=NUMBER... xCOUNT\"... [--delta D] [--people K] [--plot FILE.svg]\n"
             "account \"KIND ... xCOUNT\"... --target-epsilon E [--delta D]\n"
             "account meaning EPSILON [--prior P] [--people K]",
    .about = "Says what releases cost together: the epsilon at delta, in each currency, the tightest last. "
             "pld is the exact\n"
             "composition of privacy-loss distributions; its true value lies between the two figures. It "
             "holds for a sequence\n"
             "that is planned in advance; for releases chosen one after the other, basic, zcdp and (at one "
             "order fixed\n"
             "beforehand) rdp hold. With --target-epsilon: how much noise the releases need.\n\n"
             "  laplace scale=B                    gaussian sigma=S\n"
             "  discrete-laplace scale=B           discrete-gaussian sigma=S         whole numbers\n"
             "  pure epsilon=E                     approximate epsilon=E delta=D     any release with that "
             "promise\n"
             "  concentrated rho=R                 randomized-response epsilon=E choices=K\n\n"
             "Noise takes sensitivity=N (1); all but concentrated take rate=Q, a secret Poisson sample of "
             "the people.\n"
             "Nothing is charged: this command knows no ledger.",
    .example = "  dither account \"gaussian sigma=20 x1000\" \"laplace scale=10 x50\" --delta 1e-6",
};

static status read_delta(const char *text, void *place, error *why)
{
    double delta;
    TRY(number_parse(text, NUMBER_DOWN, &delta, why));
    if (!(delta > 0 && delta < 1))
        return fail(why, DITHER_INVALID, "must lie strictly between 0 and 1");
    if (delta < 1e-250)
        return fail(why, DITHER_INVALID, "must not lie below 1e-250: it is no different from 0 there");
    struct account_request *request = place;
    request->delta = delta;
    return number_parse(text, NUMBER_NEAREST, &request->delta_as_given, why);
}

static status read_target(const char *text, void *place, error *why)
{
    double epsilon;
    TRY(number_parse(text, NUMBER_DOWN, &epsilon, why));
    if (!(epsilon > 0))
        return fail(why, DITHER_INVALID, "must be above 0");
    *(double *)place = epsilon;
    return DITHER_OK;
}

status account_read_people(const char *text, void *place, error *why)
{
    uint64_t people;
    TRY(number_parse_whole(text, &people, why));
    if (people == 0 || people > 1000000)
        return fail(why, DITHER_INVALID, "must be a number of people from 1 to 1000000");
    *(uint64_t *)place = people;
    return DITHER_OK;
}

/* A missing scale is what --target-epsilon asks for. */
static status check(struct account_request *request, error *why)
{
    for (size_t i = 0; i < request->count; i++) {
        struct release checked = request->releases[i];
        bool open =
            request->target_epsilon > 0 && checked.scale == 0 && checked.epsilon == 0 && checked.rho == 0;
        if (open)
            checked.scale = 1;
        TRY(release_check(&checked, why));
        request->releases[i] = checked;
    }
    if (request->target_epsilon > 0 && (request->plot || request->people > 1))
        return fail(why, DITHER_INVALID, "--target-epsilon goes with neither --plot nor --people");
    return DITHER_OK;
}

static int answer(struct account_request *request)
{
    error why;
    if (check(request, &why) != DITHER_OK)
        return cli_misused("account", &why);
    status result =
        request->target_epsilon > 0 ? account_show_target(request, &why) : account_show(request, &why);
    if (result == DITHER_OK && request->plot)
        result = account_draw(request, &why);
    return result == DITHER_OK ? CLI_DONE : cli_failed(&why);
}

static int read_and_answer(struct account_request *request, int argc, char **argv)
{
    error why;
    if (argc == 0 || argc > ACCOUNT_MOST_RELEASES) {
        (void)fail(&why, DITHER_INVALID, argc == 0 ? "which releases?" : "at most 1000 kinds of releases");
        return cli_misused("account", &why);
    }
    size_t size = (size_t)argc * sizeof *request->releases;
    request->releases = memory_allocate(size);
    if (!request->releases) {
        (void)fail(&why, DITHER_NO_MEMORY, "no memory");
        return cli_failed(&why);
    }
    int result = CLI_DONE;
    for (int i = 0; i < argc && result == CLI_DONE; i++)
        if (release_parse(argv[i], &request->releases[request->count++], &why) != DITHER_OK)
            result = cli_misused("account", &why);
    if (result == CLI_DONE)
        result = answer(request);
    memory_release(request->releases, size);
    return result;
}

static int run(int argc, char **argv)
{
    if (argc > 0 && strcmp(argv[0], "meaning") == 0)
        return account_meaning(argc - 1, argv + 1);
    struct account_request request = {
        .delta = 1e-6, .delta_as_given = 1e-6, .people = 1, .format = CLI_TABLE};
    const struct cli_option list[] = {
        {"delta", "D", "the probability with which epsilon may fail (1e-6)", read_delta, &request, NULL, 0},
        {"target-epsilon", "E", "find the noise: all scales grow by one factor; a missing one counts as 1",
         read_target, &request.target_epsilon, NULL, 0},
        {"people", "K", "also say what the releases cost a group of K people", account_read_people,
         &request.people, NULL, 0},
        {"plot", "FILE", "draw epsilon against delta, and its growth, as SVG", cli_read_text, &request.plot,
         NULL, 0},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &request.format, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("account", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    return read_and_answer(&request, argc, argv);
}

const struct cli_command cli_account = {"account", "what releases cost together; how much noise they need",
                                        run};
