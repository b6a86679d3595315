/* `dither local client`: answers in, reports out. For testing and scripts; an app links the library. */
#include "cli/local.h"

static const struct cli_help help = {
    .usage = "local client SURVEY [--question NAME] [--period DAY] [--person FILE] [FILE|-]\n"
             "local client --mechanism NAME --domain D --epsilon E [OPTION...] VALUE...|-\n"
             "local client --mechanism NAME --range LO:HI --epsilon E [OPTION...] VALUE...|-\n"
             "local client --mechanism prefix --epsilon E [--length B] [OPTION...] TEXT...|-",
    .about =
        "Of a survey: reads people's answers, CSV with a line for each person and a column for each "
        "question (named in\n"
        "the first line, or in the survey's order; an empty cell is no answer; of a set saw;drill, and ; "
        "alone for the\n"
        "empty one), and writes reports for `dither local collect`; where the survey says `ask: K`, about K "
        "questions drawn\n"
        "by chance. Without one: randomises each value into a report, a line of hexadecimal digits; \"-\" "
        "reads values from\n"
        "standard input, one a line. Mechanisms:\n"
        "  values below D           grr, sue, oue, olh, ss, hadamard, pgr, cms, hcms, rappor\n"
        "  numbers of a range       duchi, piecewise, hybrid (means), wave (distributions)\n"
        "  the same value again     lgrr, lsue, losue, rappor, biloloha, ololoha, dbitflip; with "
        "--permanent\n"
        "  strings                  prefix\n"
        "Every line is another person, and each report costs epsilon. With --person FILE (made by `dither "
        "local\n"
        "person`) all values are one person's: what they cost is on the disk before a report is written, "
        "memos are kept\n"
        "there, and nothing passes the lifetime cap.",
    .example =
        "  dither local client commuting.yaml answers.csv > reports.txt\n"
        "  seq 0 99 | dither local client --mechanism oue --domain 100 --epsilon 1 - > reports.txt\n"
        "  dither local client --mechanism hybrid --range 0:100000 --epsilon 1 31250.50\n"
        "  dither local client --mechanism ololoha --domain 50 --epsilon 1 --permanent 2 --person me.state 7",
};

int local_client(int argc, char **argv)
{
    enum { OWN = 4 };
    struct local_survey survey = {0};
    struct local_client_request request = {0};
    struct local_person_request person = {0};
    struct cli_option list[LOCAL_SURVEY_OPTIONS + OWN] = {
        {"question", "NAME", "of a survey: this one only", cli_read_text, &request.question, NULL, 0},
        {"period", "DAY", "of a survey: the period of this day (today's)", cli_read_text, &request.period,
         NULL, 0},
        {"person", "FILE", "one person's values, charged to the account and memos in the file", cli_read_text,
         &person.path, NULL, 0},
        {"name", "NAME", "of the survey, in the person's file (the mechanism)", cli_read_text, &person.name,
         NULL, 0},
    };
    local_survey_options(&survey, list + OWN);
    const struct cli_options options = {list, LOCAL_SURVEY_OPTIONS + OWN};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("local client", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    request.person = person.path;
    if (argc == 0)
        (void)fail(&why, DITHER_INVALID, "which survey, or which values?");
    else if (survey.mechanism == NULL && person.name != NULL)
        (void)fail(&why, DITHER_INVALID, "--name is for --mechanism");
    else if (survey.mechanism == NULL)
        return local_client_of_survey(argc, argv, &request);
    else if (request.question != NULL || request.period != NULL)
        (void)fail(&why, DITHER_INVALID, "--question and --period are for a survey");
    else if (person.name != NULL && person.path == NULL)
        (void)fail(&why, DITHER_INVALID, "--name is for --person");
    else
        return local_client_of_mechanism(argc, argv, &survey, &person);
    return cli_misused("local client", &why);
}
