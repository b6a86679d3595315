/* `dither local`: finding the subcommand that was meant. */
#include "cli/local.h"

#include <string.h>

#include "base/nearest.h"

static const struct cli_command subcommands[] = {
    {"rr", "randomised response: epsilon of the coins, and the estimate behind Yes and No", local_rr},
    {"pram", "a matrix of probabilities: its epsilon, the best one, reports and estimates", local_pram},
    {"advise", "which mechanism has the least error", local_advise_command},
    {"survey", "check a survey file; what it asks, costs and can tell", local_survey_command},
    {"client", "randomise values into reports", local_client},
    {"collect", "take the reports of a survey, each once", local_collect},
    {"person", "a person's account: lifetime cap, spending, memos", local_person_command},
    {"loss", "what all reports of a person tell together, over time", local_loss},
    {"estimate", "estimate from what was collected, or from files of reports", local_estimate_command},
    {"shuffle", "what an anonymous channel buys", local_shuffle},
};

enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] };

static const char *subcommand_name(size_t index, const void *context)
{
    (void)context;
    return index < SUBCOMMAND_COUNT ? subcommands[index].name : NULL;
}

static void print_overview(FILE *out)
{
    fputs("usage: dither local SUBCOMMAND [OPTION...] [ARGUMENT...]\n\n"
          "Without a curator: people randomise their answers before anybody sees them, and the whole is "
          "estimated\n"
          "from the reports. What is sent keeps its epsilon whoever reads it.\n\nsubcommands:\n",
          out);
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        fprintf(out, "  %-9s %s\n", subcommands[i].name, subcommands[i].summary);
    fputs("\nexample:\n  dither local advise --domain 1000 --epsilon 1 --people 1e6\n", out);
}

static int run(int argc, char **argv)
{
    if (argc == 0) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        print_overview(stdout);
        return CLI_DONE;
    }
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        if (strcmp(subcommands[i].name, argv[0]) == 0)
            return subcommands[i].run(argc - 1, argv + 1);
    const char *nearest = nearest_name(argv[0], subcommand_name, NULL);
    error why;
    (void)fail(&why, DITHER_INVALID, "there is no subcommand \"%.40s\"%s%s%s", argv[0],
               nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "",
               nearest != NULL ? "\"?" : "");
    return cli_misused("local", &why);
}

const struct cli_command cli_local = {"local", "privacy without a curator: randomise, collect, estimate",
                                      run};
