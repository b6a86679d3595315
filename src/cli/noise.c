/* `dither noise`: noise by itself, from the exact samplers. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/nearest.h"
#include "cli/cli.h"
#include "cli/steps.h"
#include "mechanism/grid.h"
#include "random/discrete_gaussian.h"
#include "random/geometric.h"

enum {
    BLOCK = 4096, /* numbers drawn and written at a time */
    BLOCK_TEXT_BYTES = BLOCK * 64,
};

struct distribution {
    const char *name;
    bool gaussian;
    bool real; /* on a fine grid; otherwise whole numbers */
};

static const struct distribution distributions[] = {
    {"laplace", false, true},
    {"geometric", false, false},
    {"gaussian", true, true},
    {"discrete-gaussian", true, false},
};

enum { DISTRIBUTION_COUNT = sizeof distributions / sizeof distributions[0] };

struct noise_request {
    const struct distribution *distribution;
    struct rational scale;
    double grid; /* 0: not given */
    uint64_t count;
    enum cli_format format;
};

/* One of the two samplers, and the grid that its whole numbers count. */
struct noise_source {
    bool gaussian;
    struct geometric geometric;
    struct discrete_gaussian discrete_gaussian;
    int grid_exponent;
};

static status read_scale(const char *text, void *place, error *why)
{
    struct rational scale;
    TRY(number_parse_rational(text, &scale, why));
    if (rational_is_zero(scale))
        return fail(why, DITHER_INVALID, "must be above 0");
    if (scale.numerator > UINT64_MAX) /* what the samplers' exact arithmetic has room for */
        return fail(why, DITHER_INVALID, "has too many digits to be taken exactly");
    *(struct rational *)place = scale;
    return DITHER_OK;
}

static status read_count(const char *text, void *place, error *why)
{
    return number_parse_whole(text, place, why);
}

static const char *distribution_name(size_t index, const void *context)
{
    (void)context;
    return index < DISTRIBUTION_COUNT ? distributions[index].name : NULL;
}

static status find_distribution(const char *name, const struct distribution **out, error *why)
{
    for (size_t i = 0; i < DISTRIBUTION_COUNT; i++)
        if (strcmp(distributions[i].name, name) == 0) {
            *out = &distributions[i];
            return DITHER_OK;
        }
    const char *nearest = nearest_name(name, distribution_name, NULL);
    if (nearest != NULL)
        return fail(why, DITHER_INVALID, "there is no noise \"%.40s\"; did you mean \"%s\"?", name, nearest);
    return fail(why, DITHER_INVALID, "there is no noise \"%.40s\"", name);
}

static status check_request(const struct noise_request *request, error *why)
{
    if (request->scale.denominator == 0)
        return fail(why, DITHER_INVALID, "%s needs --scale", request->distribution->name);
    if (request->grid != 0 && !request->distribution->real)
        return fail(why, DITHER_INVALID, "%s noise is whole numbers; --grid is for laplace and gaussian",
                    request->distribution->name);
    return DITHER_OK;
}

/* Noise of scale S on a grid g is g times a whole number of scale S/g; dividing by a power of two is exact.
 */
static status open_source(const struct noise_request *request, struct noise_source *source, error *why)
{
    double grid = 1;
    if (request->distribution->real)
        grid = request->grid != 0 ? request->grid : grid_for(rational_to_double(request->scale, MPFR_RNDD));
    source->gaussian = request->distribution->gaussian;
    source->grid_exponent = ilogb(grid);
    struct rational scale = request->scale;
    scale.exponent -= source->grid_exponent;
    if (!source->gaussian)
        return geometric_init(&source->geometric, scale, why);
    struct rational variance;
    if (!rational_square(scale, &variance))
        return fail(why, DITHER_INVALID, "--scale has too many digits for its square to be exact");
    return discrete_gaussian_init(&source->discrete_gaussian, variance, why);
}

static status draw(const struct noise_source *source, struct random *random, int64_t *block, size_t count,
                   error *why)
{
    memset(block, 0, count * sizeof *block);
    if (source->gaussian)
        return discrete_gaussian_add(&source->discrete_gaussian, random, block, count, why);
    return geometric_add(&source->geometric, random, block, count, why);
}

static void write_numbers(const struct noise_source *source, const int64_t *block, size_t count,
                          struct buffer *lines, struct json_writer *json)
{
    for (size_t i = 0; i < count; i++) {
        char text[STEPS_TEXT];
        size_t length = steps_print(block[i], source->grid_exponent, text);
        if (json != NULL) {
            json_write_raw(json, text, length);
            continue;
        }
        text[length] = '\n';
        buffer_append(lines, text, length + 1);
    }
}

static status write_blocks(const struct noise_request *request, const struct noise_source *source,
                           struct random *random, struct buffer *text, struct json_writer *json, error *why)
{
    int64_t block[BLOCK];
    status result = DITHER_OK;
    for (uint64_t left = request->count; left > 0 && result == DITHER_OK;) {
        size_t count = left < BLOCK ? (size_t)left : BLOCK;
        result = draw(source, random, block, count, why);
        if (result == DITHER_OK) {
            write_numbers(source, block, count, text, json);
            result = cli_write(text, why);
        }
        left -= count;
    }
    explicit_bzero(block, sizeof block);
    return result;
}

static status write_noise(const struct noise_request *request, const struct noise_source *source,
                          struct random *random, struct buffer *text, error *why)
{
    if (request->format != CLI_JSON)
        return write_blocks(request, source, random, text, NULL, why);
    struct json_writer json;
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_text(&json, "noise", request->distribution->name);
    json_member_number(&json, "scale", rational_to_double(request->scale, MPFR_RNDN));
    json_member_number(&json, "grid", ldexp(1, source->grid_exponent));
    json_write_key(&json, "values");
    json_begin_array(&json);
    TRY(write_blocks(request, source, random, text, &json, why));
    json_end_array(&json);
    json_end_object(&json);
    buffer_byte(text, '\n');
    return cli_write(text, why);
}

static status make_noise(const struct noise_request *request, const struct noise_source *source, error *why)
{
    struct random *random = NULL;
    TRY(random_open(&random, why));
    struct buffer text;
    buffer_init(&text, BLOCK_TEXT_BYTES);
    status result = write_noise(request, source, random, &text, why);
    buffer_free(&text);
    random_close(random);
    return result;
}

static const struct cli_help help = {
    .usage = "noise laplace|geometric|gaussian|discrete-gaussian --scale S [--count N] [--format csv|json]",
    .about = "Draws noise, one number a line, from the same exact samplers that the mechanisms use. By "
             "itself noise protects\n"
             "nobody: its scale must come from a sensitivity and an epsilon, which is what `dither "
             "mechanism` is for. This\n"
             "command works outside any ledger and keeps no account.\n\n"
             "  laplace            P(x) proportional to exp(-|x|/S), on a grid\n"
             "  geometric          the same on the whole numbers (discrete Laplace)\n"
             "  gaussian           P(x) proportional to exp(-x^2/(2 S^2)), on a grid\n"
             "  discrete-gaussian  the same on the whole numbers\n\n"
             "laplace and gaussian give multiples of a power of two: by default the largest one that is not "
             "above S/65536.\n"
             "Every number is printed in full.",
    .example = "  dither noise laplace --scale 2.5 --count 3",
};

static int run(int argc, char **argv)
{
    struct noise_request request = {.count = 1, .format = CLI_CSV};
    const struct cli_option list[] = {
        {"scale", "S", "b of a Laplace, sigma of a Gaussian; a decimal, taken exactly", read_scale,
         &request.scale, NULL, 0},
        {"count", "N", "how many numbers (1)", read_count, &request.count, NULL, 0},
        {"grid", "G", "a power of two (0.125 or 2^-3) that all numbers are multiples of", steps_read_grid,
         &request.grid, NULL, 0},
        {"format", "FORMAT", "csv: one number a line; json: one object", cli_read_format, &request.format,
         NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("noise", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (argc != 1) {
        (void)fail(&why, DITHER_INVALID, argc == 0 ? "which noise?" : "one kind of noise at a time");
        return cli_misused("noise", &why);
    }
    struct noise_source source;
    if (find_distribution(argv[0], &request.distribution, &why) != DITHER_OK ||
        check_request(&request, &why) != DITHER_OK || open_source(&request, &source, &why) != DITHER_OK)
        return cli_misused("noise", &why);
    return make_noise(&request, &source, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}

const struct cli_command cli_noise = {"noise", "draw noise from the exact samplers", run};
