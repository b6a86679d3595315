#include "cli/question.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

enum {
    CARET_BEFORE = 60, /* characters shown before the place of an error, and behind it */
    CARET_BEHIND = 40,
};

void question_init(struct question *question)
{
    *question = (struct question){.format = CLI_TABLE};
    buffer_init(&question->text, SQL_TEXT_BYTES + 1); /* one more, so that what is too long is noticed */
}

void question_free(struct question *question)
{
    buffer_free(&question->text);
}

/* ---- Options ---- */

static status read_cost(const char *text, void *place, error *why)
{
    struct decimal cost;
    TRY(decimal_parse(text, &cost, why));
    if (decimal_is_zero(cost))
        return fail(why, DITHER_INVALID, "must be above 0");
    *(struct decimal *)place = cost;
    return DITHER_OK;
}

static status read_delta(const char *text, void *place, error *why)
{
    struct decimal delta;
    TRY(read_cost(text, &delta, why));
    if (decimal_to_double(delta) >= 1)
        return fail(why, DITHER_INVALID, "must be below 1");
    *(struct decimal *)place = delta;
    return DITHER_OK;
}

static status read_size(const char *text, void *place, error *why)
{
    double size;
    TRY(number_parse(text, NUMBER_DOWN, &size, why));
    if (size < 1)
        return fail(why, DITHER_INVALID, "must be at least 1");
    *(double *)place = size;
    return DITHER_OK;
}

static status read_confidence(const char *text, void *place, error *why)
{
    double confidence;
    TRY(number_parse(text, NUMBER_NEAREST, &confidence, why));
    if (!(confidence >= CURATOR_LEAST_CONFIDENCE && confidence <= CURATOR_MOST_CONFIDENCE))
        return fail(why, DITHER_INVALID, "must be from %g to %g", CURATOR_LEAST_CONFIDENCE,
                    CURATOR_MOST_CONFIDENCE);
    *(double *)place = confidence == CURATOR_CONFIDENCE ? 0 : confidence;
    return DITHER_OK;
}

static status read_most(const char *text, void *place, error *why)
{
    uint64_t most;
    TRY(number_parse_whole(text, &most, why));
    if (most == 0 || most > POLICY_MOST_ROWS)
        return fail(why, DITHER_INVALID, "must be between 1 and %d", POLICY_MOST_ROWS);
    *(uint64_t *)place = most;
    return DITHER_OK;
}

/* "50" or "5%". */
static status read_error(const char *text, void *place, error *why)
{
    char number[64];
    size_t length = strlen(text);
    if (length == 0 || length >= sizeof number)
        return fail(why, DITHER_INVALID, "must be a width, such as 50 or 5%%");
    memcpy(number, text, length + 1);
    if (number[length - 1] == '%')
        number[length - 1] = '\0';
    double width;
    TRY(number_parse(number, NUMBER_DOWN, &width, why));
    if (width <= 0)
        return fail(why, DITHER_INVALID, "must be above 0");
    *(const char **)place = text;
    return DITHER_OK;
}

void question_options(struct question *question, struct cli_option list[QUESTION_OPTIONS])
{
    struct curator_question *request = &question->request;
    struct sql_options *settings = &request->settings;
    const struct cli_option table[] = {
        {"epsilon", "E", "what the question may cost; without it, what the policy says", read_cost,
         &settings->epsilon, NULL, 0},
        {"delta", "D", "the same for delta, spent only where keys are not public", read_delta,
         &settings->delta, NULL, 0},
        {"rho", "R", "the cost under a budget in rho", read_cost, &settings->rho, NULL, 0},
        {"error", "W", "the least cost whose interval is at most this far to each side: 50, or 5% of --size",
         read_error, &request->error_wanted, NULL, 0},
        {"size", "N", "about how many people are behind each number, as far as is publicly known", read_size,
         &request->declared_size, NULL, 0},
        {"confidence", "P", "of the intervals, from 0.5 to 0.99 (0.95)", read_confidence,
         &request->confidence, NULL, 0},
        {"analyst", "NAME", "who asks; without it the owner, whom only the dataset's budget limits",
         cli_read_text, &request->analyst, NULL, 0},
        {"request", "ID", "a name for this asking: asked again with it, the same answer comes back, free",
         cli_read_text, &request->request, NULL, 0},
        {"max-groups", "N", "in how many groups one unit counts, where that is less than the policy's",
         read_most, &settings->max_groups, NULL, 0},
        {"max-rows", "N", "how many rows of one unit count in a group, where that is less than the policy's",
         read_most, &settings->max_rows, NULL, 0},
        {"other", NULL, "show what is in hidden groups as one row", NULL, &settings->other, NULL, 0},
        {"non-negative", NULL, "counts are raised to 0", NULL, &settings->non_negative, NULL, 0},
        {"file", "FILE", "read the question from a file", cli_read_text, &question->file, NULL, 'f'},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &question->format, NULL, 0},
    };
    static_assert(sizeof table / sizeof table[0] == QUESTION_OPTIONS, "all of them");
    memcpy(list, table, sizeof table);
}

/* ---- The text ---- */

status question_arguments(struct question *question, const char *command, int argc, char **argv, error *why)
{
    if (argc == 0)
        return fail(why, DITHER_INVALID, "%s needs a policy and a question", command);
    question->policy = argv[0];
    if (question->file != NULL && argc > 1)
        return fail(why, DITHER_INVALID, "the question is given twice: as an argument and by --file");
    if (question->file == NULL && argc == 1)
        return fail(why, DITHER_INVALID, "what is the question? SQL, or - for standard input");
    if (argc > 2)
        return fail(why, DITHER_INVALID, "one question at a time; put the SQL into quotes");
    if (question->file != NULL)
        return DITHER_OK;
    if (strcmp(argv[1], "-") == 0)
        question->file = "-";
    else
        question->request.text = argv[1];
    return DITHER_OK;
}

static status read_all(struct question *question, FILE *file, const char *name, error *why)
{
    char piece[4096];
    size_t count;
    while ((count = fread(piece, 1, sizeof piece, file)) > 0 && question->text.length <= SQL_TEXT_BYTES) {
        size_t room = SQL_TEXT_BYTES + 1 - question->text.length;
        buffer_append(&question->text, piece, count < room ? count : room);
    }
    if (ferror(file))
        return fail(why, DITHER_IO, "%.200s: %s", name, strerror(errno));
    if (question->text.length > 0 && memchr(question->text.data, '\0', question->text.length) != NULL)
        return fail(why, DITHER_INVALID, "%.200s: a NUL byte in the question", name);
    return buffer_check(&question->text, why);
}

status question_read(struct question *question, error *why)
{
    if (question->file == NULL)
        return DITHER_OK;
    bool standard = strcmp(question->file, "-") == 0;
    const char *name = standard ? "standard input" : question->file;
    FILE *file = standard ? stdin : fopen(question->file, "rb");
    if (file == NULL)
        return fail(why, DITHER_IO, "%.200s: %s", name, strerror(errno));
    status result = read_all(question, file, name, why);
    if (!standard)
        fclose(file);
    question->request.text = question->text.data != NULL ? question->text.data : "";
    return result;
}

/* ---- Refusals ---- */

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* Steps at most `most` characters from `from` towards `end`, forwards or backwards. */
static size_t step(const char *text, size_t from, size_t end, size_t most)
{
    while (from != end && most > 0) {
        from = from < end ? from + 1 : from - 1;
        if (from == end || begins_character(text[from]))
            most--;
    }
    return from;
}

/* What a terminal would obey is shown as a blank, and so is a tab, so that the caret stands where it should.
 */
static void put_line(const char *text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        fputc((unsigned char)text[i] < 0x20 || text[i] == 0x7f ? ' ' : text[i], stderr);
}

static void show_place(const char *text, size_t place)
{
    size_t length = strlen(text), begin = place, end = place, line = 1;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    while (end < length && text[end] != '\n')
        end++;
    for (size_t i = 0; i < begin; i++)
        line += text[i] == '\n';
    size_t from = step(text, place, begin, CARET_BEFORE), to = step(text, place, end, CARET_BEHIND);
    int margin = fprintf(stderr, "  line %zu: %s", line, from > begin ? "..." : "");
    put_line(text, from, to);
    fputs(to < end ? "...\n" : "\n", stderr);
    for (size_t i = from; i < place; i++)
        margin += begins_character(text[i]);
    fprintf(stderr, "%*s^\n", margin, "");
}

int question_failed(const struct question *question, const error *why)
{
    int result = cli_failed(why);
    const char *text = question->request.text;
    if (text != NULL && why->position >= 0 && (size_t)why->position <= utf8_length(text))
        show_place(text, step(text, 0, strlen(text), (size_t)why->position));
    return result;
}
