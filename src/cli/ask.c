/* `dither ask`: a question in SQL, a private answer. */
#include <string.h>
#include <strings.h>
#include <stdlib.h>

#include "cli/question.h"
#include "cli/watch.h"

enum { ANSWER_BYTES = 1 << 30 };

static const struct cli_help help = {
    .usage = "ask POLICY \"SQL\" [OPTION...]\n"
             "ask POLICY - [OPTION...]\n"
             "ask POLICY --file FILE [OPTION...]",
    .about =
        "Answers a question under the policy: with noise, a 95% interval for every noisy number, and what\n"
        "it cost. The charge is in the ledger before the data are asked, and stays whatever happens.\n"
        "The same question on the same data gives the same answer and costs its asker nothing more.\n"
        "With --error the cost follows from the width that is wanted, and is said before it is spent.\n"
        "Ctrl-C stops the engine's work, not the charge.",
    .example = "  dither ask examples/hospital/hospital.yaml \\\n"
               "    \"SELECT region, count(*) AS patients, avg(age) AS age FROM patients GROUP BY region\"",
};

/* Says what the width that is wanted costs, before it is spent. Whoever does not like it has Ctrl-C. */
static status say_price(void *context, const struct ledger_cost *cost, double half_width, error *why)
{
    (void)why;
    const struct curator *const *curator = context;
    char text[LEDGER_COST_TEXT];
    ledger_cost_print(*cost, curator_policy(*curator)->budget.currency, text);
    fprintf(stderr, "%s, for +-%.4g\n", text, half_width);
    return DITHER_OK;
}

/* Whether the terminal understands more than ASCII. */
static bool speaks_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *locale = getenv(names[i]);
        if (locale != NULL && locale[0] != '\0')
            return strcasestr(locale, "utf-8") != NULL || strcasestr(locale, "utf8") != NULL;
    }
    return false;
}

static status print_answer(const struct curator_answer *answer, enum cli_format format, error *why)
{
    struct buffer out;
    buffer_init(&out, ANSWER_BYTES);
    if (format == CLI_JSON)
        curator_answer_json(answer, &out);
    else if (format == CLI_CSV)
        curator_answer_csv(answer, &out);
    else
        curator_answer_table(answer, !speaks_utf8(), &out);
    status result = cli_write(&out, why);
    buffer_free(&out);
    return result;
}

static int answer(struct question *question, error *why)
{
    bool owner = question->request.analyst == NULL;
    struct watch *watch = NULL;
    struct curator *curator = NULL;
    struct curator_answer *answer = NULL;
    status result = watch_begin(owner, &watch, why);
    if (result == DITHER_OK) {
        struct curator_options options = {
            .engine = {.tell = owner ? watch_tell : NULL,
                       .report = owner ? watch_report : NULL,
                       .context = watch},
            .owner = owner,
        };
        result = curator_open(question->policy, &options, &curator, why);
    }
    if (result == DITHER_OK) {
        if (question->request.error_wanted != NULL)
            question->request.confirm = say_price;
        question->request.context = &curator;
        watch_curator(watch, curator);
        result = curator_ask(curator, &question->request, &answer, why);
    }
    bool stopped = watch_end(watch);
    if (result == DITHER_OK)
        result = print_answer(answer, question->format, why);
    curator_answer_free(answer);
    curator_close(curator);
    if (result == DITHER_OK)
        return CLI_DONE;
    int code = question_failed(question, why); /* which says what became of the charge */
    return stopped ? CLI_INTERRUPTED : code;
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
        code = cli_misused("ask", &why);
    else if (wants_help)
        cli_print_help(&help, options);
    else if (question_arguments(&question, "ask", argc, argv, &why) != DITHER_OK)
        code = cli_misused("ask", &why);
    else if (question_read(&question, &why) != DITHER_OK)
        code = cli_failed(&why);
    else
        code = answer(&question, &why);
    question_free(&question);
    return code;
}

const struct cli_command cli_ask = {"ask", "answer a question in SQL, privately", run};
