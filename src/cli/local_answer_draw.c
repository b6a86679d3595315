/* A survey's estimates as a picture: bars with whiskers or, where there are too many values, lines. */
#include "base/memory.h"
#include "base/plot_bars.h"
#include "base/plot_svg.h"
#include "cli/local_answer.h"

/* The bars of one question; names are made in `names`. Of texts the most frequent ones. */
static size_t make_bars(const struct local_part *part, struct plot_bar bars[PLOT_BARS],
                        char names[PLOT_BARS][LOCAL_STRING_SHOWN])
{
    size_t drawn = 0;
    bool number = part->question->kind == QUESTION_NUMBER;
    for (size_t v = 0; v < part->count && drawn < PLOT_BARS; v++) {
        const struct local_estimate *here = &part->estimates[v];
        if (number && v == LOCAL_VARIANCE_ROW) /* which is in another unit */
            continue;
        bars[drawn] =
            (struct plot_bar){local_part_row(part, v, names[drawn]), here->count, here->lower, here->upper};
        drawn++;
    }
    return drawn;
}

static bool is_too_long(const struct local_part *part)
{
    return part->count > PLOT_BARS && part->question->kind != QUESTION_TEXT;
}

/* A bar for each value of the questions that have few enough. */
static status draw_bars(const struct local_survey_answer *answer, struct buffer *svg, error *why)
{
    static struct plot_bar bars[SURVEY_QUESTIONS][PLOT_BARS];
    static char names[SURVEY_QUESTIONS][PLOT_BARS][LOCAL_STRING_SHOWN];
    struct plot_chart charts[SURVEY_QUESTIONS];
    for (size_t i = 0; i < answer->part_count; i++) {
        const struct local_part *part = &answer->parts[i];
        if (is_too_long(part))
            return fail(why, DITHER_INVALID,
                        "a picture of more than %d values is drawn for one question at a time: --question",
                        PLOT_BARS);
        charts[i] =
            (struct plot_chart){part->question->text != NULL ? part->question->text : part->question->name,
                                part->question->kind == QUESTION_NUMBER ? "value" : "people", bars[i],
                                make_bars(part, bars[i], names[i])};
    }
    plot_bars(svg, charts, answer->part_count);
    return DITHER_OK;
}

/* Three lines over the numbers of the values: too many for bars. */
static status draw_lines(const struct local_part *part, struct buffer *svg, error *why)
{
    size_t count = part->count;
    double *numbers = memory_allocate(4 * count * sizeof *numbers);
    if (numbers == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a picture of %zu values", count);
    double *x = numbers, *lower = x + count, *value = lower + count, *upper = value + count;
    for (size_t v = 0; v < count; v++) {
        x[v] = (double)v;
        lower[v] = part->estimates[v].lower;
        value[v] = part->estimates[v].count;
        upper[v] = part->estimates[v].upper;
    }
    const struct plot_panel panel = {
        .title = part->question->text != NULL ? part->question->text : part->question->name,
        .x_name = "value",
        .y_name = "people",
        .lines = {{"estimate", x, value, count}, {"lower", x, lower, count}, {"upper", x, upper, count}},
        .line_count = 3,
    };
    plot_svg(svg, &panel, 1);
    memory_release(numbers, 4 * count * sizeof *numbers);
    return DITHER_OK;
}

status local_answer_draw(const struct local_survey_answer *answer, error *why)
{
    struct buffer svg;
    buffer_init(&svg, (size_t)1 << 30);
    bool lines = answer->part_count == 1 && is_too_long(&answer->parts[0]);
    status result = lines ? draw_lines(&answer->parts[0], &svg, why) : draw_bars(answer, &svg, why);
    if (result == DITHER_OK)
        result = local_write_file(answer->request->plot, &svg, why);
    buffer_free(&svg);
    return result;
}
