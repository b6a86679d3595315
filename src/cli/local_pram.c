/* `dither local pram`: answers of several categories, changed by a matrix. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/plot_svg.h"
#include "cli/local.h"
#include "cli/table.h"
#include "local/pram.h"

struct request {
    double epsilon; /* 0: not given */
    uint64_t categories;
    const char *file, *region;
    struct local_numbers observed;
    bool fit;
    double confidence;
    enum cli_format format;
};

static const struct cli_help help = {
    .usage =
        "local pram --epsilon E --categories C | --matrix FILE  [VALUE...] [--observed N:N:...] [--fit]\n"
        "local pram --epsilon E --region FILE.svg",
    .about = "Post-randomisation: row i of a matrix says with what probability category i is reported as "
             "each of the\n"
             "categories. --matrix reads one, a row a line, numbers separated by commas; --epsilon makes the "
             "best one\n"
             "(diagonal e^E / (C - 1 + e^E)). Alone, prints the matrix and its epsilon, infinite where a "
             "report proves\n"
             "something. With values (categories from 0) prints a report for each. With --observed, counts "
             "of reports\n"
             "from category 0 on, estimates the true counts by the inverse; a matrix near to singular is "
             "refused.\n"
             "--region draws the matrices of two categories that keep epsilon, and prints the corners.",
    .example = "  dither local pram --epsilon 1 --categories 3 --observed 420:380:200",
};

/* ---- The matrix ---- */

struct rows {
    double *values;
    size_t size, count;
};

static status receive_row(void *context, const struct csv_record *record, error *why)
{
    struct rows *rows = context;
    if (record->number == 1) {
        if (record->count < 2 || record->count > PRAM_SIZE_LIMIT)
            return fail(why, DITHER_INVALID, "a matrix has 2 to %d columns", PRAM_SIZE_LIMIT);
        rows->size = record->count;
        rows->values = memory_allocate(rows->size * rows->size * sizeof *rows->values);
        if (rows->values == NULL)
            return fail(why, DITHER_NO_MEMORY, "no memory for the matrix");
    }
    if (record->number > rows->size)
        return fail(why, DITHER_INVALID, "the matrix has more rows than columns");
    for (size_t k = 0; k < record->count; k++) {
        error inner;
        if (number_parse(record->fields[k].text, NUMBER_NEAREST, &rows->values[rows->count++], &inner) !=
            DITHER_OK)
            return fail(why, DITHER_INVALID, "line %llu, column %zu %s", (unsigned long long)record->line,
                        k + 1, inner.message);
    }
    return DITHER_OK;
}

static status read_matrix(const char *path, struct pram *matrix, error *why)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return fail(why, DITHER_IO, "cannot read %.200s: %s", path, strerror(errno));
    struct rows rows = {0};
    const struct csv_options options = {.name = path, .columns = PRAM_SIZE_LIMIT};
    status result = csv_read(file, &options, receive_row, &rows, why);
    if (result == DITHER_OK && rows.count != rows.size * rows.size)
        result = fail(why, DITHER_INVALID, "the matrix has fewer rows than columns");
    if (result == DITHER_OK)
        result = pram_new(matrix, rows.values, rows.size, why);
    memory_release(rows.values, rows.size * rows.size * sizeof *rows.values);
    fclose(file);
    return result;
}

static status make_matrix(const struct request *request, struct pram *matrix, error *why)
{
    if ((request->epsilon != 0) == (request->file != NULL))
        return fail(why, DITHER_INVALID, "give either --epsilon and --categories, or --matrix");
    if (request->file != NULL)
        return read_matrix(request->file, matrix, why);
    return pram_for_epsilon(matrix, request->epsilon, request->categories, why);
}

/* ---- What is printed ---- */

static status print_matrix(const struct pram *matrix, error *why)
{
    struct buffer text;
    buffer_init(&text, (size_t)64 * PRAM_SIZE_LIMIT * PRAM_SIZE_LIMIT);
    for (size_t i = 0; i < matrix->size; i++)
        for (size_t k = 0; k < matrix->size; k++) {
            char number[NUMBER_TEXT];
            number_print(pram_probability(matrix, i, k), number);
            buffer_format(&text, "%s%s", number, k + 1 < matrix->size ? "," : "\n");
        }
    double epsilon = pram_epsilon(matrix);
    fprintf(stderr,
            isinf(epsilon) ? "epsilon: infinite: some report proves its sender's answer\n"
                           : "epsilon: %.6g\n",
            epsilon);
    status result = cli_write(&text, why);
    buffer_free(&text);
    return result;
}

static status print_reports(const struct pram *matrix, int count, char **texts, error *why)
{
    struct random *random = NULL;
    struct buffer text;
    buffer_init(&text, (size_t)1 << 24);
    status result = random_open(&random, why);
    for (int i = 0; i < count && result == DITHER_OK; i++) {
        uint64_t value = 0;
        uint32_t report = 0;
        error inner;
        if (number_parse_whole(texts[i], &value, &inner) != DITHER_OK || value >= matrix->size)
            result =
                fail(why, DITHER_INVALID, "argument %d is not a category below %zu", i + 1, matrix->size);
        if (result == DITHER_OK) {
            report = (uint32_t)value;
            result = pram_apply(matrix, random, &report, 1, why);
        }
        if (result == DITHER_OK)
            buffer_format(&text, "%u\n", report);
    }
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    buffer_free(&text);
    random_close(random);
    return result;
}

static status print_estimates(const struct request *request, const struct pram *matrix, error *why)
{
    static struct local_estimate estimates[PRAM_SIZE_LIMIT];
    struct local_answer told = {
        .estimates = estimates, .count = matrix->size, .epsilon = pram_epsilon(matrix), .condition = NAN};
    if (request->observed.count != matrix->size)
        return fail(why, DITHER_INVALID, "--observed has %zu counts for %zu categories",
                    request->observed.count, matrix->size);
    for (size_t k = 0; k < matrix->size; k++)
        told.people += request->observed.values[k];
    if (request->fit) {
        double fitted[PRAM_SIZE_LIMIT];
        pram_fit(matrix, request->observed.values, fitted);
        for (size_t k = 0; k < matrix->size; k++)
            estimates[k] = (struct local_estimate){fitted[k], NAN, NAN, NAN};
    } else {
        TRY(pram_estimate(matrix, request->observed.values, request->confidence, estimates, &told.condition,
                          why));
    }
    return local_print(&told, request->format, why);
}

static status draw_region(const struct request *request, error *why)
{
    struct pram_region region = pram_region(request->epsilon);
    double x[5], y[5];
    for (int i = 0; i < 5; i++) {
        x[i] = region.first[i % 4];
        y[i] = region.second[i % 4];
    }
    const struct plot_panel panel = {
        .title = "Matrices of two categories that keep epsilon",
        .x_name = "P(0 reported as 0)",
        .y_name = "P(1 reported as 1)",
        .lines = {{"border", x, y, 5}},
        .line_count = 1,
    };
    struct buffer svg;
    buffer_init(&svg, (size_t)1 << 20);
    plot_svg(&svg, &panel, 1);
    status result = local_write_file(request->region, &svg, why);
    buffer_free(&svg);
    return result;
}

/* The area is (e^E - 1) / (e^E + 1), of a square of area 1. */
static void write_region(const struct pram_region *region, double epsilon, struct buffer *text)
{
    struct json_writer json;
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_number(&json, "epsilon", epsilon);
    json_member_number(&json, "area", tanh(epsilon / 2));
    json_write_key(&json, "points");
    json_begin_array(&json);
    for (int i = 0; i < 4; i++) {
        json_begin_array(&json);
        json_write_number(&json, region->first[i]);
        json_write_number(&json, region->second[i]);
        json_end_array(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    buffer_byte(text, '\n');
}

/* The corners, in order around it. */
static status print_region(const struct request *request, error *why)
{
    struct pram_region region = pram_region(request->epsilon);
    struct buffer text;
    struct table table;
    buffer_init(&text, (size_t)1 << 20);
    table_init(&table);
    table_number_column(&table, "0_as_0");
    table_number_column(&table, "1_as_1");
    for (int i = 0; i < 4; i++) {
        (request->format == CLI_CSV ? table_exact_number : table_number)(&table, region.first[i]);
        (request->format == CLI_CSV ? table_exact_number : table_number)(&table, region.second[i]);
    }
    status result = DITHER_OK;
    if (request->format == CLI_JSON)
        write_region(&region, request->epsilon, &text);
    else
        result = table_print(&table, request->format, &text, why);
    if (result == DITHER_OK && request->format == CLI_TABLE)
        buffer_format(&text, "a share of %.6g of all matrices keeps epsilon %.6g\n",
                      tanh(request->epsilon / 2), request->epsilon);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    table_free(&table);
    buffer_free(&text);
    return result;
}

static int run_request(const struct request *request, int argc, char **argv)
{
    struct pram matrix = {0};
    error why;
    if (request->region != NULL && request->epsilon == 0)
        (void)fail(&why, DITHER_INVALID, "--region needs --epsilon");
    else if (request->region != NULL)
        return draw_region(request, &why) == DITHER_OK && print_region(request, &why) == DITHER_OK
                   ? CLI_DONE
                   : cli_failed(&why);
    else if (make_matrix(request, &matrix, &why) == DITHER_OK) {
        status result = argc > 0                       ? print_reports(&matrix, argc, argv, &why)
                        : request->observed.count != 0 ? print_estimates(request, &matrix, &why)
                                                       : print_matrix(&matrix, &why);
        pram_free(&matrix);
        return result == DITHER_OK ? CLI_DONE : cli_failed(&why);
    }
    return cli_misused("local pram", &why);
}

int local_pram(int argc, char **argv)
{
    struct request request = {.categories = 2, .confidence = 0.95};
    const struct cli_option list[] = {
        {"epsilon", "E", "make the best matrix for this epsilon", local_read_epsilon, &request.epsilon, NULL,
         0},
        {"categories", "C", "how many categories it has (2)", local_read_whole, &request.categories, NULL, 0},
        {"matrix", "FILE", "read the matrix from a file", cli_read_text, &request.file, NULL, 0},
        {"observed", "N:N:...", "counts of reports, from category 0 on", local_read_numbers,
         &request.observed, NULL, 0},
        {"fit", NULL, "the most likely counts that are not negative, without intervals", NULL, &request.fit,
         NULL, 0},
        {"confidence", "C", "of the intervals (0.95)", local_read_confidence, &request.confidence, NULL, 0},
        {"region", "FILE", "draw which matrices of two categories keep epsilon, as SVG", cli_read_text,
         &request.region, NULL, 0},
        {"format", "FORMAT", "of estimates and corners: table, csv or json", cli_read_format, &request.format,
         NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("local pram", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    return run_request(&request, argc, argv);
}
