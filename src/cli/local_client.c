/* `dither local client`: values in, reports out, a line each. For testing and scripts; an app links the library. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "cli/local.h"
#include "local/report_text.h"

static const struct cli_help help = {
    .usage = "local client SURVEY [--question NAME] [--period DAY] [FILE|-]\n"
             "local client --mechanism NAME --domain D --epsilon E [OPTION...] VALUE...|-",
    .about = "Of a survey: reads people's answers, CSV with a line for each person and a column for each "
             "question (named in\n"
             "the first line, or in the survey's order; an empty cell is no answer), and writes reports for "
             "`dither local\n"
             "collect`. Without one: randomises each value (a number below D) into a report, a line of "
             "hexadecimal digits. \"-\" "
             "reads values\n"
             "from standard input, one a line. Every report about a person costs epsilon again: this command "
             "keeps no\n"
             "account.",
    .example = "  dither local client commuting.yaml answers.csv > reports.txt\n"
               "  seq 0 99 | dither local client --mechanism oue --domain 100 --epsilon 1 - > reports.txt",
};

struct client {
    struct local_oracle oracle;
    struct random *random;
    unsigned char *report;
    struct buffer text;
};

/* Messages name the line, never the value, which is somebody's. */
static status report_one(struct client *client, const char *value_text, uint64_t line, error *why)
{
    uint64_t value = 0;
    error inner;
    if (number_parse_whole(value_text, &value, &inner) != DITHER_OK || value >= client->oracle.setting.domain)
        return fail(why, DITHER_INVALID, "value %llu is not a whole number below %u",
                    (unsigned long long)line, client->oracle.setting.domain);
    TRY(local_oracle_randomise(&client->oracle, (uint32_t)value, client->random, client->report, why));
    report_write(&client->text, client->report, client->oracle.report_bytes);
    return client->text.length < 1 << 20 ? DITHER_OK : cli_write(&client->text, why);
}

static status report_input(struct client *client, error *why)
{
    char *line = NULL;
    size_t capacity = 0;
    status result = DITHER_OK;
    uint64_t number = 0;
    for (ssize_t length; result == DITHER_OK && (length = getline(&line, &capacity, stdin)) >= 0;) {
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        result = report_one(client, line, ++number, why);
    }
    if (result == DITHER_OK && ferror(stdin))
        result = fail(why, DITHER_IO, "cannot read standard input: %s", strerror(errno));
    if (line != NULL)
        explicit_bzero(line, capacity);
    free(line);
    return result;
}

static status report_all(struct client *client, int argc, char **argv, error *why)
{
    if (argc == 1 && strcmp(argv[0], "-") == 0)
        TRY(report_input(client, why));
    else
        for (int i = 0; i < argc; i++)
            TRY(report_one(client, argv[i], (uint64_t)i + 1, why));
    return cli_write(&client->text, why);
}

static status run_client(struct client *client, int argc, char **argv, error *why)
{
    TRY(random_open(&client->random, why));
    client->report = memory_allocate(client->oracle.report_bytes);
    buffer_init(&client->text, ((size_t)4 << 20) + 2 * client->oracle.report_bytes);
    status result = client->report != NULL ? report_all(client, argc, argv, why)
                                           : fail(why, DITHER_NO_MEMORY, "no memory for a report");
    memory_release(client->report, client->oracle.report_bytes);
    buffer_free(&client->text);
    random_close(client->random);
    return result;
}

int local_client(int argc, char **argv)
{
    enum { OWN = 2 };
    struct local_survey survey = {0};
    struct local_client_request request = {0};
    struct cli_option list[LOCAL_SURVEY_OPTIONS + OWN] = {
        {"question", "NAME", "of a survey: this one only", cli_read_text, &request.question, NULL, 0},
        {"period", "DAY", "of a survey: the period of this day (today's)", cli_read_text, &request.period,
         NULL, 0},
    };
    local_survey_options(&survey, list + OWN);
    const struct cli_options options = {list, LOCAL_SURVEY_OPTIONS + OWN};
    bool wants_help = false;
    static struct client client;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("local client", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (survey.mechanism == NULL && argc > 0)
        return local_client_of_survey(argc, argv, &request);
    if (argc == 0)
        (void)fail(&why, DITHER_INVALID, "which survey, or which values?");
    if (request.question != NULL || request.period != NULL) {
        (void)fail(&why, DITHER_INVALID, "--question and --period are for a survey");
        return cli_misused("local client", &why);
    }
    if (argc == 0 || local_survey_oracle(&survey, &client.oracle, &why) != DITHER_OK)
        return cli_misused("local client", &why);
    return run_client(&client, argc, argv, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
