/* `dither local shuffle`: the central epsilon of reports that come through an anonymous channel. */
#include "local/shuffle.h"

#include "base/json.h"
#include "base/number.h"
#include "cli/local.h"

struct request {
    struct shuffle shuffle;
    double delta;
    enum cli_format format;
};

static const struct cli_help help = {
    .usage = "local shuffle --epsilon E --people N --delta D [--binary] [--format table|json]",
    .about = "N people send reports of local epsilon E through a channel that hides who sent which. Prints "
             "the central epsilon,\n"
             "at delta D, against everybody who sees only the shuffled reports (Feldman, McMillan, Talwar "
             "2021, numerically).\n"
             "It holds only if the channel is anonymous: against whoever sees the senders the guarantee "
             "stays E. --binary is for\n"
             "randomised response with two answers, for which it is exact.",
    .example = "  dither local shuffle --epsilon 2 --people 10000 --delta 1e-6",
};

static status read_delta(const char *text, void *place, error *why)
{
    return number_parse(text, NUMBER_DOWN, place, why);
}

static status print(const struct request *request, double epsilon, error *why)
{
    struct buffer text;
    buffer_init(&text, 4096);
    if (request->format == CLI_JSON) {
        struct json_writer json;
        json_writer_init(&json, &text);
        json_begin_object(&json);
        json_member_number(&json, "epsilon", epsilon);
        json_member_number(&json, "delta", request->delta);
        json_member_number(&json, "local_epsilon", request->shuffle.epsilon);
        json_end_object(&json);
        buffer_byte(&text, '\n');
    } else {
        buffer_format(
            &text,
            "epsilon: %.6g at delta %g, if the channel is anonymous; %g against who sees the senders\n",
            epsilon, request->delta, request->shuffle.epsilon);
    }
    status result = cli_write(&text, why);
    buffer_free(&text);
    return result;
}

int local_shuffle(int argc, char **argv)
{
    struct request request = {.delta = 1e-6};
    const struct cli_option list[] = {
        {"epsilon", "E", "of one report", local_read_epsilon, &request.shuffle.epsilon, NULL, 0},
        {"people", "N", "how many reports are shuffled", local_read_whole, &request.shuffle.people, NULL, 0},
        {"delta", "D", "with which the central epsilon may fail (1e-6)", read_delta, &request.delta, NULL, 0},
        {"binary", NULL, "the reports are randomised responses of two answers", NULL, &request.shuffle.binary,
         NULL, 0},
        {"format", "FORMAT", "table or json", cli_read_format, &request.format, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    double epsilon = 0;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("local shuffle", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (argc != 0 || request.shuffle.epsilon == 0 || request.shuffle.people == 0) {
        (void)fail(&why, DITHER_INVALID, "give --epsilon and --people, and no arguments");
        return cli_misused("local shuffle", &why);
    }
    if (shuffle_epsilon(&request.shuffle, request.delta, &epsilon, &why) != DITHER_OK)
        return cli_misused("local shuffle", &why);
    return print(&request, epsilon, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
