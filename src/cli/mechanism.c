/* `dither mechanism`: applies one mechanism to one's own numbers, outside any ledger. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "cli/answer.h"
#include "cli/cli.h"
#include "cli/mechanism_help.h"
#include "cli/mechanism_options.h"
#include "cli/values.h"

#define ANSWER_BYTES (UINT64_C(1) << 36)

enum { OWN_OPTIONS = 6 };

struct request {
    struct mechanism_options options;
    struct values_request input;
    double confidence;
    enum cli_format format;
    bool list;
};

static status read_confidence(const char *text, void *place, error *why)
{
    double value = 0;
    TRY(number_parse(text, NUMBER_UP, &value, why));
    if (!(value > 0 && value < 1))
        return fail(why, DITHER_INVALID, "must lie between 0 and 1");
    *(double *)place = value;
    return DITHER_OK;
}

static size_t list_options(struct request *request, const struct mechanism_kind *kind,
                           struct cli_option list[MECHANISM_OPTION_COUNT + OWN_OPTIONS])
{
    size_t count = mechanism_options_list(&request->options, kind, list);
    const struct cli_option own[OWN_OPTIONS] = {
        {"confidence", "P", "of the intervals (0.95)", read_confidence, &request->confidence, NULL, 0},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &request->format, NULL, 0},
        {"column", "NAME", "the column of the file, which then has a header", cli_read_text,
         &request->input.column, NULL, 0},
        {"header", NULL, "the file's first line is a header", NULL, &request->input.header, NULL, 0},
        {"no-header", NULL, "it is not, even if it is words", NULL, &request->input.no_header, NULL, 0},
        {"list", NULL, "print the names of the mechanisms, one a line", NULL, &request->list, NULL, 0},
    };
    for (size_t i = 0; i < OWN_OPTIONS; i++)
        list[count++] = own[i];
    return count;
}

static int print_help(struct request *request, const struct mechanism_kind *kind)
{
    struct cli_option list[MECHANISM_OPTION_COUNT + OWN_OPTIONS];
    size_t count = list_options(request, kind, list);
    error why;
    status result = mechanism_help_print(kind, (struct cli_options){list, count}, &why);
    return result == DITHER_OK ? CLI_DONE : cli_failed(&why);
}

/* ---- The release ---- */

static status show(const struct request *request, const struct answer *answer, error *why)
{
    struct buffer text;
    buffer_init(&text, ANSWER_BYTES);
    status result = answer_print(answer, request->format, &text, why);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    buffer_free(&text);
    return result;
}

static status release_with(const struct request *request, const struct mechanism_kind *kind,
                           const dither_mechanism *mechanism, const struct values *values,
                           dither_random *random, double *numbers, size_t count, error *why)
{
    const dither_data data = {values->numbers, values->count};
    TRY(dither_release(mechanism, random, &data, numbers, count, why));
    const struct answer answer = {
        .kind = kind,
        .options = &request->options.options,
        .values = values,
        .numbers = numbers,
        .count = count,
        .confidence = request->confidence,
        .half_width = dither_half_width(mechanism, &data, request->confidence),
        .scale = dither_mechanism_scale(mechanism),
        .cost = dither_mechanism_cost(mechanism),
    };
    return show(request, &answer, why);
}

static status release(const struct request *request, const struct mechanism_kind *kind,
                      const dither_mechanism *mechanism, const struct values *values, error *why)
{
    size_t count = dither_answer_count(mechanism, &(dither_data){values->numbers, values->count});
    double *numbers = memory_allocate(count * sizeof *numbers);
    if (numbers == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    dither_random *random = dither_random_new(why);
    status result = random == NULL
                        ? DITHER_NO_ENTROPY
                        : release_with(request, kind, mechanism, values, random, numbers, count, why);
    dither_random_free(random);
    memory_release(numbers, count * sizeof *numbers);
    return result;
}

static int apply(struct request *request, const struct mechanism_kind *kind, int argc, char **argv)
{
    error why;
    if (argc == 0) {
        (void)fail(&why, DITHER_INVALID, "%s of what? Give numbers, a file, or - for standard input",
                   kind->name);
        return cli_misused("mechanism", &why);
    }
    dither_mechanism *mechanism = dither_mechanism_new(kind->name, &request->options.options, &why);
    if (mechanism == NULL)
        return why.status == DITHER_INVALID ? cli_misused("mechanism", &why) : cli_failed(&why);
    request->input.shape = kind->shape;
    request->input.table_columns = request->options.options.column_count;
    struct values values;
    values_init(&values);
    status result = values_read(&values, &request->input, argc, argv, &why);
    if (result == DITHER_OK)
        result = release(request, kind, mechanism, &values, &why);
    values_free(&values);
    dither_mechanism_free(mechanism);
    return result == DITHER_OK ? CLI_DONE : cli_failed(&why);
}

/* ---- The command ---- */

static int choose(struct request *request, bool wants_help, int argc, char **argv)
{
    error why;
    const struct mechanism_kind *kind = NULL;
    if (request->list) {
        mechanism_help_list();
        return CLI_DONE;
    }
    if (argc > 0 && mechanism_help_find(argv[0], &kind, &why) != DITHER_OK)
        return cli_misused("mechanism", &why);
    if (wants_help)
        return print_help(request, kind);
    if (kind == NULL) {
        (void)fail(&why, DITHER_INVALID, "which mechanism?");
        return cli_misused("mechanism", &why);
    }
    return apply(request, kind, argc - 1, argv + 1);
}

static int run(int argc, char **argv)
{
    struct request request = {.confidence = 0.95, .format = CLI_TABLE};
    mechanism_options_init(&request.options);
    struct cli_option list[MECHANISM_OPTION_COUNT + OWN_OPTIONS];
    size_t count = list_options(&request, NULL, list);
    bool wants_help = false;
    error why;
    int result = cli_parse((struct cli_options){list, count}, &argc, argv, &wants_help, &why) == DITHER_OK
                     ? choose(&request, wants_help, argc, argv)
                     : cli_misused("mechanism", &why);
    mechanism_options_free(&request.options);
    return result;
}

const struct cli_command cli_mechanism = {"mechanism", "apply one mechanism to your own numbers", run};
