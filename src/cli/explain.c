/* `dither explain`: what a question would cost and how it would be answered. */
#include "cli/question.h"

enum { TEXT_BYTES = 64 << 20 };

static const struct cli_help help = {
    .usage = "explain POLICY \"SQL\" [OPTION...]\n"
             "explain POLICY - [OPTION...]\n"
             "explain POLICY --file FILE [OPTION...]",
    .about =
        "Says how a question would be answered: its releases, whose rows they bound and how, the noise,\n"
        "the cost, the expected width of the intervals, and the SQL for the engine. Spends nothing and\n"
        "touches no row. The options are those of `dither ask`; --format is table (text) or json.",
    .example =
        "  dither explain examples/hospital/hospital.yaml \"SELECT sum(cost) FROM visits\" --epsilon 0.5",
};

static status explain(const struct question *question, error *why)
{
    struct curator *curator = NULL;
    struct buffer out;
    const struct curator_options options = {.engine = {.schema_only = true},
                                            .owner = question->request.analyst == NULL};
    TRY(curator_open(question->policy, &options, &curator, why));
    buffer_init(&out, TEXT_BYTES);
    status result = curator_explain(curator, &question->request, question->format == CLI_JSON, &out, why);
    if (result == DITHER_OK)
        result = cli_write(&out, why);
    buffer_free(&out);
    curator_close(curator);
    return result;
}

static int run(int argc, char **argv)
{
    struct question question;
    struct cli_option list[QUESTION_OPTIONS];
    question_init(&question);
    question_options(&question, list);
    const struct cli_options options = {list, QUESTION_OPTIONS};
    bool wants_help = false;
    error why;
    int code = CLI_DONE;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        code = cli_misused("explain", &why);
    else if (wants_help)
        cli_print_help(&help, options);
    else if (question.format == CLI_CSV && fail(&why, DITHER_INVALID, "--format must be table or json"))
        code = cli_misused("explain", &why);
    else if (question_arguments(&question, "explain", argc, argv, &why) != DITHER_OK)
        code = cli_misused("explain", &why);
    else if (question_read(&question, &why) != DITHER_OK)
        code = cli_failed(&why);
    else if (explain(&question, &why) != DITHER_OK)
        code = question_failed(&question, &why);
    question_free(&question);
    return code;
}

const struct cli_command cli_explain = {"explain", "what a question would cost, and how it would be answered",
                                        run};
