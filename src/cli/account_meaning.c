/* `dither account meaning`: what an epsilon promises, in words and numbers. */
#include <math.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/number.h"
#include "cli/account.h"
#include "mechanism/bayes.h"

struct meaning {
    double epsilon, prior;
    uint64_t people;
    enum cli_format format;
};

static status read_prior(const char *text, void *place, error *why)
{
    double prior;
    TRY(number_parse(text, NUMBER_NEAREST, &prior, why));
    if (!(prior > 0 && prior < 1))
        return fail(why, DITHER_INVALID, "must lie strictly between 0 and 1");
    *(double *)place = prior;
    return DITHER_OK;
}

static status read_epsilon(int argc, char **argv, double *epsilon, error *why)
{
    error inner;
    if (argc != 1)
        return fail(why, DITHER_INVALID,
                    argc == 0 ? "the meaning of which epsilon?" : "one epsilon at a time");
    if (number_parse(argv[0], NUMBER_UP, epsilon, &inner) != DITHER_OK)
        return fail(why, DITHER_INVALID, "epsilon %.200s", inner.message);
    if (!(*epsilon >= 0 && *epsilon <= 500))
        return fail(why, DITHER_INVALID, "epsilon must lie between 0 and 500");
    return DITHER_OK;
}

/* A verdict for those who want one word. */
static const char *verdict(double epsilon)
{
    if (epsilon <= 0.1)
        return "very strong: an answer hardly changes what anybody believes";
    if (epsilon <= 1)
        return "strong: an answer changes beliefs a little";
    if (epsilon <= 3)
        return "moderate: an answer can make a guess noticeably better";
    if (epsilon <= 8)
        return "weak: a determined observer can learn much; other safeguards should stand beside it";
    return "hardly any: an answer can all but settle the question";
}

/* Per cent with as many digits as tell it from 0 and 100: the nearest, or in the given direction, so that what
 * is called the most is not exceeded by what was cut off. */
static void percent_toward(struct buffer *out, double probability, double (*toward)(double))
{
    double rest = fmin(probability, 1 - probability);
    int digits = rest >= 0.01 || rest <= 0 ? 1 : (int)ceil(-log10(rest));
    digits = digits > 12 ? 12 : digits;
    double unit = pow(10, digits), marks = 100 * probability * unit, whole = round(marks);
    if (fabs(marks - whole) > 1e-12 * marks)
        whole = toward(marks);
    buffer_format(out, "%.*f%%", digits, whole / unit);
}

static void percent(struct buffer *out, double probability)
{
    percent_toward(out, probability, round);
}

static void range(struct buffer *out, dither_range belief)
{
    percent_toward(out, belief.lower, floor);
    buffer_text(out, " to ");
    percent_toward(out, belief.upper, ceil);
}

static void explain_beliefs(const struct meaning *meaning, struct buffer *out)
{
    dither_range posterior = bayes_posterior(meaning->prior, meaning->epsilon);
    dither_range other = bayes_other_world(meaning->prior, meaning->epsilon);
    buffer_format(out, "epsilon %g is %s.\n\n", meaning->epsilon, verdict(meaning->epsilon));
    buffer_text(out, "What somebody may come to believe.\n  Before the answer he thinks, with ");
    percent(out, meaning->prior);
    buffer_text(out, ", that Bob is in the data (or that something is true of Bob).\n"
                     "  After it, whatever else he knows and however he computes: ");
    range(out, posterior);
    buffer_format(out, ".\n  The odds change by a factor of at most e^%g = %g.\n\n", meaning->epsilon,
                  account_round_up(exp(meaning->epsilon)));
    buffer_text(out, "Two worlds, one with Bob in the data and one without.\n  A belief of ");
    percent(out, meaning->prior);
    buffer_text(out, " formed in the one would have been ");
    range(out, other);
    buffer_text(out, " in the other.\n  Whatever follows from the answer would have followed almost as "
                     "likely without Bob.\n\n");
}

/* A test that decides between the two worlds, its two errors being equal: alpha = beta = 1 / (1 + e^epsilon).
 */
static void explain_game(const struct meaning *meaning, struct buffer *out)
{
    double wrong = 1 / (1 + exp(meaning->epsilon));
    buffer_text(out, "The best detective.\n  Told to decide from the answer whether Bob is in the data, half "
                     "the time true, he is right at "
                     "most ");
    percent_toward(out, 1 - wrong, ceil);
    buffer_text(out, " of the time;\n  a coin is right 50% of the time.\n\n");
}

static void explain_group(const struct meaning *meaning, struct buffer *out)
{
    uint64_t people = meaning->people > 1 ? meaning->people : 5;
    double together = meaning->epsilon * (double)people;
    buffer_format(out,
                  "More than one person.\n  A family of %llu, together, has epsilon %g: beliefs about all of "
                  "them move from ",
                  (unsigned long long)people, together);
    percent(out, meaning->prior);
    buffer_text(out, " to anything within ");
    range(out, bayes_posterior(meaning->prior, together));
    buffer_format(out, ".\n  Two such answers cost epsilon %g together, and so on: budgets add up.\n",
                  2 * meaning->epsilon);
}

static void print_json(const struct meaning *meaning, struct buffer *out)
{
    dither_range posterior = bayes_posterior(meaning->prior, meaning->epsilon);
    dither_range other = bayes_other_world(meaning->prior, meaning->epsilon);
    struct json_writer json;
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_member_number(&json, "epsilon", meaning->epsilon);
    json_member_number(&json, "prior", meaning->prior);
    const struct {
        const char *name;
        dither_range range;
    } ranges[] = {{"posterior", posterior}, {"other_world", other}};
    for (size_t i = 0; i < 2; i++) {
        json_write_key(&json, ranges[i].name);
        json_begin_array(&json);
        json_write_number(&json, ranges[i].range.lower);
        json_write_number(&json, ranges[i].range.upper);
        json_end_array(&json);
    }
    json_member_number(&json, "odds_factor", exp(meaning->epsilon));
    json_member_number(&json, "best_test", 1 / (1 + exp(-meaning->epsilon)));
    if (meaning->people > 1)
        json_member_number(&json, "group_epsilon", meaning->epsilon * (double)meaning->people);
    json_end_object(&json);
    buffer_byte(out, '\n');
}

static status print_meaning(const struct meaning *meaning, error *why)
{
    struct buffer out;
    buffer_init(&out, 1 << 16);
    if (meaning->format == CLI_JSON) {
        print_json(meaning, &out);
    } else {
        explain_beliefs(meaning, &out);
        explain_game(meaning, &out);
        explain_group(meaning, &out);
    }
    status result = cli_write(&out, why);
    buffer_free(&out);
    return result;
}

static const struct cli_help help = {
    .usage = "account meaning EPSILON [--prior P] [--people K] [--format json]",
    .about = "Says in words and numbers what a promise of epsilon means to the people in the data.",
    .example = "  dither account meaning 1.0 --prior 0.5",
};

int account_meaning(int argc, char **argv)
{
    struct meaning meaning = {.prior = 0.5, .people = 1, .format = CLI_TABLE};
    const struct cli_option list[] = {
        {"prior", "P", "what somebody believes before the answer (0.5)", read_prior, &meaning.prior, NULL, 0},
        {"people", "K", "how many are looked at together (5)", account_read_people, &meaning.people, NULL, 0},
        {"format", "FORMAT", "text or json", cli_read_format, &meaning.format, NULL, 0},
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
    if (read_epsilon(argc, argv, &meaning.epsilon, &why) != DITHER_OK)
        return cli_misused("account", &why);
    return print_meaning(&meaning, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
